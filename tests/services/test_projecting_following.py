"""Following the log: woken by every append, one leader, back after a lost connection."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from queue import Queue
from threading import Event, Thread
from uuid import uuid4

import psycopg
import pytest

from domain import events as e
from services.projecting.following import Follower, follower_of
from services.store.port import Append, facts
from services.store.room import Room
from tests.support.told_hands import odd_chip_hand, side_pot_hand

PATIENCE = 20.0  # Seconds until a test gives up; none takes that long.


class Watched:
    """A follower in a thread of its own, and the positions it says it has reached."""

    def __init__(self, room: Room) -> None:
        self.reached: Queue[int] = Queue()
        self.follower: Follower = follower_of(room, self.reached.put)
        self._stop = Event()
        self._thread = Thread(target=self.follower.run, args=(self._stop,))

    def wait_for(self, position: int) -> None:
        while self.reached.get(timeout=PATIENCE) < position:
            pass

    @contextlib.contextmanager
    def running(self) -> Iterator[Watched]:
        self._thread.start()
        try:
            yield self
        finally:
            self.stop()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def tell(room: Room, events: tuple[e.HandEvent, ...]) -> int:
    """Append a hand; the head of the log then."""
    append = Append(stream=uuid4(), expected=0, facts=facts(events), actor="test")
    return room.store.append([append])[0].positions[-1]


def count(room: Room, table: str) -> int:
    with room.connect() as connection:
        ((rows,),) = connection.execute(f"select count(*) from {table}".encode()).fetchall()
    return int(rows)


def leaders(room: Room) -> list[int]:
    """The backend that holds the leadership; appends hold their lock for a moment only."""
    query = "select pid from pg_locks where locktype = 'advisory' and granted"
    with room.connect() as connection:
        return [pid for (pid,) in connection.execute(query)]


@pytest.fixture
def following(room: Room) -> Iterator[Watched]:
    with Watched(room).running() as watched:
        yield watched


def test_what_was_there_before_is_taken_in_at_once(room: Room) -> None:
    head = tell(room, side_pot_hand())
    with Watched(room).running() as watched:
        watched.wait_for(head)
    assert count(room, "hands") == 1


def test_what_is_appended_is_taken_in_without_being_asked(room: Room, following: Watched) -> None:
    following.wait_for(0)
    following.wait_for(tell(room, side_pot_hand()))
    following.wait_for(tell(room, odd_chip_hand()))
    assert count(room, "hands") == 2


def test_a_killed_connection_is_opened_again_and_nothing_is_missed(
    room: Room, following: Watched
) -> None:
    following.wait_for(tell(room, side_pot_hand()))
    (leader,) = leaders(room)
    with psycopg.connect(room.database.app, autocommit=True) as connection:
        connection.execute("select pg_terminate_backend(%s)", (leader,))
    following.wait_for(tell(room, odd_chip_hand()))
    following.wait_for(tell(room, side_pot_hand()))
    assert count(room, "hands") == 3
    assert count(room, "odd_chips") == 3


def test_a_second_follower_waits_and_takes_over(room: Room) -> None:
    first, second = Watched(room), Watched(room)
    with first.running():
        first.wait_for(tell(room, side_pot_hand()))
        with second.running():
            first.wait_for(tell(room, odd_chip_hand()))
            assert second.reached.empty()
            first.stop()
            second.wait_for(tell(room, side_pot_hand()))
    assert count(room, "hands") == 3


def test_a_fact_that_cannot_be_applied_does_not_end_the_following(room: Room) -> None:
    tell(room, side_pot_hand()[1:3])
    watched = Watched(room)
    with watched.running():
        watched.wait_for(tell(room, side_pot_hand()))
    assert count(room, "hands") == 1
