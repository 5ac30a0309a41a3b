"""Which table a rake report is read from: the smallest that knows what is asked for."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from typing import Literal

from services.reports.rake_days import Days
from services.reports.rake_wanted import BadRakeQuestion, RakeWanted

Source = Literal[
    "table_days", "table_hours", "cut_hours", "hands", "player_days", "player_months", "seats",
    "schedule_hours", "player_shares",
]  # fmt: skip
"""`cut_hours` are `table_hours`, and hands of those hours in which a day begins. `hands` alone know
everything, however long it takes: what all sums of tables have to come to.
"""

FINER: frozenset[Source] = frozenset({"schedule_hours", "player_shares"})
"""Sources that know schedules, and what players bear by other methods."""

READS: Mapping[Source, tuple[str, ...]] = {
    "table_days": ("rollups",),
    "table_hours": ("rollups",),
    "cut_hours": ("rollups", "hands"),
    "hands": ("hands",),
    "player_days": ("rollups",),
    "player_months": ("rollups",),
    "seats": ("hands", "hand_players", "rake_ledger"),
    "schedule_hours": ("rake_shares",),
    "player_shares": ("rake_shares",),
}
"""The projections each source belongs to: a report is complete as far as all of them are."""


def needs_days(wanted: RakeWanted) -> bool:
    """Whether it has to be worked out when the days begin: hours and hands do not say their day."""
    finer = _is_finer(wanted) or (wanted.of_players and _at_tables(wanted))
    return wanted.timed and (finer or not wanted.in_utc_days)


def source_for(wanted: RakeWanted, days: Days | None) -> Source:
    """Where to read; `days` are those asked for, if the report needs them.

    Raises BadRakeQuestion where nothing knows all that is asked for.
    """
    if _is_finer(wanted):
        if days is not None and not days.in_whole_hours:
            start = f"{wanted.gaming_day_start:%H:%M} in {wanted.time_zone}"
            message = "schedules and methods of attribution are told apart by the hour of UTC"
            possible = ("days that begin on such an hour",)
            raise BadRakeQuestion("gaming_day_start", start, message, possible)
        return "player_shares" if wanted.of_players else "schedule_hours"
    by_utc_days = not wanted.timed or wanted.in_utc_days
    by_hours = days is None or days.in_whole_hours
    if wanted.of_players:
        return _source_of_players(wanted, by_utc_days, by_hours)
    if by_utc_days:
        return "table_days"
    return "table_hours" if by_hours else "cut_hours"


def _source_of_players(wanted: RakeWanted, by_utc_days: bool, by_hours: bool) -> Source:
    """Sums of players' days know no tables and games, those of months no stakes and days."""
    if _at_tables(wanted) or not by_utc_days:
        return "player_shares" if by_hours else "seats"
    if {"day", "week", "stakes"}.isdisjoint(wanted.by) and _in_whole_months(wanted):
        return "player_months"
    return "player_days"


def _is_finer(wanted: RakeWanted) -> bool:
    """Whether schedules or other methods of attribution matter."""
    return wanted.by_schedule or bool(wanted.attribution)


def _at_tables(wanted: RakeWanted) -> bool:
    """Whether tables or games matter."""
    return not {"table", "game"}.isdisjoint(wanted.by) or bool(wanted.table or wanted.game)


def _in_whole_months(wanted: RakeWanted) -> bool:
    first, last = wanted.from_day, wanted.to_day
    begins = first is None or first.day == 1
    ends = last is None or last.day == monthrange(last.year, last.month)[1]
    return begins and ends
