"""Our port on the library's stock recorder: the same service, and only the recorder differs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder

from services.errors import StaleStream
from services.store.port import Append, Appended, Recorded
from services.store.room import Room

NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class StockStore:
    """Reads and appends streams as the library does; all else is asked of the room's own store.

    The recorder knows no envelope, so no command is ever known to have been done before.
    """

    def __init__(self, room: Room, recorder: PostgresApplicationRecorder) -> None:
        self._room = room
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room.store, name)

    def states(self, stream: UUID) -> list[bytes]:
        return [event.state for event in self._recorder.select_events(stream)]

    def states_for(
        self, stream: UUID, command_id: UUID | None, aside: UUID, *, after: int = 0
    ) -> tuple[list[bytes], None]:
        return [event.state for event in self._recorder.select_events(stream, gt=after)], None

    def load(self, stream: UUID) -> tuple[Recorded, ...]:
        events = self._recorder.select_events(stream)
        return tuple(
            Recorded(0, stream, n, event.topic, event.state, NO_TIME, "", None, None, None)
            for n, event in enumerate(events, 1)
        )

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        return tuple(self._appended([append])[0] or _stale(append) for append in batch)

    def append_together(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        # The recorder commits by itself; before, so that who seals the log never misses a secret.
        if secrets := [append.stream for append in batch if append.secret]:
            with self._room.connect() as connection:
                self._room.sealer.keep_new(connection, secrets)
        answers = self._appended(batch)
        if None in answers:
            raise StaleStream("somebody else was faster")
        return tuple(answer for answer in answers if answer is not None)

    def _appended(self, batch: Sequence[Append]) -> list[Appended | None]:
        """All of it in one transaction of the recorder; none of it if it is stale."""
        events = [
            StoredEvent(append.stream, n, fact.type, fact.state)
            for append in batch
            for n, fact in enumerate(append.facts, append.expected + 1)
        ]
        try:
            positions = iter(self._recorder.insert_events(events) or ())
        except IntegrityError:
            return [None] * len(batch)
        return [
            Appended(
                append.stream,
                "ok",
                append.expected + len(append.facts),
                tuple(next(positions) for _ in append.facts),
            )
            for append in batch
        ]


def _stale(append: Append) -> Appended:
    return Appended(append.stream, "stale", append.expected, ())
