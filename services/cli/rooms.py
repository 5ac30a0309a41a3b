"""Opening the room a command works in, with its projections up to date."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from services.projecting import projector_of
from services.settings import Settings, load_settings
from services.store.room import Room, open_room


@contextlib.contextmanager
def current_room(settings: Settings | None = None, *, projected: bool = True) -> Iterator[Room]:
    """The room of the settings; `projected` brings every read model up to the log's head first."""
    with open_room(settings or load_settings()) as room:
        if projected:
            projector_of(room).catch_up()
        yield room
