"""Rake as finance asks for it; every sum is one of the ledger's."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace
from psycopg import Connection

from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment
from services.reports.rake_days import NO_DAYS, Days, day_of, gaming_days
from services.reports.rake_figures import effective_percentage, rake_per_100_hands
from services.reports.rake_lines import RakeLine, compared
from services.reports.rake_sources import FINER, READS, Source, needs_days, source_for
from services.reports.rake_wanted import (
    METHODS,
    BadRakeQuestion,
    RakeWanted,
    require_sense,
    zone_of,
)
from services.store.postgres import HEAD


class RakeSum(msgspec.Struct, frozen=True, kw_only=True):
    """What a line of a rake report is about, and what is added up for it."""

    day: date | None
    week: str | None
    month: str | None
    table: str | None
    game: str | None
    small_bet: int | None
    big_bet: int | None
    schedule: str | None
    player: str | None
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int
    dealt: int | None
    contributed: int | None
    weighted: int | None
    winner: int | None


class RakeReport(msgspec.Struct, frozen=True, kw_only=True):
    """The lines, and what the house took altogether on these days, at this table, of this game.

    `house` has a line a currency, each hand counted once whoever is asked about. `complete_to` is
    the position of the last event the report takes in, `log_at` that of the last there is.
    """

    lines: tuple[RakeLine, ...]
    house: tuple[RakeLine, ...] = ()
    complete_to: int
    log_at: int = 0


class PostingFound(msgspec.Struct, frozen=True, kw_only=True):
    """One posting of a hand's books, in minor units; `day` is its value date."""

    step: int
    line: int
    account: str
    amount: int
    memo: str
    bearer: str | None
    day: date
    currency: str
    exponent: int


def rake_report(
    connect: Connect, wanted: RakeWanted, schedules: Collection[str] = ()
) -> RakeReport:
    """Hands, matched pot and rake of real-money hands as `wanted`. Raises BadRakeQuestion.

    `schedules` are the published ones, which may be asked for before any hand was raked by them.
    """
    require_sense(wanted)
    with one_moment(connect) as connection:
        lines, source = _lines(connection, wanted)
        if wanted.compared is not None:
            first, last = wanted.compared
            other = replace(wanted, from_day=first, to_day=last, top=None, compared=None)
            lines = compared(lines, _lines(connection, other)[0], keep_all=wanted.top is None)
        whole = replace(wanted, by=(), players=None, top=None, attribution=(), compared=None)
        house, house_source = _lines(connection, whole)
        if not house:
            _require_known(connection, wanted, schedules)
        reached = complete_to(connection, (*READS[source], *READS[house_source]))
        head = head_of(connection)
    return RakeReport(lines=lines, house=house, complete_to=reached, log_at=head)


def head_of(connection: Connection) -> int:
    """The position of the last event of the log."""
    row = connection.execute(HEAD.encode()).fetchone()
    assert row is not None
    return int(row[0])


def _lines(connection: Connection, wanted: RakeWanted) -> tuple[tuple[RakeLine, ...], Source]:
    """The lines of one period, and where they were read."""
    days = days_of(connection, wanted) if needs_days(wanted) else None
    source = source_for(wanted, days)
    return tuple(map(_line, sums_from(connection, source, wanted, days))), source


def _require_known(connection: Connection, wanted: RakeWanted, schedules: Collection[str]) -> None:
    """Where nothing is found: raise BadRakeQuestion for a schedule or currency nobody has."""
    queries = named_queries("rake_shares.sql")
    asked = {"schedule": wanted.schedule, "currency": wanted.currency}
    for parameter, value in asked.items():
        if value is None:
            continue
        query = {"schedule": "schedules_used", "currency": "currencies_used"}[parameter]
        known = {name for (name,) in connection.execute(queries[query])}
        known |= set(schedules) if parameter == "schedule" else set()
        if value not in known:
            message = f"no hand was raked in this {parameter}" if known else "there are no hands"
            raise BadRakeQuestion(parameter, value, message, sorted(known))


def sums_from(
    connection: Connection, source: Source, wanted: RakeWanted, days: Days | None
) -> tuple[RakeSum, ...]:
    """The sums of a source that knows enough; `days` are needed if it does not say the day."""
    queries, finer = named_queries("rollups.sql"), named_queries("rake_shares.sql")
    if source in FINER:
        found = finer[f"from_{source}"].rstrip(b";")
    else:
        found = finer["plain"].rstrip(b";") % queries[f"from_{source}"].rstrip(b";")
    query = b"with found as (\n%b\n)\n%b" % (found, queries["rake_lines"])
    return ask(connection, query, _parameters(wanted, days), RakeSum)


def _parameters(wanted: RakeWanted, days: Days | None) -> Mapping[str, Any]:
    return {
        "by": list(wanted.by),
        "from_day": wanted.from_day or "-infinity",
        "to_day": wanted.to_day or "infinity",
        "days": days.days if days else [],
        "starts": days.starts if days else [],
        "cut_hours": days.cut_hours if days else [],
        "since": days.since if days else "-infinity",
        "until": days.until if days else "infinity",
        "table": wanted.table,
        "game": wanted.game,
        "players": None if wanted.players is None else list(wanted.players),
        "top": wanted.top,
        "schedule": wanted.schedule,
        "currency": wanted.currency,
    }


def days_of(connection: Connection, wanted: RakeWanted) -> Days:
    """The days asked for, as far as any hand was played in them."""
    row = connection.execute(named_queries("rollups.sql")["span_of_hands"]).fetchone()
    if row is None or row[0] is None:
        return NO_DAYS
    zone, start = zone_of(wanted.time_zone), wanted.gaming_day_start
    first, last = (day_of(moment, zone, start) for moment in row)
    first = max(first, wanted.from_day or first)
    last = min(last, wanted.to_day or last)
    return gaming_days(first, last, zone, start) if first <= last else NO_DAYS


def _line(found: RakeSum) -> RakeLine:
    told = msgspec.structs.asdict(found)
    by_method = {f"rake_{method}": told.pop(method) for method in METHODS}
    return RakeLine(
        **told,
        **by_method,
        rake_per_100_hands=rake_per_100_hands(found.rake, found.hands),
        effective_percentage=effective_percentage(found.rake, found.pot),
    )


def postings_of_hand(connect: Connect, hand: UUID) -> tuple[PostingFound, ...]:
    """The books of one hand, in order."""
    query = named_queries("rake_ledger.sql")["postings_of_hand"]
    with one_moment(connect) as connection:
        return ask(connection, query, {"hand": hand}, PostingFound)
