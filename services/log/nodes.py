"""The tree as it is stored: leaves and complete subtrees, read and written by their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psycopg import Connection

from services.errors import ServiceError
from services.log.paths import Place, Span, subtrees
from services.proof.tree import RightEdge, Row, fold

LAST = """
select leaf, position from log_leaves where epoch = %s order by leaf desc limit 1
"""
READ = """
select 0, l.leaf, l.hash
  from unnest(%(levels)s::int[], %(indexes)s::bigint[]) as w (level, index)
  join log_leaves l on l.epoch = %(epoch)s and l.leaf = w.index
 where w.level = 0
 union all
select n.level, n.index, n.hash
  from unnest(%(levels)s::int[], %(indexes)s::bigint[]) as w (level, index)
  join log_nodes n on n.epoch = %(epoch)s and n.level = w.level and n.index = w.index
 where w.level > 0
"""
# A page's hashes travel as one value each level, 32 bytes a piece.
WRITE_LEAVES = """
insert into log_leaves (epoch, leaf, position, hash)
select %(epoch)s, %(first)s + n - 1, position, substr(%(hashes)b, (32 * (n - 1) + 1)::int, 32)
  from unnest(%(positions)b::bigint[]) with ordinality as p (position, n)
"""
WRITE_NODES = """
insert into log_nodes (epoch, level, index, hash)
select %(epoch)s, %(level)s, %(first)s + n, substr(%(hashes)b, 32 * n + 1, 32)
  from generate_series(0, %(count)s - 1) as n
"""
LEAF = "select leaf, hash from log_leaves where epoch = %s and position = %s"
POSITION = "select position from log_leaves where epoch = %s and leaf = %s"


class LogDamaged(ServiceError):
    """A part of the tree is missing from the database: nothing can be proven by it."""


class Last(NamedTuple):
    """The last leaf of a tree, and the position of its event."""

    leaf: int
    position: int


def last_leaf(connection: Connection, epoch: int) -> Last | None:
    """The last leaf of an epoch; None before the first."""
    row = connection.execute(LAST, (epoch,)).fetchone()
    return None if row is None else Last(*row)


def size_of(connection: Connection, epoch: int) -> int:
    """How many leaves an epoch has."""
    last = last_leaf(connection, epoch)
    return 0 if last is None else last.leaf + 1


def leaf_at(connection: Connection, epoch: int, position: int) -> tuple[int, bytes] | None:
    """The number and hash of the leaf of the event at a position; None if it is not sealed."""
    row = connection.execute(LEAF, (epoch, position)).fetchone()
    return None if row is None else (int(row[0]), bytes(row[1]))


def hashes_of(connection: Connection, epoch: int, spans: Sequence[Span]) -> tuple[bytes, ...]:
    """The hash over each span, from as many reads as the tree is high. Raises LogDamaged."""
    wanted = [subtrees(span) for span in spans]
    found = _read(connection, epoch, [place for places in wanted for place in places])
    return tuple(fold([found[place] for place in places]) for places in wanted)


def root_at(connection: Connection, epoch: int, size: int) -> bytes:
    """The root when the tree had `size` leaves, which it has by now. Raises LogDamaged."""
    return hashes_of(connection, epoch, [Span(0, size)])[0]


def edge_at(connection: Connection, epoch: int, size: int) -> RightEdge:
    """Where the tree goes on. Raises LogDamaged."""
    found = _read(connection, epoch, subtrees(Span(0, size)))
    return RightEdge(size, {place.level: hashed for place, hashed in found.items()})


def write(
    connection: Connection, epoch: int, rows: Iterable[Row], positions: Sequence[int]
) -> None:
    """Store the rows a tree grew by; `positions` are those of the leaves' events.

    A level is stored while the next one is hashed: the server is not waited for.
    """
    with connection.pipeline():
        for row in rows:
            values = {"epoch": epoch, "first": row.first, "hashes": b"".join(row.hashes)}
            if row.level == 0:
                connection.execute(WRITE_LEAVES, values | {"positions": list(positions)})
            else:
                values |= {"level": row.level, "count": len(row.hashes)}
                connection.execute(WRITE_NODES, values)


def _read(connection: Connection, epoch: int, places: Sequence[Place]) -> Mapping[Place, bytes]:
    wanted = {
        "epoch": epoch,
        "levels": [place.level for place in places],
        "indexes": [place.number for place in places],
    }
    rows = connection.execute(READ, wanted)
    found = {Place(level, index): bytes(hashed) for level, index, hashed in rows}
    for place in places:
        if place not in found:
            raise LogDamaged(
                f"the tree of epoch {epoch} lacks node {place.number} of level {place.level}:"
                " somebody took it out of the database"
            )
    return found
