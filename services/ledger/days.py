"""A gaming day of the ledger: as it was closed, or as far as it has come."""

from __future__ import annotations

from datetime import date

import msgspec
from psycopg import Connection

from domain.closing import AccountTotal, DayClosed, closed_as
from services.ledger.accounts import READS, asked
from services.ledger.closes import closed_days
from services.ledger.closing import InProgress, span_of
from services.ledger.report import (
    DayReport,
    LateEntry,
    Span,
    TableRake,
    day_report,
    entries_between,
)
from services.reports.queries import complete_to, one_moment
from services.reports.rake import head_of
from services.reports.rake_wanted import MIDNIGHT, UTC
from services.store.room import Room


class LedgerQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day. Zone and start are those of the room's closed days, if they are not said."""

    day: date
    time_zone: str | None = None
    day_start: str | None = None


class LedgerDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day: rake by table, and what each kind of account had, moved and has. Minor units.

    `closed` is its close, None while it is open. `late` was booked to it for days closed before,
    `since_closed` came for it after its close and is booked to a later day. `in_progress` are
    hands of it that are still being played: their chips are in the players' accounts.
    """

    day: date
    time_zone: str
    day_start: str
    closed: DayClosed | None
    rake: tuple[TableRake, ...]
    accounts: tuple[AccountTotal, ...]
    late: tuple[LateEntry, ...]
    since_closed: tuple[LateEntry, ...]
    in_progress: tuple[InProgress, ...]
    complete_to: int
    log_at: int


def ledger_day(room: Room, asking: LedgerQuestion) -> LedgerDay:
    """The day asked for. Raises BadRakeQuestion for a zone or a time of day there is not."""
    closed = closed_days(room.store)
    zone, start = asking.time_zone, asking.day_start
    if closed:
        zone, start = zone or closed[-1].time_zone, start or closed[-1].day_start
    zone, start = zone or UTC, start or f"{MIDNIGHT:%H:%M}"
    with one_moment(room.connect) as connection:
        connection.execute("set local statement_timeout = 0")
        reached, head = complete_to(connection, READS), head_of(connection)
        open_span = span_of(asking.day, zone, start, reached, None)
        close = _close_of(closed, open_span)
        span, opening = _booked(closed, open_span, close)
        report = day_report(connection, room.store, span, opening)
        progress = asked(connection, "in_progress", span.own, InProgress)
        since = _since(connection, close, span, reached)
    return _day(report, close, since, progress, (reached, head))


def _close_of(closed: tuple[DayClosed, ...], span: Span) -> DayClosed | None:
    """The close of exactly this day: by other clocks a day is another one, and is never closed."""
    close = closed_as(closed, span.day)
    return close if close and (close.since, close.until) == (span.since, span.until) else None


def _booked(
    closed: tuple[DayClosed, ...], span: Span, close: DayClosed | None
) -> tuple[Span, tuple[AccountTotal, ...] | None]:
    """The part of the log that is booked to the day, and what it opens with, where that is known.

    A day that is not closed takes in what is late only if it is the next to be closed.
    """
    if close is not None:
        before = closed[: closed.index(close)]
        span = msgspec.structs.replace(span, position=close.position, previous=close.previous)
        return span, before[-1].totals if before else None
    if closed and closed[-1].until == span.since:
        span = msgspec.structs.replace(span, previous=closed[-1].position)
        return span, closed[-1].totals
    return span, None


def _since(
    connection: Connection, close: DayClosed | None, span: Span, reached: int
) -> tuple[LateEntry, ...]:
    if close is None:
        return ()
    return entries_between(connection, close.position, reached, span.since, span.until)


def _day(
    report: DayReport,
    close: DayClosed | None,
    since: tuple[LateEntry, ...],
    progress: tuple[InProgress, ...],
    places: tuple[int, int],
) -> LedgerDay:
    span = report.span
    return LedgerDay(
        day=span.day,
        time_zone=span.time_zone,
        day_start=span.day_start,
        closed=close,
        rake=report.rake,
        accounts=report.accounts,
        late=report.late,
        since_closed=since,
        in_progress=progress,
        complete_to=places[0],
        log_at=places[1],
    )
