"""The event store in memory, for tests of what stands on it. One process, nothing kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from threading import Lock
from uuid import UUID

from services.errors import StaleStream
from services.store.port import Append, Appended, Known, Recorded, check_batch


class MemoryEventStore:
    """A log in a list. Texts and secrets of an append are not kept."""

    def __init__(self) -> None:
        self._log: list[Recorded] = []
        self._streams: dict[UUID, list[Recorded]] = {}
        self._lock = Lock()

    def load(self, stream: UUID) -> tuple[Recorded, ...]:
        """The facts of one stream in order; empty if there is no such stream."""
        return tuple(self._streams.get(stream, ()))

    def states(self, stream: UUID) -> list[bytes]:
        """The bytes of one stream's facts in order, without their envelope: what deciding needs."""
        return [fact.state for fact in self.load(stream)]

    def states_for(
        self, stream: UUID, command_id: UUID | None, aside: UUID, *, after: int = 0
    ) -> tuple[list[bytes], Known | None]:
        """As `states`, and what this command has become: of the stream, else of the one `aside`."""
        states = self.states(stream)[after:]
        for looked_at in (stream, aside) if states and command_id is not None else ():
            own = [fact.n for fact in self.load(looked_at) if fact.command_id == command_id]
            if own:
                return states, Known(looked_at, own[0], own[-1])
        return states, None

    def load_many(self, streams: Collection[UUID]) -> dict[UUID, tuple[Recorded, ...]]:
        """The facts of each stream that exists."""
        return {stream: self.load(stream) for stream in self.existing(streams)}

    def existing(self, streams: Collection[UUID]) -> frozenset[UUID]:
        """Those of the streams that have facts."""
        return frozenset(streams) & self._streams.keys()

    def page(self, after: int, limit: int) -> Sequence[Recorded]:
        """The next facts of the whole log after a position, in order."""
        return self._log[after : after + limit]

    def head(self) -> int:
        """The last position of the log; 0 while it is empty."""
        return len(self._log)

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the batch, each stream judged by itself, answers in its order."""
        check_batch(batch)
        with self._lock:
            return tuple(map(self._append, batch))

    def append_together(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the whole batch or nothing of it. Raises StaleStream if any of it is stale."""
        check_batch(batch)
        with self._lock:
            for append in batch:
                if not self._known(append) and len(self.load(append.stream)) != append.expected:
                    raise StaleStream(f"somebody else was faster at stream {append.stream}")
            return tuple(map(self._append, batch))

    def _known(self, append: Append) -> tuple[int, ...]:
        """The positions of what this command has become already."""
        if append.command_id is None:
            return ()
        own = self.load(append.stream)
        return tuple(fact.position for fact in own if fact.command_id == append.command_id)

    def _append(self, append: Append) -> Appended:
        own = self._streams.get(append.stream, [])
        if known := self._known(append):
            return Appended(append.stream, "duplicate", len(own), known)
        if len(own) != append.expected:
            return Appended(append.stream, "stale", len(own), ())
        new = self._recorded(append)
        self._log += new
        self._streams[append.stream] = own + new
        positions = tuple(fact.position for fact in new)
        return Appended(append.stream, "ok", len(own) + len(new), positions)

    def _recorded(self, append: Append) -> list[Recorded]:
        now = datetime.now(UTC)
        return [
            Recorded(
                position=len(self._log) + place,
                stream=append.stream,
                n=append.expected + place,
                type=fact.type,
                state=fact.state,
                recorded_at=now,
                actor=append.actor,
                request_id=append.request_id,
                causation=append.causation,
                command_id=append.command_id,
            )
            for place, fact in enumerate(append.facts, 1)
        ]
