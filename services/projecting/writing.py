"""Rows into tables, many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from uuid import UUID

from msgspec.structs import astuple
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from projections.shape import EntryRow, StoredRow
from services.projecting.folding import Fold, Folder

Table = type[StoredRow]


def write(connection: Connection, folder: Folder, folds: Sequence[Fold]) -> None:
    """Store the rows the hands of a page come to now, in the transaction that is open."""
    tables = tables_of(folder)
    told_before = [fold.told.stream for fold in folds if fold.since > 1]
    if told_before:
        _forget(connection, tables, told_before)
    rows: dict[Table, list[StoredRow]] = {table: [] for table in tables}
    for row in _new_rows(folder, folds):
        rows[type(row)].append(row)
    for table, new in rows.items():
        if new:
            _copy(connection, table, new)


def _new_rows(folder: Folder, folds: Iterable[Fold]) -> Iterator[StoredRow]:
    """The rows of these hands, without the entries an earlier page has made."""
    for fold in folds:
        rows = folder.rows(fold)
        yield from rows if fold.since == 1 else _of_steps_from(fold.since, rows)


def _of_steps_from(since: int, rows: Iterable[StoredRow]) -> Iterator[StoredRow]:
    for row in rows:
        if not isinstance(row, EntryRow) or row.step >= since:
            yield row


def clear(connection: Connection, folder: Folder) -> None:
    """Empty the folder's tables, to be built again; readers see the old rows until then."""
    for projection in folder.projections:
        names = [table.table for table in projection.tables]
        for name in (*names, *(table.table for table in projection.sums)):
            connection.execute(SQL("delete from {}").format(Identifier(name)))


def take_out(connection: Connection, folder: Folder, hand: UUID) -> None:
    """Delete every row of a hand, its entries too: all of an entry goes, so the rest balances."""
    for table in tables_of(folder):
        query = SQL("delete from {} where {} = %s").format(*_named(table))
        connection.execute(query, (hand,))


def tables_of(folder: Folder) -> tuple[Table, ...]:
    """Every table in which the folder's projections keep rows of hands."""
    return tuple(table for projection in folder.projections for table in projection.tables)


def _forget(connection: Connection, tables: tuple[Table, ...], streams: list[UUID]) -> None:
    """Take the streams' rows out of every table whose rows are replaced, in one round trip."""
    if query := _deletion(tables):
        connection.execute(query, {"streams": streams})


def _copy(connection: Connection, table: Table, rows: Iterable[StoredRow]) -> None:
    """One COPY, so that the ledger's balance is looked at over whole entries."""
    with connection.cursor() as cursor, cursor.copy(_copying(table)) as copy:
        for row in rows:
            copy.write_row(astuple(row))


def _named(table: Table) -> tuple[Identifier, Identifier]:
    """The table and its column of streams."""
    return Identifier(table.table), Identifier(table.key)


@cache
def _deletion(tables: tuple[Table, ...]) -> bytes:
    deletions = SQL(", ").join(
        SQL("{0} as (delete from {0} where {1} = any(%(streams)s))").format(*_named(table))
        for table in tables
        if not issubclass(table, EntryRow)
    )
    return SQL("with {} select").format(deletions).as_bytes() if deletions.as_bytes() else b""


@cache
def _copying(table: Table) -> bytes:
    columns = SQL(", ").join(map(Identifier, table.__struct_fields__))
    return SQL("copy {} ({}) from stdin").format(Identifier(table.table), columns).as_bytes()
