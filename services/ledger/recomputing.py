"""Closed days worked out anew from the log: whether their reports still have the same digests."""

from __future__ import annotations

from collections.abc import Iterator

from domain.closing import DAY, DayClosed
from services.ledger.closes import closed_days
from services.ledger.closing import span_of
from services.ledger.report import day_report, digest
from services.reports.queries import one_moment
from services.store.room import Room


def days_that_differ(room: Room) -> Iterator[tuple[DayClosed, str]]:
    """Each closed day that is not what the log comes to, with what is wrong with it."""
    before: DayClosed | None = None
    for close in closed_days(room.store):
        text = _order(close, before) or _report(room, close, before)
        if text is not None:
            yield close, text
        before = close


def _order(close: DayClosed, before: DayClosed | None) -> str | None:
    """Days follow each other without a gap, and so do their parts of the log."""
    span = span_of(close.day, close.time_zone, close.day_start, close.position, close.previous)
    if (span.since, span.until) != (close.since, close.until):
        return "does not begin and end when its zone says"
    if before is None:
        return None if close.previous is None else "refers to a close that is not there"
    follows = (before.day + DAY, before.until, before.position)
    if (close.day, close.since, close.previous) != follows:
        return "does not follow the close before it"
    return None


def _report(room: Room, close: DayClosed, before: DayClosed | None) -> str | None:
    span = span_of(close.day, close.time_zone, close.day_start, close.position, close.previous)
    with one_moment(room.connect) as connection:
        connection.execute("set local statement_timeout = 0")
        report = day_report(connection, room.store, span, before.totals if before else None)
    if report.accounts != close.totals:
        return "has other totals than the log comes to"
    if digest(report) != close.report_sha256:
        return "has another report than the log comes to"
    return None
