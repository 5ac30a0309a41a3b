"""History rated anew: what another schedule would have taken of the hands as they were played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from psycopg import Connection
from psycopg.rows import class_row

from domain.events import Stakes
from domain.schedules import Row, Schedule
from domain.units import Chips, ChipsMoved
from services.reports.queries import Connect, complete_to, named_queries, one_moment
from services.reports.rake import days_of, head_of
from services.reports.rake_wanted import MIDNIGHT, UTC, BadRakeQuestion, RakeWanted

READS = ("hands", "rake_shares")


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """Hands of the same stakes and number of players; amounts in minor units.

    `rake` is what was taken, after rulings, `instead` what the schedule would have, `changed` the
    hands in which these differ. Hands the schedule has no place for (R3) keep their rake, and are
    told as `outside`.
    """

    small_bet: Chips
    big_bet: Chips
    players: int
    currency: str
    exponent: int
    hands: int = 0
    pot: int = 0
    rake: ChipsMoved = 0
    instead: ChipsMoved = 0
    difference: ChipsMoved = 0
    changed: int = 0
    outside: bool = False


class RakeWhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """History under another schedule. `totals` are one a currency, outside hands included."""

    schedule: str
    lines: tuple[Rated, ...]
    totals: tuple[Rated, ...]
    complete_to: int
    log_at: int


class _Alike(NamedTuple):
    """Finished hands that differ in nothing a schedule asks for."""

    small_bet: Chips
    big_bet: Chips
    players: int
    currency: str
    exponent: int
    pot: Chips
    rake: ChipsMoved
    due: bool
    hands: int


def rate_anew(
    connect: Connect,
    schedule: Schedule,
    from_day: date | None,
    to_day: date | None,
    *,
    time_zone: str = UTC,
    day_start: time = MIDNIGHT,
) -> RakeWhatIf:
    """What `schedule` would have taken of each finished real-money hand of these gaming days.

    Read as a stream, added up by stakes and players. Raises BadRakeQuestion if hands were played,
    but none for its money, and for a zone there is not.
    """
    wanted = RakeWanted(
        from_day=from_day, to_day=to_day, time_zone=time_zone, gaming_day_start=day_start
    )
    with one_moment(connect) as connection:
        # A long history takes longer than anything else may.
        connection.execute("set local statement_timeout = 0")
        alike = _stream(connection, _bounds(connection, wanted))
        lines = tuple(
            _rated(schedule, list(same)) for _, same in groupby(alike, key=lambda one: one[:5])
        )
        reached, head = complete_to(connection, READS), head_of(connection)
    _require_its_money(schedule, lines)
    return RakeWhatIf(
        schedule=f"{schedule.id}:{schedule.version}",
        lines=lines,
        totals=tuple(_totals(lines)),
        complete_to=reached,
        log_at=head,
    )


def _bounds(connection: Connection, wanted: RakeWanted) -> dict[str, Any]:
    """Between which days the hands are, or, unless days are those of UTC, which moments."""
    if wanted.in_utc_days:
        days = {"from_day": wanted.from_day or date.min, "to_day": wanted.to_day or date.max}
        return days | {"since": "-infinity", "until": "infinity"}
    days_asked = days_of(connection, wanted)
    moments = {"since": days_asked.since, "until": days_asked.until}
    return moments | {"from_day": date.min, "to_day": date.max}


def _stream(connection: Connection, bounds: dict[str, Any]) -> Iterator[_Alike]:
    query = named_queries("rake_shares.sql")["to_rate"].rstrip(b";")
    with connection.cursor("to_rate", row_factory=class_row(_Alike)) as cursor:
        cursor.itersize = 5_000
        yield from cursor.execute(query, bounds)


def _rated(schedule: Schedule, hands: list[_Alike]) -> Rated:
    """Hands of one kind of table, under the schedule's row for it."""
    first = hands[0]
    row = _row(schedule, first)
    line = Rated(
        small_bet=first.small_bet,
        big_bet=first.big_bet,
        players=first.players,
        currency=first.currency,
        exponent=first.exponent,
        outside=row is None,
    )
    for one in hands:
        line = _with(line, one, _rake(row, one))
    return line


def _row(schedule: Schedule, one: _Alike) -> Row | None:
    """The schedule's row for such a table; none where it has no place for it (R3)."""
    if (one.currency, one.exponent) != (schedule.currency, schedule.exponent):
        return None
    stakes = Stakes(small_bet=one.small_bet, big_bet=one.big_bet, ante=0, bring_in=0, chip_unit=1)
    for band in schedule.bands:
        if any(span.holds(stakes) for span in band.stakes):
            rows = (row for row in band.rows if row.fewest <= one.players <= row.most)
            return next(rows, None)
    return None


def _rake(row: Row | None, one: _Alike) -> ChipsMoved:
    """What each of these hands bears; the same as ever where the schedule does not say."""
    if row is None:
        return one.rake
    return row.rake(one.pot) if one.due else 0


def _with(line: Rated, one: _Alike, instead: ChipsMoved) -> Rated:
    return replace(
        line,
        hands=line.hands + one.hands,
        pot=line.pot + one.hands * one.pot,
        rake=line.rake + one.hands * one.rake,
        instead=line.instead + one.hands * instead,
        difference=line.difference + one.hands * (instead - one.rake),
        changed=line.changed + (one.hands if instead != one.rake else 0),
    )


def _totals(lines: tuple[Rated, ...]) -> Iterator[Rated]:
    """One a currency; what they are about is nothing in particular."""
    for (currency, exponent), same in groupby(
        lines, key=lambda line: (line.currency, line.exponent)
    ):
        of_currency = list(same)
        sums = {
            name: sum(getattr(line, name) for line in of_currency)
            for name in ("hands", "pot", "rake", "instead", "difference", "changed")
        }
        assert sums["rake"] + sums["difference"] == sums["instead"], "nothing is lost"
        yield Rated(small_bet=0, big_bet=0, players=0, currency=currency, exponent=exponent, **sums)


def _require_its_money(schedule: Schedule, lines: tuple[Rated, ...]) -> None:
    played = sorted({f"{line.currency} with {line.exponent} decimals" for line in lines})
    if lines and f"{schedule.currency} with {schedule.exponent} decimals" not in played:
        message = f"no hand of these days was played for {schedule.currency}"
        name = f"{schedule.id}:{schedule.version}"
        raise BadRakeQuestion("schedule", name, message, (f"a schedule in {p}" for p in played))
