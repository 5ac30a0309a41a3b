"""Cards that were not shown are recorded as seen before anybody sees them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID, uuid5

import msgspec

from services.access.events import COMMAND_LINE, CardsSeen, hand_stream
from services.access.recording import Entry, record
from services.access.roles import Role
from services.errors import ServiceError
from services.store.port import EventStore

MOST_PURPOSE = 200


class PurposeMissing(ServiceError):
    """Cards that were not shown are shown for a purpose only, and none usable was given."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """Who is about to see which cards of which finished hand, and what for.

    `actor` is a subject's id, or `COMMAND_LINE`.
    """

    hand: UUID
    view: str
    purpose: str
    actor: str = COMMAND_LINE
    key: str | None = None
    role: Role | None = None


def stated_purpose(given: str | None) -> str:
    """The purpose in one line. Raises PurposeMissing, saying how to give one."""
    purpose = " ".join((given or "").split())
    if not purpose or len(purpose) > MOST_PURPOSE or not purpose.isprintable():
        raise PurposeMissing(
            "these cards were not shown at the table: say what for, in 1 to"
            f" {MOST_PURPOSE} characters, without anybody's name"
        )
    return purpose


def record_sighting(
    store: EventStore, seen: Sighting, *, at: datetime | None = None, request_id: str | None = None
) -> bool:
    """Put a sighting on record; whether it was not there yet. As `record_sightings`."""
    return record_sightings(store, (seen,), at=at, request_id=request_id) == 1


def record_sightings(
    store: EventStore,
    seen: Iterable[Sighting],
    *,
    at: datetime | None = None,
    request_id: str | None = None,
) -> int:
    """Put sightings of different hands on record in one commit; how many were not there yet.

    One event per actor, hand, view and quarter of an hour: the first purpose of the quarter
    stands. Whoever shows the cards must have called this before, and show nothing if it raises.
    Raises PurposeMissing, and then nothing is stored.
    """
    now = at or datetime.now(UTC)
    return record(store, [_entry(one, now) for one in seen], request_id=request_id)


def _entry(seen: Sighting, now: datetime) -> Entry:
    quarter = _quarter(now)
    event = CardsSeen(
        at=now,
        actor=seen.actor,
        key=seen.key,
        role=seen.role,
        hand=seen.hand,
        view=seen.view,
        purpose=stated_purpose(seen.purpose),
        quarter=quarter,
    )
    stream = hand_stream(seen.hand)
    once = uuid5(stream, f"{seen.actor}\n{seen.view}\n{quarter.isoformat()}")
    return Entry(stream=stream, event=event, command_id=once)


def _quarter(at: datetime) -> datetime:
    """When the quarter of an hour of `at` began, in UTC."""
    at = at.astimezone(UTC)
    return at.replace(minute=at.minute - at.minute % 15, second=0, microsecond=0)
