"""The daily close goes on: through days off, clocks put forward, rivals, and refusals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from threading import Barrier

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from domain.closing import DAYS
from services.ledger import CloseTold, CloseWanted, close_day, closes
from services.ledger.daily import DAILY_CLOSE, DailyClose, FirstDays
from services.store.room import Room
from tests.support.ledgers import DAY, FIRST, Evening

IN_UTC = FirstDays("UTC", "00:00")


@pytest.fixture
def evening(room: Room) -> Evening:
    """A hand on the first day, which is over."""
    evening = Evening(room)
    evening.play()
    evening.days_pass()
    evening.caught_up()
    return evening


def closed_days(evening: Evening) -> list[date]:
    return [close.day for close in closes(evening.room).closes]


def test_days_on_which_the_service_was_off_are_all_closed_in_order(evening: Evening) -> None:
    DailyClose(evening.room, IN_UTC, evening.clock).look()
    evening.days_pass(3)
    DailyClose(evening.room, IN_UTC, evening.clock).look()
    assert closed_days(evening) == [FIRST + n * DAY for n in range(4)]
    assert evening.differing() == []


def test_a_day_in_which_clocks_are_put_forward_is_closed_after_its_23_hours(
    evening: Evening,
) -> None:
    spring = date(2026, 3, 8)
    evening.clock.time = datetime(2026, 3, 8, 12, tzinfo=UTC)
    evening.play()
    evening.caught_up()
    daily = DailyClose(evening.room, FirstDays("America/New_York", "00:00"), evening.clock)
    evening.clock.time = datetime(2026, 3, 9, 3, 59, 59, tzinfo=UTC)
    daily.look()
    assert closed_days(evening) == [spring - DAY]
    evening.clock.time = datetime(2026, 3, 9, 4, tzinfo=UTC)
    daily.look()
    before, close = closes(evening.room).closes
    assert (close.day, close.hands, close.since) == (spring, 1, before.until)
    assert close.since == datetime(2026, 3, 8, 5, tzinfo=UTC)
    assert close.until == datetime(2026, 3, 9, 4, tzinfo=UTC)
    assert evening.differing() == []


def test_of_two_who_close_at_once_one_does_and_the_other_gets_its_answer(evening: Evening) -> None:
    ready = Barrier(2)

    def close(by: str) -> CloseTold:
        ready.wait()
        return close_day(evening.room, CloseWanted(day=FIRST), by, evening.clock.time)

    with ThreadPoolExecutor(2) as both:
        one, other = both.map(close, ("finance", DAILY_CLOSE))
    assert one.closed == other.closed
    assert {one.new, other.new} == {True, False}
    assert len(evening.room.store.load(DAYS)) == 1


def test_a_database_that_refuses_does_not_end_the_daily_close(evening: Evening) -> None:
    """As one does that was put to read only while another takes over."""
    daily = DailyClose(evening.room, IN_UTC, evening.clock)
    name = Identifier(evening.room.settings.room)
    with psycopg.connect(evening.room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("revoke insert on {}.events from studledger_app").format(name))
        daily.look()
        assert closed_days(evening) == []
        owner.execute(SQL("grant insert on {}.events to studledger_app").format(name))
    daily.look()
    assert closed_days(evening) == [FIRST]
