"""Examples of what tables answer: one with two people, a hand being played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from msgspec.structs import asdict, replace

from domain.tables import events as t
from domain.tables.table import replay
from projections.shape import Told
from projections.tables import TABLES, OneTable, Row
from services.api.table_bodies import OPENING
from services.reports import TableFound, TablesPage
from services.seating import TableWanted, terms
from services.tables import LoadedTable, begun, table_sheet

TABLE = UUID("3c9e51d0-66aa-4b61-8f5e-0d7c1e2f9a10")
NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
NAMES = {
    "5f0c1d7a-9b3e-4c86-a1d2-0e97b4c35f68": "anna",
    "c2a84e6f-10b9-4d37-98ee-6b51fd07a3c4": "beno",
}


def table_examples() -> Iterator[msgspec.Struct]:
    """The table, its row in a list, and the list."""
    events = _events()
    loaded = LoadedTable(id=TABLE, table=replay(events), version=len(events))
    yield table_sheet(loaded, NAMES)
    row: Row | None = None
    for event in events:
        row = TABLES.project(row, event)
    assert row is not None
    (stored,) = TABLES.rows(row, Told(TABLE, NOON, 4711))
    assert isinstance(stored, OneTable)
    found = TableFound(**asdict(stored))
    yield found
    yield TablesPage(tables=(found,), next=f"open~{found.id}~{found.name}", complete_to=4711)


def _events() -> tuple[t.TableEvent, ...]:
    opened = replace(terms(msgspec.convert(OPENING, TableWanted)), at=NOON)
    seated = [
        t.PlayerSeated(seat=seat, player=player, stack=20000)
        for seat, player in zip((3, 5), NAMES, strict=True)
    ]
    loaded = LoadedTable(id=TABLE, table=replay([opened, *seated]), version=3)
    return opened, *seated, begun(loaded, 5, NOON)
