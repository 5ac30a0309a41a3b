"""Gaming days: when each begins and ends, by the clocks of a time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


class Days(NamedTuple):
    """Days one after the other: `days[i]` begins at `starts[i]`, the last one ends at `until`.

    Moments are UTC. A day that a zone left out begins when the next one does.
    """

    days: list[date]
    starts: list[datetime]
    until: datetime

    @property
    def since(self) -> datetime:
        """When the first day begins."""
        return self.starts[0] if self.starts else self.until

    @property
    def in_whole_hours(self) -> bool:
        """Whether every day begins and ends on the hour, so that hours make up the days."""
        return not self.cut_hours

    @property
    def cut_hours(self) -> list[datetime]:
        """The hours in which a day begins or ends that are not all of one day, in order."""
        moments = (*self.starts, self.until)
        hours = {moment: moment.replace(minute=0, second=0, microsecond=0) for moment in moments}
        return sorted({hour for moment, hour in hours.items() if moment != hour})


NO_DAYS = Days([], [], datetime(1, 1, 1, tzinfo=UTC))


def gaming_days(first: date, last: date, zone: ZoneInfo, start: time) -> Days:
    """The days from `first` to `last`, which begin at `start` on the zone's clocks.

    A time that clocks pass twice counts the first time; one they skip counts as if they had not,
    so each moment belongs to exactly one day.
    """
    assert first <= last
    days = [first + n * DAY for n in range((last - first).days + 1)]
    starts = [_begins(day, zone, start) for day in days]
    return Days(days, starts, _begins(last + DAY, zone, start))


def day_of(moment: datetime, zone: ZoneInfo, start: time) -> date:
    """The gaming day a moment belongs to."""
    day = moment.astimezone(zone).date()
    while moment < _begins(day, zone, start):
        day -= DAY
    while moment >= _begins(day + DAY, zone, start):
        day += DAY
    return day


def _begins(day: date, zone: ZoneInfo, start: time) -> datetime:
    return datetime.combine(day, start, zone).astimezone(UTC)
