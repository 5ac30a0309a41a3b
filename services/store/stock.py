"""The eventsourcing library's own recorder on a room's table: what ours is measured against."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

from services.store.room import Room


@contextmanager
def stock_recorder(room: Room) -> Iterator[PostgresApplicationRecorder]:
    """The library's own recorder on the same table: what ours is measured against.

    It locks the table, which needs more rights than the application has: it is the owner's.
    """
    owner = conninfo_to_dict(room.database.owner)
    datastore = PostgresDatastore(
        dbname=str(owner["dbname"]),
        host=str(owner["host"]),
        port=str(owner["port"]),
        user=str(owner["user"]),
        password=str(owner.get("password") or ""),
        schema=room.settings.room,
        pool_size=1,
        max_overflow=15,
        lock_timeout=10,
    )
    with datastore:
        recorder = PostgresApplicationRecorder(datastore, events_table_name="events")
        recorder.create_table()  # Only its own types and function: the table is there.
        yield recorder
