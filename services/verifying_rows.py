"""Rows of read models beside the log: those without facts, and those that say otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import astuple
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from domain.errors import CorruptHistory
from projections.catalogue import EVERY_PROJECTION
from projections.shape import StoredRow, StreamProjection
from services.driver_errors import lies_in_the_values
from services.projecting.folding import HAND_TYPES, Folder
from services.projecting.kinds import AnyProjection
from services.reports.queries import complete_to, one_moment
from services.store.port import Recorded
from services.store.room import Room

Rows = Counter[tuple[str, tuple[Any, ...]]]
"""Table rows as plain values, each under its table's name."""

STREAMS = b"""
select originator_id from events where originator_version = 1 and topic = any(%s)
 order by notification_id
"""

WITHOUT_FACTS = """
select distinct r.{key} from {table} r
 where not exists (select from events e where e.originator_id = r.{key}
                      and e.originator_version = 1 and e.topic = any(%s))
   and not exists (select from hands h where h.hand = r.{key})
 order by 1
"""
"""Ids with rows in a table and no stream of its kind. Those in `hands` are told of as hands."""

FACT = ("n", "step")
"""The columns that say which fact of its stream a row is of."""


class RowsDiffer(NamedTuple):
    """What is wrong with the rows of one stream, in a sentence."""

    stream: UUID
    text: str


def rows_without_facts(room: Room) -> Iterator[RowsDiffer]:
    """Every id that a read model has rows of, and the log knows nothing of."""
    with one_moment(room.connect) as connection:
        connection.execute("set local statement_timeout = 0")
        for projection in EVERY_PROJECTION:
            for table in projection.tables:
                for (stream,) in _ids_without_facts(connection, projection, table):
                    text = f"{table.table} has rows of it, and the log has no facts it could be of"
                    yield RowsDiffer(stream, text)


def _ids_without_facts(
    connection: Connection, projection: AnyProjection, table: type[StoredRow]
) -> Iterator[tuple[UUID]]:
    types = projection.of.types if isinstance(projection, StreamProjection) else HAND_TYPES
    query = SQL(WITHOUT_FACTS).format(key=Identifier(table.key), table=Identifier(table.table))
    with connection.cursor("rows_without_facts") as cursor:
        yield from cursor.execute(query, (list(types),))


def streams_that_differ(room: Room) -> Iterator[RowsDiffer]:
    """Tables, cases and ledgers whose rows are not what their facts come to, one at a time.

    Only what a projection has taken in yet is compared, so play may go on meanwhile.
    """
    with one_moment(room.connect) as connection:
        connection.execute("set local statement_timeout = 0")
        # It stands still while the facts of a long stream are folded.
        connection.execute("set local idle_in_transaction_session_timeout = 0")
        for projection in EVERY_PROJECTION:
            if isinstance(projection, StreamProjection):
                yield from _of_projection(room, connection, projection)


def _of_projection(
    room: Room, connection: Connection, projection: StreamProjection[Any, Any]
) -> Iterator[RowsDiffer]:
    reached = complete_to(connection, (projection.name,))
    with connection.cursor("streams") as cursor:
        cursor.itersize = 1_000
        for (stream,) in cursor.execute(STREAMS, (list(projection.of.types),)):
            known = [fact for fact in room.store.load(stream) if fact.position <= reached]
            if known:
                yield from _of_stream(connection, projection, known)


def _of_stream(
    connection: Connection, projection: StreamProjection[Any, Any], facts: Sequence[Recorded]
) -> Iterator[RowsDiffer]:
    stream = facts[0].stream
    folder = Folder((projection,), lambda streams: {stream: tuple(facts)})
    try:
        derived = Counter(
            as_plain(row.table, astuple(row))
            for fold in folder.fold(facts)
            for row in folder.rows(fold)
        )
    except Exception as broken:
        if not lies_in_the_values(broken):
            raise
        yield RowsDiffer(stream, f"its facts cannot be applied: {_in_words(broken)}")
        return
    for table in projection.tables:
        of_table = Counter({row: n for row, n in derived.items() if row[0] == table.table})
        stored = Counter(
            as_plain(table.table, row) for row in stored_rows(connection, table, [stream])
        )
        if of_table != stored:
            yield RowsDiffer(stream, _sentence(table, (of_table - stored) + (stored - of_table)))


def _in_words(broken: Exception) -> str:
    """What may be said of it: the text of any other error may hold a value."""
    told = isinstance(broken, CorruptHistory | msgspec.MsgspecError)
    return str(broken) if told else type(broken).__name__


def _sentence(table: type[StoredRow], unlike: Rows) -> str:
    """Where the rows of a table differ first."""
    text = f"the rows of {table.table} are not what its facts come to"
    column = next((name for name in FACT if name in table.__struct_fields__), None)
    if column is None:
        return f"{text}; rebuild that projection"
    place = table.__struct_fields__.index(column)
    return f"{text}, first at fact {min(row[place] for _, row in unlike)}; rebuild that projection"


def stored_rows(
    connection: Connection, table: type[StoredRow], streams: Sequence[UUID]
) -> Iterator[tuple[Any, ...]]:
    """The rows a table has of these streams, column by column."""
    columns = SQL(", ").join(map(Identifier, table.__struct_fields__))
    query = SQL("select {} from {} where {} = any(%s)").format(
        columns, Identifier(table.table), Identifier(table.key)
    )
    yield from connection.execute(query, (list(streams),))


def as_plain(table: str, values: Iterable[Any]) -> tuple[str, tuple[Any, ...]]:
    """A row under its table's name, whichever side it comes from."""
    return table, tuple(map(_plain, values))


def _plain(value: Any) -> Any:
    """A column's value in one form: JSON as sorted text, whichever side it comes from."""
    if isinstance(value, dict | list):
        return msgspec.json.encode(value, order="sorted").decode()
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return _plain(msgspec.json.decode(value))
        except msgspec.DecodeError:
            return value
    return value
