"""Bulk import of finished hands with every read model, against bare COPY of the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from psycopg.sql import SQL, Composable, Identifier

from benchmarks.hands import fill
from benchmarks.measuring import Measured, Size, in_pairs, significant
from benchmarks.places import scratch_rooms
from projections.catalogue import PROJECTIONS
from services.projecting import projector_of
from services.store.room import Room

HANDS: dict[Size, int] = {"tiny": 3, "small": 1_000, "large": 20_000}
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 3, "large": 3}
REACH, AIM = 0.25, 0.4


def run(size: Size) -> Measured:
    """Encode, append by the hundreds, fold and store every table; there: COPY the rows it gave.

    Every round has rooms of its own, so that all tables begin empty.
    """
    hands, rounds = HANDS[size], ROUNDS[size]
    with scratch_rooms(2 * rounds + 1, hands * (2 * rounds + 1)) as (first, *rooms):
        events = _import(first, hands)
        tables = _contents(first)
        ours, theirs = iter(rooms[:rounds]), iter(rooms[rounds:])
        pairs = in_pairs(
            rounds, lambda: _import(next(ours), hands), lambda: _copy(next(theirs), tables)
        )
    return Measured(
        ratio=pairs.faster,
        numbers={
            "hands": hands,
            "events": events,
            "MB of rows": significant(sum(map(len, tables.values())) / 1e6),
            "ours events/s": significant(events / median(pairs.ours)),
            "COPY events/s": significant(events / median(pairs.theirs)),
            **pairs.numbers,
            "reach": REACH,
            "aim": AIM,
        },
    )


def _import(room: Room, hands: int) -> int:
    """Store the hands and bring every read model up to them; how many events that is."""
    events = fill(room, hands)
    projector_of(room).catch_up()
    return events


def _contents(room: Room) -> dict[str, bytes]:
    """Every table the import wrote, as COPY moves it."""
    with room.connect() as connection, connection.cursor() as cursor:
        contents = {}
        for table in TABLES:
            query = SQL("copy {} ({}) to stdout").format(Identifier(table), _columns(table))
            with cursor.copy(query) as copy:
                contents[table] = b"".join(copy)
    return contents


def _copy(room: Room, tables: Mapping[str, bytes]) -> None:
    with room.connect() as connection, connection.cursor() as cursor:
        for table, content in tables.items():
            query = SQL("copy {} ({}) from stdin").format(Identifier(table), _columns(table))
            with cursor.copy(query) as copy:
                copy.write(content)


def _columns(table: str) -> Composable:
    """All but the position in the log, which the database gives."""
    return SQL(", ").join(map(Identifier, COLUMNS[table]))


ENVELOPE = ("originator_id", "originator_version", "topic", "state", "recorded_at", "actor")
COLUMNS: dict[str, tuple[str, ...]] = {
    "events": ENVELOPE,
    **{table.table: table.__struct_fields__ for p in PROJECTIONS for table in p.tables},
    **{table.table: table.__struct_fields__ for p in PROJECTIONS for table in p.sums},
}
TABLES = tuple(COLUMNS)
