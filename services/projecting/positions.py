"""How far each projection has come: one row each, locked while its projection is written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg import Connection
from psycopg.rows import class_row

ENROL = (
    "insert into projection_positions (name) select unnest(%s::text[])"
    " on conflict (name) do nothing"
)
# In one order everywhere, so that no two wait for each other.
LOCK = (
    "select name, position from projection_positions where name = any(%s) order by name for update"
)
MOVE = (
    "update projection_positions set position = %s, updated_at = clock_timestamp()"
    " where name = any(%s)"
)
PROGRESS = """
select p.name, p.position, coalesce(h.head, 0) as head, p.updated_at,
       (select count(*) from events e where e.notification_id > p.position) as behind
  from projection_positions p cross join (select max(notification_id) as head from events) h
 where p.name = any(%s)
"""


class Progress(msgspec.Struct, frozen=True):
    """A projection's place in the log.

    It has taken in every event up to `position`; `head` is the last there is, and `behind` how
    many are still to come. `updated_at` is when it last moved.
    """

    name: str
    position: int
    head: int
    updated_at: datetime
    behind: int


def enrol(connection: Connection, names: Sequence[str]) -> None:
    """Give projections not met before a place before the first event."""
    connection.execute(ENROL, (list(names),))


def hold(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Where the projections stand; they stand still for others until this transaction ends."""
    return dict(connection.execute(LOCK, (list(names),)).fetchall())


def move(connection: Connection, names: Sequence[str], position: int) -> None:
    """Say that everything up to `position` is taken in; part of the transaction that does it."""
    connection.execute(MOVE, (position, list(names)))


def progress(connection: Connection, names: Sequence[str]) -> tuple[Progress, ...]:
    """The place of each projection, in the order of `names`."""
    with connection.cursor(row_factory=class_row(Progress)) as cursor:
        found = {row.name: row for row in cursor.execute(PROGRESS, (list(names),))}
    return tuple(found[name] for name in names)
