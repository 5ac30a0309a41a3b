"""Rake schedules of a room: read from a file, published once and for ever, found and compared."""

from services.schedules.differing import Difference, differences
from services.schedules.finding import UnknownSchedule, named, schedule_called
from services.schedules.publishing import Publication, ScheduleTaken, publish
from services.schedules.reading import BadScheduleFile, read_schedule

__all__ = [
    "BadScheduleFile",
    "Difference",
    "Publication",
    "ScheduleTaken",
    "UnknownSchedule",
    "differences",
    "named",
    "publish",
    "read_schedule",
    "schedule_called",
]
