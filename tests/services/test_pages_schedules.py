"""The pages of schedules: the charts there are, and history rated anew by one."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from msgspec.structs import replace

from domain.schedules import SCHEDULES, Band, Schedule, Step
from services.embedded import Server
from services.schedules import publish
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served

FIRST = SCHEDULES["topspoker", 1]


def dearer(schedule: Schedule) -> Schedule:
    """The next version, in which every step takes a cent more."""
    return replace(schedule, version=2, bands=tuple(map(_dearer, schedule.bands)))


def _dearer(band: Band) -> Band:
    rows = (
        replace(row, steps=tuple(Step(step.pot, step.rake + 1) for step in row.steps))
        for row in band.rows
    )
    return replace(band, rows=tuple(rows))


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 8) as service:
        publish(service.room, dearer(FIRST), "test")
        yield service


@pytest.fixture(scope="module")
def finance(service: Served) -> Visitor:
    return visitor(service, "finance")


def test_every_version_is_shown_with_what_it_changed(finance: Visitor) -> None:
    page = unescape(finance.get("/schedules"))
    assert page.index("topspoker:2") < page.index("topspoker:1")
    assert "$20.00 → $1.01" in page
    assert "$20.00 → $1.00 then" in page


def test_history_is_rated_by_what_was_in_force_as_it_was(finance: Visitor) -> None:
    page = finance.get("/rake/whatif?schedule=topspoker:1")
    assert "The difference is <strong>$0.00</strong>, in 0 of them" in page


def test_another_schedule_would_have_taken_a_cent_more_of_each_raked_hand(
    service: Served, finance: Visitor
) -> None:
    page = finance.get("/rake/whatif?schedule=topspoker:2")
    raked = service.client.get("/v1/hands?limit=100", headers=service.headers("finance")).json()
    hands = sum(hand["rake"] > 0 for hand in raked["hands"])
    assert hands
    assert f"The difference is <strong>$0.{hands:02d}</strong>, in {hands} of them" in page
    assert 'class="bar then"' in page
    empty = finance.get("/rake/whatif?schedule=topspoker:2&from=2099-01-01")
    assert "No raked hand is like that" in empty


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("schedule=nobodys:1", "schedule"),
        ("from=2026-01-01", "schedule"),
        ("schedule=topspoker:1&from=2026-02-01&to=2026-01-01", "from"),
    ],
)
def test_what_makes_no_sense_is_told_beside_its_field(
    finance: Visitor, query: str, field: str
) -> None:
    assert f'id="{field}-wrong"' in finance.get(f"/rake/whatif?{query}", 422)


DRAFT = """
id = "draft"
version = 1
currency = "USD"
[[bands]]
name = "all"
stakes = ["0.50/1 to 100/200"]
[[bands.rows]]
players = "2-8"
steps = [{ pot = 0.01, rake = 0.01 }]
"""


def test_a_schedule_that_nobody_published_can_be_tried(service: Served, finance: Visitor) -> None:
    answer = finance.send("/rake/whatif", {"draft": DRAFT, "from": "", "to": ""}, 200)
    assert "By draft:1 it would have been <strong>$0.08</strong> in 8 hands" in answer.text
    assert ("draft", 1) not in dict(service.room.schedules)
    for draft in ("", "id = 1", "a = " + 2000 * "["):
        wrong = finance.send("/rake/whatif", {"draft": draft}, 422).text
        assert 'id="draft-wrong"' in wrong


def test_they_are_for_those_who_may_know_rake(service: Served) -> None:
    for path in ("/schedules", "/rake/whatif"):
        assert problem_of(visitor(service, "floor").get(path, 403)) == "not-allowed"
