"""Appending a fact about access to its stream, whoever else is at it."""

from __future__ import annotations

from uuid import UUID

from services.access.events import AccessFact, fact
from services.errors import StaleStream
from services.store.port import Append, EventStore

MOST_TRIES = 20


def record(
    store: EventStore,
    stream: UUID,
    event: AccessFact,
    *,
    command_id: UUID | None = None,
    request_id: str | None = None,
) -> bool:
    """Store the fact at the end of its stream; whether it is new.

    The order within such a stream means nothing, so whoever was not first takes the next place.
    The same command is stored once. Raises StaleStream if others never leave us a place.
    """
    expected = 0
    for _ in range(MOST_TRIES):
        append = Append(
            stream=stream,
            expected=expected,
            facts=(fact(event),),
            actor=event.actor,
            command_id=command_id,
            request_id=request_id,
        )
        (answer,) = store.append([append])
        if answer.status != "stale":
            return answer.status == "ok"
        expected = answer.version
    raise StaleStream("too many are writing to one access stream: try again")
