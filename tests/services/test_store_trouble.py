"""What the store does when hints get lost, connections die, others are slow, or the server goes."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from services.embedded import Server
from services.errors import DatabaseBusy, DatabaseUnreachable, NotMigrated, StaleStream
from services.settings import Settings
from services.store.port import Append, Fact
from services.store.room import Room, open_room

LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || '.events', 0))"
UNANNOUNCED = """
insert into events (originator_id, originator_version, topic, state)
values (gen_random_uuid(), 1, 'noted.v1', 'unannounced')
"""
LISTENERS = "select pg_terminate_backend(pid) from pg_stat_activity where query = %s"


def noted(word: str, expected: int = 0) -> Append:
    fact = Fact("noted.v1", word.encode())
    return Append(stream=uuid4(), expected=expected, facts=(fact,), actor="ann")


@pytest.fixture
def listener(room: Room) -> Iterator[psycopg.Connection]:
    """A connection that listens to the room's channel."""
    conninfo = room.database.in_room(room.settings.room)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(f"listen studledger_{room.settings.room}".encode())
        yield connection


def test_an_append_wakes_its_own_room_and_no_other(
    room: Room, another: Callable[[], Room], listener: psycopg.Connection
) -> None:
    another().store.append([noted("there")])
    assert list(listener.notifies(timeout=0.2, stop_after=1)) == []
    room.store.append([noted("stale", expected=7)])
    assert list(listener.notifies(timeout=0.2, stop_after=1)) == []
    room.store.append([noted("here")])
    assert len(list(listener.notifies(timeout=10, stop_after=1))) == 1


def test_a_lost_hint_delays_a_subscriber_but_never_stalls_it(room: Room) -> None:
    with room.store.subscribe(gt=0) as subscription:
        room.store.append([noted("first")])
        assert next(subscription).state == b"first"
        with room.connect() as connection:
            connection.execute(UNANNOUNCED)
        assert next(subscription).state == b"unannounced"


def test_a_subscriber_survives_the_death_of_its_listening_connection(
    room: Room, server: Server
) -> None:
    with room.store.subscribe(gt=0) as subscription:
        room.store.append([noted("before")])
        assert next(subscription).state == b"before"
        with psycopg.connect(server.conninfo("postgres"), autocommit=True) as connection:
            query = f"listen studledger_{room.settings.room}"
            assert connection.execute(LISTENERS, (query,)).rowcount == 1
        room.store.append([noted("after")])
        assert next(subscription).state == b"after"


def test_all_or_nothing_means_nothing_if_one_stream_has_moved_on(room: Room) -> None:
    fresh, stale = noted("fresh"), noted("stale", expected=1)
    with pytest.raises(StaleStream, match=str(stale.stream)):
        room.store.append_together([fresh, stale])
    assert room.store.head() == 0
    assert [answer.status for answer in room.store.append_together([fresh])] == ["ok"]


def test_waiting_for_others_ends_and_is_told_from_a_lost_database(room: Room) -> None:
    with room.connect() as slow, slow.transaction():
        slow.execute(LOCK)
        with pytest.raises(DatabaseBusy, match="try again"), room.connect() as waiting:
            waiting.execute("set lock_timeout = '20ms'")
            waiting.execute(LOCK)


def test_nothing_waits_for_ever(room: Room) -> None:
    with room.connect() as connection:
        for limit in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            (value,) = connection.execute(f"show {limit}".encode()).fetchone() or ("0",)
            assert value != "0"


def test_a_missing_table_is_a_migration_that_was_not_run(room: Room) -> None:
    with pytest.raises(NotMigrated, match="studledger migrate"), room.connect() as connection:
        connection.execute("select * from no_such_table")


def test_a_server_that_goes_away_is_unreachable_with_what_to_check() -> None:
    with tempfile.TemporaryDirectory(prefix="sl-", dir="/tmp") as place:
        Path(place).chmod(0o755)
        settings = Settings(database_url=None, owner_url=None, data_dir=Path(place) / "data")
        with Server(settings.data_dir, {"fsync": "off"}) as server, open_room(settings) as room:
            note = server.pgdata / "postmaster.pid"
            os.kill(int(note.read_text().splitlines()[0]), signal.SIGQUIT)
            while note.exists():
                os.sched_yield()
            with pytest.raises(DatabaseUnreachable, match="STUDLEDGER_DATABASE_URL"):
                room.store.load(uuid4())
