"""Projections that stand still while somebody looks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from services.store.room import Room


@contextlib.contextmanager
def projections_held(room: Room) -> Iterator[None]:
    """Nothing that is stored meanwhile is taken in by any projection."""
    with room.connect() as connection, connection.transaction():
        connection.execute("select name from projection_positions order by name for update")
        yield
