"""What may be asked about rake, and what is answered to a question that makes no sense."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, time, timedelta
from difflib import get_close_matches
from functools import cache
from typing import Literal, get_args
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from domain.house_rules import ALL_GAMES
from domain.units import AttributionMethod
from services.errors import ServiceError

Dimension = Literal[
    "day", "week", "month", "table", "game", "stakes", "schedule", "player", "currency"
]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
"""What a rake report can be broken down by; currencies are never added up in any case."""

TIMES: frozenset[Dimension] = frozenset({"day", "week", "month"})
"""Dimensions of time: those of one period are not those of another."""

METHODS: tuple[AttributionMethod, ...] = get_args(AttributionMethod)

PREVIOUS = "previous"

UTC = "UTC"
MIDNIGHT = time(0)
DAY = timedelta(days=1)
TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


class BadRakeQuestion(ServiceError):
    """`parameter` cannot have this value; `possible` lists what it can be, or comes close."""

    def __init__(
        self, parameter: str, value: object, message: str, possible: Iterable[str] = ()
    ) -> None:
        self.parameter, self.message, self.possible = parameter, message, tuple(possible)
        listed = f"; possible: {', '.join(self.possible)}" if self.possible else ""
        super().__init__(f"{parameter.replace('_', ' ')} {value}: {message}{listed}")


Period = tuple[date | None, date | None]
"""First and last day, both included."""


class RakeWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Rake of real-money hands by what; what is None is not asked for.

    Days, both included, are those of `time_zone` and begin at `gaming_day_start` on its clocks.
    `table` is a name or id, `players` are opaque ids: the figures are then theirs alone. `top`
    keeps, of each day, week, month and currency, so many lines with the most rake. `schedule` is
    `ID:VERSION`. `attribution` are methods by which a player's rake is told as well (R6), and
    `compared` the first and last day of another period whose figures are put beside.
    """

    by: tuple[Dimension, ...] = ()
    from_day: date | None = None
    to_day: date | None = None
    time_zone: str = UTC
    gaming_day_start: time = MIDNIGHT
    table: str | None = None
    game: str | None = None
    players: tuple[str, ...] | None = None
    top: int | None = None
    schedule: str | None = None
    currency: str | None = None
    attribution: tuple[AttributionMethod, ...] = ()
    compared: Period | None = None

    @property
    def timed(self) -> bool:
        """Whether it matters when a hand was played."""
        return not TIMES.isdisjoint(self.by) or bool(self.from_day or self.to_day)

    @property
    def in_utc_days(self) -> bool:
        """Whether its days are those the ledger counts in."""
        return self.time_zone == UTC and self.gaming_day_start == MIDNIGHT

    @property
    def of_players(self) -> bool:
        """Whether its figures are players' parts of a hand and not the hand's."""
        return "player" in self.by or self.players is not None

    @property
    def by_schedule(self) -> bool:
        """Whether it matters under which schedule rake was taken."""
        return "schedule" in self.by or self.schedule is not None


def dimensions(text: str) -> tuple[Dimension, ...]:
    """The dimensions named, with commas between them, each once. Raises BadRakeQuestion."""
    chosen: dict[Dimension, None] = {}
    for name in filter(None, (part.strip() for part in text.split(","))):
        known = next((dimension for dimension in DIMENSIONS if dimension == name), None)
        if known is None:
            raise BadRakeQuestion("by", name, "rake cannot be reported by this", DIMENSIONS)
        chosen[known] = None
    return tuple(chosen)


def methods(text: str) -> tuple[AttributionMethod, ...]:
    """The methods of attribution named, with commas between them. Raises BadRakeQuestion."""
    chosen: dict[AttributionMethod, None] = {}
    for name in filter(None, (part.strip() for part in text.split(","))):
        known = next((method for method in METHODS if method == name), None)
        if known is None:
            message = "there is no such method of attribution"
            raise BadRakeQuestion("attribution", name, message, METHODS)
        chosen[known] = None
    return tuple(chosen)


def compared_with(asked: Period, compare: str | None, other: Period) -> Period | None:
    """The period to compare with: the `other`, or the one before that asked for, by its word.

    Raises BadRakeQuestion.
    """
    if compare is None:
        return None if other == (None, None) else other
    if compare != PREVIOUS or other != (None, None):
        possible = (PREVIOUS, "the days of another period instead")
        raise BadRakeQuestion("compare", compare, "there is one word for a period", possible)
    return period_before(*asked)


def period_before(first: date | None, last: date | None) -> Period:
    """The period as long as this one that ends before it; whole months before whole months.

    Raises BadRakeQuestion for a period that has no beginning or no end.
    """
    if first is None or last is None:
        message = "what was before such a period nobody can say"
        raise BadRakeQuestion("compare", PREVIOUS, message, ("a period from a day to a day",))
    until = first - DAY
    if first.day == 1 and (last + DAY).day == 1:
        months = 12 * (last.year - first.year) + last.month - first.month + 1
        years, month = divmod(12 * first.year + first.month - 1 - months, 12)
        return date(years, month + 1, 1), until
    return until - (last - first), until


def gaming_day_start(text: str) -> time:
    """A time of day such as `06:00`. Raises BadRakeQuestion."""
    match = TIME_OF_DAY.fullmatch(text)
    if match is None:
        possible = ("00:00 to 23:59",)
        raise BadRakeQuestion("gaming_day_start", text, "this is no time of day", possible)
    return time(int(match[1]), int(match[2]))


def require_sense(wanted: RakeWanted) -> None:
    """Raise BadRakeQuestion for a zone or game there is not, or days in the wrong order."""
    zone_of(wanted.time_zone)
    if wanted.game is not None and wanted.game not in ALL_GAMES:
        raise BadRakeQuestion("game", wanted.game, "there is no such game", ALL_GAMES)
    _require_order("from", (wanted.from_day, wanted.to_day))
    if wanted.attribution and not wanted.of_players:
        message = "rake is attributed to players"
        raise BadRakeQuestion("attribution", ",".join(wanted.attribution), message, ("by player",))
    if wanted.compared is not None:
        _require_order("compare_from", wanted.compared)
        if not TIMES.isdisjoint(wanted.by):
            possible = [dimension for dimension in DIMENSIONS if dimension not in TIMES]
            message = "days, weeks and months of two periods are never the same"
            raise BadRakeQuestion("by", ",".join(wanted.by), message, possible)


def _require_order(parameter: str, period: Period) -> None:
    first, last = period
    if first and last and first > last:
        raise BadRakeQuestion(parameter, first, f"the first day is after the last, {last}")


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name in the IANA database. Raises BadRakeQuestion with close ones."""
    zones = _zones()
    if name in zones:
        return ZoneInfo(name)
    by_lower = {zone.lower(): zone for zone in zones}
    place = name.lower().replace(" ", "_")
    there = sorted(zone for lower, zone in by_lower.items() if place and place in lower)
    alike = [by_lower[lower] for lower in get_close_matches(place, by_lower, n=5)]
    close = tuple(dict.fromkeys([*there[:5], *alike])) or ("America/New_York", "Europe/London")
    message = "the IANA database has no such time zone"
    raise BadRakeQuestion("time_zone", name, message, (UTC, *close))


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
