"""Opening a table: its id, by which its hands are numbered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from uuid import UUID, uuid4, uuid5

from domain.tables.commands import OpenTable
from domain.tables.decide import decide
from domain.tables.events import TableOpened
from domain.tables.table import Table
from services.live import By, Live
from services.seating.handling import AtTable, done_before, known_by
from services.store.port import Append
from services.tables import LoadedTable
from services.tables.loading import facts

ALIKE = b"select exists (select from tables where id between %s and %s)"


def open_table(live: Live, table: TableOpened, by: By) -> AtTable:
    """Open a table of these facts; `at` is when it was asked for, now if not said.

    Raises `Refused` if nothing could be dealt there, or `KeyReused`; then nothing was done.
    """
    by = known_by(by, table)
    command = OpenTable(table=table, at=table.at or live.now())
    (opened,) = decide(None, command)
    assert isinstance(opened, TableOpened)
    for table_id in _ids(by):
        if (before := done_before(live, table_id, by)) is not None:
            return before
        if _numbered_alike(live, table_id):
            continue
        append = Append(
            stream=table_id,
            expected=0,
            facts=facts([opened]),
            actor=by.actor,
            command_id=by.command_id,
            request_id=by.request_id,
            causation=by.causation,
        )
        if live.store.append([append])[0].status == "ok":
            loaded = LoadedTable(id=table_id, table=Table(opened=opened), version=1)
            return AtTable(loaded=loaded)
        if (before := done_before(live, table_id, by)) is not None:
            return before  # The same request was faster.
    raise AssertionError("there is always another id")


def _ids(by: By) -> Iterator[UUID]:
    """Ids to open a table under: random ones, or always the same for the same request."""
    for attempt in count():
        yield uuid4() if by.command_id is None else uuid5(by.command_id, f"table {attempt}")


def _numbered_alike(live: Live, table: UUID) -> bool:
    """Whether another table has the first eight letters of this id, so that hands would clash."""
    rest = (1 << 96) - 1
    first, last = UUID(int=table.int & ~rest), UUID(int=table.int | rest)
    with live.room.connect() as connection:
        row = connection.execute(ALIKE, (first, last)).fetchone()
    assert row is not None
    return bool(row[0])
