"""Closing a gaming day: the report as the log stands, its digest as an event, once and for all."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

import msgspec
from psycopg import Connection

from domain.closing import (
    DAY,
    DAYS,
    TAG,
    CannotClose,
    DayClosed,
    closed_as,
    encode,
    next_day,
    require_closable,
    require_same_days,
    require_settled,
)
from domain.disputes import adjustments
from domain.tables import events as tables
from services.errors import StaleStream
from services.ledger.accounts import READS, asked
from services.ledger.closes import closed_days
from services.ledger.report import Span, day_report, digest
from services.projecting.aside import set_aside
from services.projecting.kinds import HAND_TYPES
from services.reports.queries import complete_to, one_moment
from services.reports.rake import head_of
from services.reports.rake_days import day_of, gaming_days
from services.reports.rake_wanted import (
    MIDNIGHT,
    UTC,
    BadRakeQuestion,
    gaming_day_start,
    zone_of,
)
from services.store.port import Append, Fact
from services.store.room import Room

MOST_TRIES = 20
MOST_NAMED = 10
MISSES = b"select from events where notification_id > %s and topic = any(%s) limit 1"
IN_BOOKS = HAND_TYPES | tables.TYPES | {adjustments.TAG}
"""The facts that the books are made of."""

EARLIEST, LATEST = date(2, 1, 1), date(9998, 12, 31)


class CloseWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Close a day. Zone and start are those of the days closed before, if they are not said."""

    day: date
    time_zone: str | None = None
    day_start: str | None = None


class CloseTold(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it; not `new` if the day was closed before: the answer is the same."""

    closed: DayClosed
    new: bool


class Closes(msgspec.Struct, frozen=True, kw_only=True):
    """The closed days in order, and the day that is closed next, if any was closed yet."""

    closes: tuple[DayClosed, ...]
    next: date | None


class InProgress(msgspec.Struct, frozen=True):
    """A hand that is still being played."""

    hand: UUID
    number: str


def closes(room: Room) -> Closes:
    """Every closed day of the room."""
    closed = closed_days(room.store)
    return Closes(closes=closed, next=next_day(closed))


def close_day(room: Room, wanted: CloseWanted, by: str, now: datetime) -> CloseTold:
    """Close a gaming day.

    Raises `CannotClose` where it stays open: it is not over, an earlier one is open, hands of it
    are in progress, or the projections do not know the whole log. Raises BadRakeQuestion for a
    zone or a time of day there is not.
    """
    for _ in range(MOST_TRIES):
        closed = closed_days(room.store)
        before = closed_as(closed, wanted.day)
        span = _span(closed, wanted)
        require_same_days(closed, span.time_zone, span.day_start)
        if before is not None:
            return CloseTold(closed=before, new=False)
        require_closable(closed, wanted.day, until=span.until, now=now)
        event = _closed(room, closed, span, by, now)
        fact = Fact(TAG, encode(event))
        append = Append(stream=DAYS, expected=len(closed), facts=(fact,), actor=by)
        if room.store.append([append])[0].status == "ok":
            return CloseTold(closed=event, new=True)
    raise StaleStream("too many are closing days: try again")


def close_due(
    room: Room, time_zone: str | None, day_start: str | None, by: str, now: datetime
) -> tuple[DayClosed, ...]:
    """Close every day that is over, in order; those closed now.

    If none was closed yet, the last day that is over is the first: what was before is brought
    forward. Raises as `close_day` does at the first day that stays open.
    """
    done: list[DayClosed] = []
    while True:
        closed = closed_days(room.store)
        zone, start = _days(closed, time_zone, day_start)
        today = day_of(now, zone_of(zone), gaming_day_start(start))
        day = next_day(closed) or today - DAY
        if day >= today:
            return tuple(done)
        wanted = CloseWanted(day=day, time_zone=zone, day_start=start)
        told = close_day(room, wanted, by, now)
        done.extend([told.closed] if told.new else [])


def span_of(day: date, time_zone: str, day_start: str, position: int, previous: int | None) -> Span:
    """A gaming day with the moments at which it begins and ends. Raises BadRakeQuestion."""
    zone, start = zone_of(time_zone), gaming_day_start(day_start)
    if not EARLIEST <= day <= LATEST:
        message = "no calendar has days around it"
        raise BadRakeQuestion("day", day, message, (f"{EARLIEST} to {LATEST}",))
    days = gaming_days(day, day, zone, start)
    return Span(
        day=day,
        time_zone=time_zone,
        day_start=day_start,
        since=days.since,
        until=days.until,
        position=position,
        previous=previous,
    )


def _days(
    closed: tuple[DayClosed, ...], time_zone: str | None, day_start: str | None
) -> tuple[str, str]:
    """Zone and start: as asked for, else as before, else UTC from midnight."""
    zone, start = (
        (closed[-1].time_zone, closed[-1].day_start) if closed else (UTC, f"{MIDNIGHT:%H:%M}")
    )
    return time_zone or zone, day_start or start


def _span(closed: tuple[DayClosed, ...], wanted: CloseWanted) -> Span:
    zone, start = _days(closed, wanted.time_zone, wanted.day_start)
    previous = closed[-1].position if closed else None
    return span_of(wanted.day, zone, start, 0, previous)


def _closed(
    room: Room, closed: tuple[DayClosed, ...], span: Span, by: str, now: datetime
) -> DayClosed:
    """The fact, made of one moment of the database. Raises `CannotClose`."""
    with one_moment(room.connect) as connection:
        # The first day adds up everything before it.
        connection.execute("set local statement_timeout = 0")
        position = _require_whole(connection)
        found = asked(connection, "in_progress", span.own, InProgress)
        require_settled([(one.hand, one.number) for one in found])
        span = msgspec.structs.replace(span, position=position)
        opening = closed[-1].totals if closed else None
        report = day_report(connection, room.store, span, opening)
    return DayClosed(
        at=now,
        by=by,
        day=span.day,
        time_zone=span.time_zone,
        day_start=span.day_start,
        since=span.since,
        until=span.until,
        position=span.position,
        previous=span.previous,
        hands=report.hands,
        totals=report.accounts,
        report_sha256=digest(report),
    )


def _require_whole(connection: Connection) -> int:
    """The last position of the log, which the books know all of. Raises `CannotClose`."""
    reached, head = complete_to(connection, READS), head_of(connection)
    # What is neither of hands nor of tables, such as a close, is in no book.
    if connection.execute(MISSES, (reached, list(IN_BOOKS))).fetchone() is not None:
        raise CannotClose(
            f"the books are complete up to event {reached}, the log goes up to {head}: try again"
        )
    aside = tuple(one.hand for one in set_aside(connection))
    if aside:
        named = ", ".join(map(str, aside[:MOST_NAMED]))
        raise CannotClose(
            f"{len(aside)} set aside, in no report: {named}; `studledger doctor` says more", aside
        )
    return head
