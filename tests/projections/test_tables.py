"""A table as one row, after any fact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from domain.tables import events as t
from projections.shape import Told
from projections.tables import TABLES, OneTable, Row
from tests.domain.test_tables import ANNA, BEGUN, BENO, ENDED, HAND, OPENED

RECORDED_AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
TOLD = Told(UUID(int=7), RECORDED_AT, 4711)


def row_after(*events: t.TableEvent) -> OneTable:
    row: Row | None = None
    for event in events:
        row = TABLES.project(row, event)
    assert row is not None
    (stored,) = TABLES.rows(row, TOLD)
    assert isinstance(stored, OneTable)
    return stored


def test_a_table_is_a_row_as_soon_as_it_is_open() -> None:
    row = row_after(OPENED)
    assert (row.id, row.name, row.game, row.small_bet, row.currency) == (
        TOLD.stream,
        "A",
        "stud8",
        200,
        "USD",
    )
    assert (row.house_rules, row.max_seats, row.seats, row.hands) == ("topspoker 1", 6, 0, 0)
    assert (row.is_open, row.hand, row.closed_at) == (True, None, None)
    assert (row.opened_at, row.version, row.position) == (RECORDED_AT, 1, 4711)


def test_a_table_opened_when_the_event_says_so() -> None:
    earlier = RECORDED_AT - timedelta(seconds=1)
    assert row_after(replace(OPENED, at=earlier)).opened_at == earlier


def test_the_row_says_how_many_sit_there_and_which_hand_is_played() -> None:
    row = row_after(OPENED, ANNA, BENO, BEGUN)
    assert (row.seats, row.hand, row.hands, row.version) == (2, HAND, 1, 4)


def test_a_hand_that_ended_is_played_no_more() -> None:
    row = row_after(OPENED, ANNA, BENO, BEGUN, ENDED, t.PlayerLeft(seat=1, stack=950))
    assert (row.seats, row.hand, row.hands) == (1, None, 1)


def test_a_closed_table_stays_a_row() -> None:
    row = row_after(OPENED, t.TableClosed(at=RECORDED_AT))
    assert (row.is_open, row.closed_at) == (False, RECORDED_AT)
