"""Clocks are kept in a thread: woken by the log, through lost connections, until told to stop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from threading import Event, Thread

import pytest

from services.embedded import Server
from services.live_clock import Keeper, Terms, keeper_of
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support import faults
from tests.support.clocked import Clocked, StillClock
from tests.support.live import live_in

# Simulated time leaps, and nobody was away.
LEAPING = Terms(outage_after=timedelta(days=1))


@contextlib.contextmanager
def kept(keeper: Keeper) -> Iterator[None]:
    """Run a keeper in a thread of its own."""
    stop = Event()
    thread = Thread(target=keeper.run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def table(room: Room) -> Clocked:
    return Clocked(room)


def test_a_turn_runs_out_while_nobody_asks_for_anything(table: Clocked) -> None:
    with kept(keeper_of(table.live, LEAPING)):
        table.time.pass_by(31)
        faults.until(table.timed_out, "the first turn to run out")
        table.time.pass_by(31)
        faults.until(lambda: len(table.timed_out()) == 2, "the second one")


def test_a_hand_that_begins_later_is_heard_of(room: Room) -> None:
    time = StillClock()
    with kept(keeper_of(live_in(room, time), LEAPING)):
        table = Clocked(room, time=time)
        time.pass_by(31)
        faults.until(table.timed_out, "the turn of a new hand to run out")


def test_clocks_are_kept_again_after_every_connection_was_cut(
    server: Server, table: Clocked
) -> None:
    with kept(keeper_of(table.live, LEAPING)):
        table.time.pass_by(31)
        faults.until(table.timed_out, "the first turn to run out")
        faults.cut(server)
        table.time.pass_by(31)
        faults.until(lambda: len(table.timed_out()) == 2, "the second one")


def test_the_first_tick_comes_before_anybody_is_served(table: Clocked) -> None:
    keeper_of(table.live, Terms()).begin()
    table.stand_still(60)
    keeper_of(table.live, Terms()).begin()
    assert len(table.pauses()) == 2


def test_a_service_starts_without_its_database(settings: Settings) -> None:
    with open_room(settings) as room:
        keeper = keeper_of(live_in(room), Terms())
    keeper.begin()
    with pytest.raises(Exception, match="closed"), room.pool.connection():
        pass
