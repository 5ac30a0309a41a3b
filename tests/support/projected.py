"""A room whose log is told by hand, and what the projections make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from psycopg.sql import SQL, Identifier

from domain import events as e
from projections.catalogue import EVERY_PROJECTION
from projections.shape import StoredRow, SumRow
from services.projecting import Projector
from services.store.port import Append, facts
from services.store.room import Room

TABLES: tuple[type[StoredRow], ...] = tuple(
    table for projection in EVERY_PROJECTION for table in projection.tables
)
SUMS: tuple[type[SumRow], ...] = tuple(
    table for projection in EVERY_PROJECTION for table in projection.sums
)


def tell(room: Room, events: Sequence[e.HandEvent], hand: UUID | None = None) -> UUID:
    """Append to a hand, a new one unless named; its id."""
    hand = hand or uuid4()
    expected = len(room.store.load(hand))
    append = Append(stream=hand, expected=expected, facts=facts(events), actor="test", secret=True)
    assert room.store.append([append])[0].status == "ok"
    return hand


def rows_of(room: Room, table: str) -> list[tuple[Any, ...]]:
    with room.connect() as connection:
        query = SQL("select * from {} t order by t").format(Identifier(table))
        return connection.execute(query).fetchall()


def everything(room: Room) -> dict[str, list[tuple[Any, ...]]]:
    names = [*(table.table for table in TABLES), *(table.table for table in SUMS)]
    return {name: sorted(rows_of(room, name), key=repr) for name in names}


def projector(room: Room, page: int, *projections: Any) -> Projector:
    return Projector(room.store, room.connect, projections or EVERY_PROJECTION, page)
