"""Sums made in advance and the ledger: verification tells when they are not the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from domain import events as e
from projections.rollups import ROLLUPS
from services.demo.hands import table_hands
from services.projecting import projector_of
from services.reports.rake_sums import sums_that_differ
from services.store.port import Append, facts
from services.store.room import Room
from services.verifying import verify
from tests.support.told_hands import correction, odd_chip_hand, side_pot_hand, void

TABLES = [table.table for table in ROLLUPS.sums]
BACK = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)

Change = Callable[[str], int]


def tell(room: Room, events: tuple[e.HandEvent, ...]) -> UUID:
    hand = uuid4()
    room.store.append([Append(stream=hand, expected=0, facts=facts(events), actor="test")])
    return hand


@pytest.fixture
def summed(room: Room) -> Room:
    """A room with hands of every kind, added up."""
    for hand in table_hands(6):
        tell(room, hand.events)
    for events in (
        odd_chip_hand(),
        (*side_pot_hand(), correction({1: 10}, rake=-10)),
        (*side_pot_hand(), BACK),
        side_pot_hand()[:8],
    ):
        tell(room, events)
    projector_of(room).catch_up()
    return room


@pytest.fixture
def change(summed: Room) -> Change:
    """Runs a statement as the owner of the tables; how many rows it changed."""

    def run(statement: str) -> int:
        with psycopg.connect(summed.database.owner, autocommit=True) as owner:
            owner.execute(SQL("set search_path = {}").format(Identifier(summed.settings.room)))
            return owner.execute(statement.encode()).rowcount

    return run


def differences(room: Room, hands: list[UUID] | None = None) -> list[tuple[Any, str]]:
    """Those told of all hands together."""
    return [(d.hand, d.text) for d in verify(room, hands).differences if d.hand is None]


def test_sums_of_hands_of_every_kind_are_those_of_the_ledger(summed: Room) -> None:
    assert sums_that_differ(summed.connect) == ()
    assert differences(summed) == []


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement",
    [
        "update {} set rake = rake + 1 where rake > 0",
        "update {} set pot = pot - 1 where pot > 0",
        "update {} set hands = hands + 1",
        "update {} set currency = 'EUR'",
        "delete from {}",
    ],
    ids=["rake", "pot", "hands", "currency", "gone"],
)
def test_a_changed_sum_is_told_by_its_table(
    summed: Room, change: Change, table: str, statement: str
) -> None:
    assert change(statement.format(table)) > 0
    assert sums_that_differ(summed.connect) == (table,)
    [(hand, text)] = differences(summed)
    assert (hand, table in text) == (None, True)
    projector_of(summed).rebuild(["rollups"])
    assert differences(summed) == []


@pytest.mark.parametrize("table", ["rake_schedule_hours", "rake_player_shares"])
@pytest.mark.parametrize(
    "statement",
    [
        "update {} set rake = rake + 1 where rake > 0",
        "update {} set hour = hour - interval '1 day'",
        "delete from {}",
    ],
)
def test_a_sum_that_tells_more_apart_is_compared_with_the_one_that_does_not(
    summed: Room, change: Change, table: str, statement: str
) -> None:
    assert change(statement.format(table)) > 0
    assert sums_that_differ(summed.connect) == (table,)
    [(_, text)] = differences(summed)
    assert text.endswith("rebuild rake_shares")
    projector_of(summed).rebuild(["rake_shares"])
    assert differences(summed) == []


def test_a_method_that_spreads_more_than_was_taken_is_told(summed: Room, change: Change) -> None:
    assert change("update rake_player_shares set winner = winner + 1 where winner > 0") > 0
    assert sums_that_differ(summed.connect) == ("rake_player_shares",)


def test_a_sum_of_nothing_is_told(summed: Room, change: Change) -> None:
    assert (
        change("insert into rake_player_months select '2001-01-01', 'p9', 'USD', 2, 0, 0, 0") == 1
    )
    assert sums_that_differ(summed.connect) == ("rake_player_months",)


def test_sums_are_nothing_to_the_verification_of_one_hand(summed: Room, change: Change) -> None:
    hand = tell(summed, odd_chip_hand())
    projector_of(summed).catch_up()
    assert change("delete from rake_table_days") > 0
    assert differences(summed, [hand]) == []


def test_sums_are_not_compared_with_books_that_are_further(summed: Room) -> None:
    tell(summed, odd_chip_hand())
    projector_of(summed).rebuild(["rake_ledger"])
    assert sums_that_differ(summed.connect) is None
    [(_, text)] = differences(summed)
    assert "different events" in text
    projector_of(summed).catch_up()
    assert differences(summed) == []
