"""Appending facts about access to their streams, whoever else is at it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec

from services.access.events import AccessFact, fact
from services.errors import StaleStream
from services.store.port import Append, EventStore

MOST_TRIES = 20


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A fact and the stream it belongs to; the same command is stored once."""

    stream: UUID
    event: AccessFact
    command_id: UUID | None = None


def record(store: EventStore, batch: Sequence[Entry], *, request_id: str | None = None) -> int:
    """Store each fact at the end of its stream, all in one commit; how many of them are new.

    A stream may occur once. The order within such a stream means nothing, so whoever was not
    first takes the next place. Raises StaleStream if others never leave us a place.
    """
    new, expected = 0, {entry.stream: 0 for entry in batch}
    for _ in range(MOST_TRIES):
        waiting = [entry for entry in batch if entry.stream in expected]
        answers = store.append([_append(e, expected[e.stream], request_id) for e in waiting])
        new += sum(answer.status == "ok" for answer in answers)
        expected = {a.stream: a.version for a in answers if a.status == "stale"}
        if not expected:
            return new
    raise StaleStream("too many are writing to one access stream: try again")


def _append(entry: Entry, expected: int, request_id: str | None) -> Append:
    return Append(
        stream=entry.stream,
        expected=expected,
        facts=(fact(entry.event),),
        actor=entry.event.actor,
        command_id=entry.command_id,
        request_id=request_id,
    )
