"""Appending facts about privacy to their streams, whoever else is at it."""

from __future__ import annotations

from services.errors import StaleStream
from services.privacy.events import PrivacyFact, fact, stream_of
from services.store.port import Append, EventStore

MOST_TRIES = 20


def record(store: EventStore, event: PrivacyFact) -> None:
    """Store the fact at the end of its stream. Raises StaleStream if others leave us no place."""
    expected = 0
    for _ in range(MOST_TRIES):
        append = Append(
            stream=stream_of(event), expected=expected, facts=(fact(event),), actor=event.actor
        )
        (answer,) = store.append([append])
        if answer.status != "stale":
            return
        expected = answer.version
    raise StaleStream("too many are writing to one privacy stream: try again")
