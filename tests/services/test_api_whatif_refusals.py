"""A what-if over HTTP that cannot be asked: what is wrong with it, and what is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.house_rules import PRESETS
from domain.schedules import SCHEDULES
from services.embedded import Server
from services.whatif import ACTIONS
from tests.support.asking import Asking, whatif_path
from tests.support.service import Served, served

LAST_CALL = 42
"""Step of D00001 at which seat 1 calls the last bet of seat 3."""


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture(scope="module")
def key(service: Served) -> dict[str, str]:
    return service.headers("floor")


@pytest.fixture
def ask(service: Served, key: dict[str, str]) -> Asking:
    return Asking(service, key)


# -- what cannot be asked --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instead", "rule", "detail"),
    [
        ("check", "B5", "seat 1 may not check now: he owes chips"),
        ("raise 1234", "S6", "seat 1 may raise to 2000; 1234 was asked for"),
        ("seat 3 fold", "B1", "seat 1 is to act, not seat 3"),
    ],
)
def test_what_nobody_may_do_is_refused_with_the_rule_and_what_is_legal(
    ask: Asking, instead: str, rule: str, detail: str
) -> None:
    answer = ask.wrong(
        whatif_path("D00001", step=LAST_CALL, instead=instead), 409, "against-the-rules"
    ).json()
    choice = {"seat": 1, "size": None, "all_in": False, "rule": "B5"}
    assert answer == {
        "type": "urn:studledger:problem:against-the-rules",
        "title": "The rules do not allow this",
        "status": 409,
        "detail": detail,
        "rule": rule,
        "legal": [
            choice | {"action": "fold", "amount": 0, "to": 0},
            choice | {"action": "call", "amount": 1000, "to": 1000},
            choice | {"action": "raise", "amount": 2000, "to": 2000, "size": "big", "rule": "S6"},
        ],
    }


def test_a_schedule_without_a_place_for_the_table_is_refused(ask: Asking) -> None:
    dear = ask.service.store(tuple(map(_at_dear_stakes, ask.service.events(ask.service.hand)[:5])))
    answer = ask.wrong(whatif_path(dear, schedule="topspoker:1"), 409, "against-the-rules").json()
    assert (answer["rule"], answer["legal"]) == ("R3", [])


def _at_dear_stakes(event: e.HandEvent) -> e.HandEvent:
    if not isinstance(event, e.HandStarted):
        return event
    stakes = replace(event.stakes, small_bet=4000, big_bet=8000)
    rules = replace(event.house_rules, rake="as_recorded")
    return replace(event, number="dear", stakes=stakes, house_rules=rules, rake_schedule=None)


POLICIES = [name for name in e.HouseRules.__struct_fields__ if name not in {"name", "version"}]


@pytest.mark.parametrize(
    ("change", "name", "message", "possible"),
    [
        (
            {},
            "instead",
            "say what is to be different",
            ["a decision", "a policy", "a rake schedule"],
        ),
        ({"step": 42}, "instead", "a decision needs both step and instead", [*ACTIONS]),
        ({"step": 42, "instead": "sing"}, "instead", "'sing' is no decision", [*ACTIONS]),
        (
            {"step": 42, "instead": "raise a lot"},
            "instead",
            "'raise a lot' is no decision",
            [*ACTIONS],
        ),
        (
            {"step": 42, "instead": "raise x"},
            "instead",
            "'x' is no amount here",
            ["400", "$4", "4.00"],
        ),
        (
            {"step": 42, "instead": ""},
            "instead",
            "write 1 to 200 characters, none of them a zero character",
            ["1 to 200 characters"],
        ),
        (
            {"step": 0, "instead": "fold"},
            "step",
            "write the number of a step, a whole number",
            ["the step of a decision"],
        ),
        (
            {"policy": "no_such_policy=1"},
            "policy",
            "there is no policy 'no_such_policy'",
            [*POLICIES, "preset"],
        ),
        (
            {"policy": ["burn_cards=yes", "odd_chip_tie"]},
            "policy",
            "'odd_chip_tie' is not of the form field=value",
            [*(f"{name}=…" for name in (*POLICIES, "preset"))],
        ),
        (
            {"policy": "odd_chip_tie=high"},
            "policy",
            "odd_chip_tie cannot be 'high'",
            ["left_of_dealer", "suit"],
        ),
        ({"policy": "clock=²+1+1"}, "policy", "clock cannot be '²+1+1'", ["none", "10+20+20"]),
        ({"policy": "preset=nobody"}, "policy", "there is no preset 'nobody'", [*PRESETS]),
        (
            {"policy": "x" * 201},
            "policy",
            "write each as FIELD=VALUE, 3 to 200 characters",
            ["FIELD=VALUE"],
        ),
        (
            {"schedule": "topspoker:99"},
            "schedule",
            "no rake schedule 'topspoker:99' is published",
            [f"{name}:{version}" for name, version in SCHEDULES],
        ),
        (
            {"schedule": ["topspoker:1", "topspoker:1"]},
            "schedule",
            "this parameter is given more than once",
            ["once"],
        ),
    ],
)
def test_what_cannot_be_read_is_told_what_there_is(
    ask: Asking, change: dict[str, Any], name: str, message: str, possible: list[str]
) -> None:
    answer = ask.wrong(whatif_path("D00001", **change), 422, "bad-parameter").json()
    assert answer == {
        "type": "urn:studledger:problem:bad-parameter",
        "title": "A parameter is not as it should be",
        "status": 422,
        "errors": [{"name": name, "message": message, "possible": possible}],
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instead": "fold"}, "a decision needs both step and instead"),
        ({"step": 1, "instead": "fold"}, "step 1 is hand_started.v1, not a decision"),
        ({"step": 99, "instead": "fold"}, "step 99 is no step at all, not a decision"),
        ({"step": 1, "instead": "fold", "policy": "burn_cards=no"}, "step 1 is hand_started.v1"),
    ],
)
def test_where_nobody_decided_the_steps_of_all_decisions_are_named(
    ask: Asking, change: dict[str, Any], message: str
) -> None:
    (error,) = ask.wrong(whatif_path("D00001", **change), 422, "bad-parameter").json()["errors"]
    assert error["name"] == "step"
    assert error["message"].startswith(message)
    events = ask.service.events(ask.service.hand)
    acts = (e.BringInPosted, e.Called, e.Completed, e.BetPlaced, e.Raised, e.Checked, e.Folded)
    decisions = [step for step, event in enumerate(events, 1) if isinstance(event, acts)]
    assert error["possible"] == [str(step) for step in decisions]


def test_everything_that_cannot_be_read_is_named_at_once(ask: Asking) -> None:
    change = {"instead": "sing", "policy": "suit", "schedule": "none"}
    errors = ask.wrong(whatif_path("D00001", **change), 422, "bad-parameter").json()["errors"]
    assert [error["name"] for error in errors] == ["step", "instead", "policy", "schedule"]
