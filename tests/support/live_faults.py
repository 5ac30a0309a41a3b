"""Logs in which something goes wrong between a read, an append and its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services.errors import DatabaseUnreachable
from services.live import Live
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


def losing_answers(live: Live) -> Live:
    """The same room over a connection that breaks after each append."""
    return _with_store(live, _LosingAnswers(live.room.store))


def _with_store(live: Live, store: Any) -> Live:
    return live._replace(room=live.room._replace(store=store))
