"""How much a key may ask in a while, and how long whoever asked too much has to wait."""

from __future__ import annotations

from limits import parse

from services.api.limiting import Limiter
from services.api.settings import ApiSettings
from services.api.windows import Window

MINUTE = 60.0


def test_no_more_than_the_rate_is_let_through_and_the_wait_is_long_enough() -> None:
    window = Window(parse("3/minute"))
    assert [window.count("ann", 10.0) for _ in range(4)] == [0, 0, 0, 50]
    # At the turn of the minute all three still count, and fewer as they go out of sight.
    wait = window.count("ann", MINUTE)
    assert wait == 20
    assert window.count("ann", MINUTE + wait - 0.1) > 0
    assert window.count("ann", MINUTE + wait) == 0


def test_what_was_too_much_does_not_count_and_neither_does_looking() -> None:
    window = Window(parse("1/minute"))
    assert window.wait("ann", 0.0) == window.wait("ann", 0.0) == window.count("ann", 0.0) == 0
    assert all(window.count("ann", 1.0) for _ in range(5))
    assert window.count("ann", 2 * MINUTE) == 0


def test_names_are_counted_apart_and_forgotten_after_two_pieces_of_time() -> None:
    window = Window(parse("1/minute"))
    assert window.count("ann", 0.0) == window.count("ben", 0.0) == 0
    assert window.wait("ann", MINUTE + 1) > 0
    assert window.wait("ann", 3 * MINUTE) == window.wait("ben", 3 * MINUTE) == 0


def test_a_dealer_may_ask_for_all_of_his_tables() -> None:
    limiter = Limiter(ApiSettings(rate_per_key="2/hour", rate_per_dealer="4/hour"))
    waits = {
        role: [limiter.count_request(role, role) for _ in range(5)] for role in ("dealer", "floor")
    }
    assert [bool(wait) for wait in waits["dealer"]] == [False] * 4 + [True]
    assert [bool(wait) for wait in waits["floor"]] == [False] * 2 + [True] * 3


def test_what_every_key_may_ask_a_dealer_may_as_well() -> None:
    limiter = Limiter(ApiSettings(rate_per_key="3/hour", rate_per_dealer="1/hour"))
    assert not any(limiter.count_request("key", "dealer") for _ in range(3))
