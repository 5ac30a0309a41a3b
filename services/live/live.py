"""Live play of one room: its log, its decks and its clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID, uuid5

import msgspec

from services.access.roles import Role
from services.dealing import Decks
from services.live.kept import KeptHands
from services.store.players import as_id
from services.store.port import EventStore
from services.store.room import Room

Now = Callable[[], datetime]
"""The clock of live play, in UTC."""


def utc_now() -> datetime:
    """The clock on the wall."""
    return datetime.now(UTC)


_ACTORS = UUID("d3a1c5c6-0f0b-5c56-8d3e-6f2f3c2f0c11")
"""The namespace of actors that are no subjects; changing it would forget their commands."""


class Live(NamedTuple):
    """What live play works with. Any number of them, in any processes, may share a room."""

    room: Room
    decks: Decks
    now: Now
    hands: KeptHands

    @property
    def store(self) -> EventStore:
        """The room's log."""
        return self.room.store


class Idempotency(msgspec.Struct, frozen=True):
    """A request that may be sent again: the key it is known by, and the digest of its content.

    `digest` is hexadecimal SHA-256. The same key with another digest is another request.
    """

    key: str
    digest: str


class By(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks. `actor` is a subject's id, or a part of the program; `player` whose key it is."""

    actor: str
    role: Role
    player: UUID | None = None
    key: Idempotency | None = None
    request_id: str | None = None

    @property
    def command_id(self) -> UUID | None:
        """What the request is known by in a stream; nobody else's key leads to it."""
        if self.key is None:
            return None
        return uuid5(as_id(self.actor) or uuid5(_ACTORS, self.actor), self.key.key)

    @property
    def causation(self) -> str | None:
        """What led to the events, as their envelope says it."""
        return None if self.key is None else f"request sha256:{self.key.digest}"
