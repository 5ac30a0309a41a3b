"""Schedules by what people call them: `ID:VERSION`, the newest of `ID`, or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from domain.schedules import Published, Schedule
from services.errors import ServiceError
from services.schedules.reading import read_schedule

_NAMED = re.compile(r"(?P<id>[^:]+?)(?::(?P<version>\d{1,9}))?")


class UnknownSchedule(ServiceError):
    """No schedule is published under this name; `possible` are the names there are."""

    def __init__(self, called: str, possible: Iterable[str]) -> None:
        self.possible = tuple(possible)
        super().__init__(
            f"no rake schedule '{called}' is published; possible: {', '.join(self.possible)}"
        )


def named(called: str, schedules: Published) -> Schedule:
    """A published schedule by `ID:VERSION`, or the newest one of `ID`. Raises `UnknownSchedule`."""
    match = _NAMED.fullmatch(called.strip())
    versions = sorted(version for name, version in schedules if match and name == match["id"])
    if match and match["version"]:
        versions = [int(match["version"])]
    found = schedules.get((match["id"], versions[-1])) if match and versions else None
    if found is None:
        raise UnknownSchedule(called, (f"{name}:{version}" for name, version in sorted(schedules)))
    return found


def schedule_called(called: str, schedules: Published) -> Schedule:
    """As `named`, or of a TOML file, published or not. Raises `BadScheduleFile` as well."""
    path = Path(called)
    if called.endswith(".toml") or path.is_file():
        return read_schedule(path)
    return named(called, schedules)
