"""Logs in which something goes wrong between a read, an append and its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from services.errors import DatabaseUnreachable
from services.live import KeptHands, Live
from services.store.port import Append


class _Around:
    """Another log around the real one."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Interrupted(_Around):
    """A log in which something happens before an append that was decided already."""

    def __init__(self, store: Any, between: list[Callable[[], object]]) -> None:
        super().__init__(store)
        self._between = between

    def append(self, batch: Sequence[Append]) -> Any:
        if self._between:
            self._between.pop(0)()
        return self._store.append(batch)

    def append_together(self, batch: Sequence[Append]) -> Any:
        if self._between:
            self._between.pop(0)()
        return self._store.append_together(batch)


class _InterruptedReading(_Around):
    """A log in which something happens before a stream is read for the n-th time."""

    def __init__(self, store: Any, stream: UUID, nth: int, between: Callable[[], object]) -> None:
        super().__init__(store)
        self._stream, self._left, self._between = stream, nth, between

    def states(self, stream: UUID) -> Any:
        if stream == self._stream:
            self._left -= 1
            if self._left == 0:
                self._between()
        return self._store.states(stream)


class _LosingAnswers(_Around):
    """A log that stores, and whose answer is lost on the way."""

    def append(self, batch: Sequence[Append]) -> Any:
        self._store.append(batch)
        raise DatabaseUnreachable("the connection was lost")

    def append_together(self, batch: Sequence[Append]) -> Any:
        self._store.append_together(batch)
        raise DatabaseUnreachable("the connection was lost")


def interrupted(live: Live, *between: Callable[[], object]) -> Live:
    """Another server on the same room, whose appends come a moment too late."""
    return _with_store(live, _Interrupted(live.room.store, [*between]))


def interrupted_reading(live: Live, stream: UUID, between: Callable[[], object]) -> Live:
    """Another server on the same room, which is overtaken just before it reads that stream."""
    return _with_store(live, _InterruptedReading(live.room.store, stream, 1, between))


def losing_answers(live: Live) -> Live:
    """The same room over a connection that breaks after each append."""
    return _with_store(live, _LosingAnswers(live.room.store))


def _with_store(live: Live, store: Any) -> Live:
    return live._replace(room=live.room._replace(store=store), hands=KeptHands())
