"""Cards that were not shown are recorded as seen before anybody sees them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import msgspec

from services.access.events import CardsSeen, hand_stream
from services.access.recording import record
from services.access.roles import Role
from services.errors import ServiceError
from services.store.port import EventStore

QUARTER = timedelta(minutes=15)
MOST_PURPOSE = 200


class PurposeMissing(ServiceError):
    """Cards that were not shown are shown for a purpose only, and none usable was given."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """Who is about to see which cards of which finished hand, and what for."""

    actor: str
    hand: UUID
    view: str
    purpose: str
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
    """Put the sighting on record; whether it was not there yet.

    One event per actor, hand, view and quarter of an hour: the first purpose of the quarter
    stands. Whoever shows the cards must have called this before, and show nothing if it raises.
    """
    now = at or datetime.now(UTC)
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
    return record(store, stream, event, command_id=once, request_id=request_id)


def _quarter(at: datetime) -> datetime:
    """When the quarter of an hour of `at` began, in UTC."""
    at = at.astimezone(UTC)
    return at.replace(minute=at.minute - at.minute % 15, second=0, microsecond=0)
