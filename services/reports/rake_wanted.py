"""What may be asked about rake, and what is answered to a question that makes no sense."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, time
from difflib import get_close_matches
from functools import cache
from typing import Literal, get_args
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from domain.house_rules import ALL_GAMES
from services.errors import ServiceError

Dimension = Literal["day", "month", "table", "game", "stakes", "player", "currency"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
"""What a rake report can be broken down by; currencies are never added up in any case."""

UTC = "UTC"
MIDNIGHT = time(0)
TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


class BadRakeQuestion(ServiceError):
    """`parameter` cannot have this value; `possible` lists what it can be, or comes close."""

    def __init__(
        self, parameter: str, value: object, message: str, possible: Iterable[str] = ()
    ) -> None:
        self.parameter, self.message, self.possible = parameter, message, tuple(possible)
        listed = f"; possible: {', '.join(self.possible)}" if self.possible else ""
        super().__init__(f"{parameter.replace('_', ' ')} {value}: {message}{listed}")


class RakeWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Rake of real-money hands by what; what is None is not asked for.

    Days, both included, are those of `time_zone` and begin at `gaming_day_start` on its clocks.
    `table` is a name or id, `players` are opaque ids: the figures are then theirs alone. `top`
    keeps, of each day, month and currency, so many lines with the most rake.
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

    @property
    def timed(self) -> bool:
        """Whether it matters when a hand was played."""
        return not {"day", "month"}.isdisjoint(self.by) or bool(self.from_day or self.to_day)

    @property
    def in_utc_days(self) -> bool:
        """Whether its days are those the ledger counts in."""
        return self.time_zone == UTC and self.gaming_day_start == MIDNIGHT

    @property
    def of_players(self) -> bool:
        """Whether its figures are players' parts of a hand and not the hand's."""
        return "player" in self.by or self.players is not None


def dimensions(text: str) -> tuple[Dimension, ...]:
    """The dimensions named, with commas between them, each once. Raises BadRakeQuestion."""
    chosen: dict[Dimension, None] = {}
    for name in filter(None, (part.strip() for part in text.split(","))):
        known = next((dimension for dimension in DIMENSIONS if dimension == name), None)
        if known is None:
            raise BadRakeQuestion("by", name, "rake cannot be reported by this", DIMENSIONS)
        chosen[known] = None
    return tuple(chosen)


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
    first, last = wanted.from_day, wanted.to_day
    if first and last and first > last:
        raise BadRakeQuestion("from", first, f"the first day is after the last, {last}")


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
