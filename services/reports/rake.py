"""Rake as finance asks for it; every sum is one of the ledger's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

import msgspec
from psycopg import Connection

from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment
from services.reports.rake_days import NO_DAYS, Days, day_of, gaming_days
from services.reports.rake_figures import effective_percentage, rake_per_100_hands
from services.reports.rake_sources import READS, Source, needs_days, source_for
from services.reports.rake_wanted import RakeWanted, require_sense, zone_of


class RakeSum(msgspec.Struct, frozen=True, kw_only=True):
    """What a line of a rake report is about, and what is added up for it."""

    day: date | None
    month: str | None
    table: str | None
    game: str | None
    small_bet: int | None
    big_bet: int | None
    player: str | None
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class RakeLine(RakeSum, frozen=True, kw_only=True):
    """One line of a rake report; amounts in minor units.

    What the report is not broken down by is None; a month is written `2026-01`. `hands` are
    finished, real-money hands, `pot` is what was matched in them. By player, or of some players,
    they are the hands these were dealt in, `pot` is what they put in and `rake` what they bear; a
    line by player without a player is rake that a ruling moved. `rake_per_100_hands` is rounded to
    the minor unit, `effective_percentage` of the pot to four decimals.
    """

    rake_per_100_hands: int | None
    effective_percentage: str | None


class RakeReport(msgspec.Struct, frozen=True, kw_only=True):
    """`complete_to` is the position of the last event the report takes in."""

    lines: tuple[RakeLine, ...]
    complete_to: int


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


def rake_report(connect: Connect, wanted: RakeWanted) -> RakeReport:
    """Hands, matched pot and rake of real-money hands as `wanted`. Raises BadRakeQuestion."""
    require_sense(wanted)
    with one_moment(connect) as connection:
        days = days_of(connection, wanted) if needs_days(wanted) else None
        source = source_for(wanted, days)
        sums = sums_from(connection, source, wanted, days)
        reached = complete_to(connection, READS[source])
    return RakeReport(lines=tuple(map(_line, sums)), complete_to=reached)


def sums_from(
    connection: Connection, source: Source, wanted: RakeWanted, days: Days | None
) -> tuple[RakeSum, ...]:
    """The sums of a source that knows enough; `days` are needed if it does not say the day."""
    queries = named_queries("rollups.sql")
    found = queries[f"from_{source}"].rstrip(b";")
    query = b"with found as (\n%b\n)\n%b" % (found, queries["rake_lines"])
    return ask(connection, query, _parameters(wanted, days), RakeSum)


def _parameters(wanted: RakeWanted, days: Days | None) -> Mapping[str, Any]:
    return {
        "by": list(wanted.by),
        "from_day": wanted.from_day or "-infinity",
        "to_day": wanted.to_day or "infinity",
        "days": days.days if days else [],
        "starts": days.starts if days else [],
        "since": days.since if days else "-infinity",
        "until": days.until if days else "infinity",
        "table": wanted.table,
        "game": wanted.game,
        "players": None if wanted.players is None else list(wanted.players),
        "top": wanted.top,
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
    return RakeLine(
        **msgspec.structs.asdict(found),
        rake_per_100_hands=rake_per_100_hands(found.rake, found.hands),
        effective_percentage=effective_percentage(found.rake, found.pot),
    )


def postings_of_hand(connect: Connect, hand: UUID) -> tuple[PostingFound, ...]:
    """The books of one hand, in order."""
    query = named_queries("rake_ledger.sql")["postings_of_hand"]
    with one_moment(connect) as connection:
        return ask(connection, query, {"hand": hand}, PostingFound)
