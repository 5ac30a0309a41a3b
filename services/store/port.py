"""What the rest of the program knows of the event store: a few verbs and records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

import msgspec

from domain.events import HandEvent, encode, tag_of

Status = Literal["ok", "stale", "duplicate"]


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One stored fact with its envelope; `state` is exactly the bytes that were stored.

    `position` orders all facts of the room (it rises, with gaps), `n` those of the stream from 1.
    """

    position: int
    stream: UUID
    n: int
    type: str
    state: bytes
    recorded_at: datetime
    actor: str
    request_id: str | None
    causation: str | None
    command_id: UUID | None


class Fact(msgspec.Struct, frozen=True, gc=False):
    """One fact to store: its type's tag and its bytes."""

    type: str
    state: bytes


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """The record a hand was read from: the bytes of the file from `line` on, as they were."""

    body: bytes
    format: str
    file: str
    line: int


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be added to one stream, if its length still is `expected`.

    A `command_id` makes a retry harmless: the second time the answer is `duplicate`. `causation`
    says what led to it, where that was not the actor himself. `texts` are stored and a `secret`
    is made in the same commit, only if the events are.
    """

    stream: UUID
    expected: int
    facts: tuple[Fact, ...]
    actor: str
    command_id: UUID | None = None
    request_id: str | None = None
    causation: str | None = None
    texts: tuple[Text, ...] = ()
    secret: bool = False


class Appended(msgspec.Struct, frozen=True):
    """What became of one append; `version` is the length of its stream afterwards.

    `positions` are those of the events: new ones if `ok`, the old ones if `duplicate`.
    """

    stream: UUID
    status: Status
    version: int
    positions: tuple[int, ...]


class Known(msgspec.Struct, frozen=True):
    """What a command has become before: the facts `first` to `last` of a stream, from 1."""

    stream: UUID
    first: int
    last: int


class EventStore(Protocol):
    """A room's log. Every method raises DatabaseUnreachable or DatabaseBusy where that is so."""

    def load(self, stream: UUID) -> tuple[Recorded, ...]:
        """The facts of one stream in order; empty if there is no such stream."""

    def states(self, stream: UUID) -> Sequence[bytes]:
        """The bytes of one stream's facts in order, without their envelope: what deciding needs."""

    def states_for(
        self, stream: UUID, command_id: UUID | None, aside: UUID, *, after: int = 0
    ) -> tuple[Sequence[bytes], Known | None]:
        """As `states`, and what this command has become: of the stream, else of the one `aside`.

        Only what follows the first `after` facts is read. Nothing is known where that is nothing.
        """

    def load_many(self, streams: Collection[UUID]) -> Mapping[UUID, tuple[Recorded, ...]]:
        """The facts of each stream that exists."""

    def existing(self, streams: Collection[UUID]) -> frozenset[UUID]:
        """Those of the streams that have facts."""

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the batch in one commit, each stream judged by itself, answers in its order.

        A stream may occur once in a batch, and no append may be empty: ValueError.
        """

    def append_together(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the whole batch or nothing of it. Raises StaleStream if any of it is stale."""

    def page(self, after: int, limit: int) -> Sequence[Recorded]:
        """The next facts of the whole log after a position, in order."""

    def head(self) -> int:
        """The last position of the log; 0 while it is empty."""


def facts(events: Iterable[HandEvent]) -> tuple[Fact, ...]:
    """Events as they are stored: under their tag, encoded once."""
    return tuple(Fact(tag_of(event), encode(event)) for event in events)


def pages(store: EventStore, after: int = 0, size: int = 5_000) -> Iterator[Sequence[Recorded]]:
    """The whole log after a position, page by page, until there is no more."""
    while page := store.page(after, size):
        yield page
        after = page[-1].position


def check_batch(batch: Sequence[Append]) -> None:
    """Raise ValueError for a batch no store can judge."""
    if len({append.stream for append in batch}) != len(batch):
        raise ValueError("a stream occurs twice in one batch")
    if not all(append.facts for append in batch):
        raise ValueError("an append without facts")
