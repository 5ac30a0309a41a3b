"""Which table a rake report is read from: the smallest that knows what is asked for."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from typing import Literal

from services.reports.rake_days import Days
from services.reports.rake_wanted import RakeWanted

Source = Literal["table_days", "table_hours", "hands", "player_days", "player_months", "seats"]

READS: Mapping[Source, tuple[str, ...]] = {
    "table_days": ("rollups",),
    "table_hours": ("rollups",),
    "hands": ("hands",),
    "player_days": ("rollups",),
    "player_months": ("rollups",),
    "seats": ("hands", "hand_players", "rake_ledger"),
}
"""The projections each source belongs to: a report is complete as far as all of them are."""


def needs_days(wanted: RakeWanted) -> bool:
    """Whether it has to be worked out when the days begin: hours and hands do not say their day."""
    return wanted.timed and (not wanted.in_utc_days or (wanted.of_players and _at_tables(wanted)))


def source_for(wanted: RakeWanted, days: Days | None) -> Source:
    """Where to read; `days` are those asked for, if the report needs them."""
    by_utc_days = not wanted.timed or wanted.in_utc_days
    if wanted.of_players:
        return _source_of_players(wanted, by_utc_days)
    if by_utc_days:
        return "table_days"
    return "table_hours" if days is None or days.in_whole_hours else "hands"


def _source_of_players(wanted: RakeWanted, by_utc_days: bool) -> Source:
    """Sums of players know no tables and games, those of months no stakes and days."""
    if _at_tables(wanted) or not by_utc_days:
        return "seats"
    if {"day", "stakes"}.isdisjoint(wanted.by) and _in_whole_months(wanted):
        return "player_months"
    return "player_days"


def _at_tables(wanted: RakeWanted) -> bool:
    """Whether tables or games matter."""
    return not {"table", "game"}.isdisjoint(wanted.by) or bool(wanted.table or wanted.game)


def _in_whole_months(wanted: RakeWanted) -> bool:
    first, last = wanted.from_day, wanted.to_day
    begins = first is None or first.day == 1
    ends = last is None or last.day == monthrange(last.year, last.month)[1]
    return begins and ends
