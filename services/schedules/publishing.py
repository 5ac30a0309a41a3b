"""Publishing a schedule: a version is written once, in order, and never changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from domain.publishing import (
    TAG,
    SchedulePublished,
    decode,
    encode,
    require_publishable,
    schedule_stream,
)
from domain.schedules import SCHEDULES, Schedule
from services.errors import ServiceError, StaleStream
from services.store.port import Append, Fact
from services.store.room import Room

MOST_TRIES = 20


class ScheduleTaken(ServiceError):
    """This version is published with other content, or is not the next one."""


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it; not `new` if exactly this was published before."""

    schedule: Schedule
    new: bool


def publish(room: Room, schedule: Schedule, actor: str) -> Publication:
    """Publish a schedule under its id and version.

    Raises `BadSchedule` for one nobody could be raked by, `ScheduleTaken`, and StaleStream if
    others never leave us a place. Exactly what is published already is no error, and no new fact.
    """
    require_publishable(schedule)
    for _ in range(MOST_TRIES):
        stream = schedule_stream(schedule.id)
        facts = [decode(state) for state in room.store.states(stream)]
        versions = _from_the_start(schedule.id) | {f.schedule.version: f.schedule for f in facts}
        if schedule.version in versions:
            _require_same(versions[schedule.version], schedule)
            return Publication(schedule=schedule, new=False)
        _require_next(versions, schedule)
        event = SchedulePublished(at=datetime.now(UTC), actor=actor, schedule=schedule)
        fact = Fact(TAG, encode(event))
        append = Append(stream=stream, expected=len(facts), facts=(fact,), actor=actor)
        if room.store.append([append])[0].status == "ok":
            room.schedules.look()
            return Publication(schedule=schedule, new=True)
    raise StaleStream("too many are publishing this schedule: try again")


def _from_the_start(schedule: str) -> dict[int, Schedule]:
    """The versions every room has."""
    return {version: known for (name, version), known in SCHEDULES.items() if name == schedule}


def _require_same(published: Schedule, schedule: Schedule) -> None:
    if published != schedule:
        raise ScheduleTaken(
            f"{schedule.id}:{schedule.version} is published and never changes; publish what is"
            " different as the next version"
        )


def _require_next(versions: Mapping[int, Schedule], schedule: Schedule) -> None:
    due = max(versions, default=0) + 1
    if schedule.version != due:
        raise ScheduleTaken(
            f"the next version of {schedule.id} is {due}, not {schedule.version}: none is left out"
        )
