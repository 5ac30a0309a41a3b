"""Everybody sees each event once and in order, whatever happens to connections and servers."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle, islice
from queue import Queue
from uuid import uuid4

import pytest

from services.demo.hands import table_hands
from services.embedded import Server
from services.settings import Settings
from services.store.database import WAIT
from services.store.room import Room, open_room
from tests.support.faults import (
    LISTENERS,
    PATIENCE,
    Events,
    append_unannounced,
    cut,
    insist,
    parts_of,
    require_as_rebuilt,
    start,
    stop,
    until,
)
from tests.support.operated import operated
from tests.support.service import served
from tests.support.watching import Watched

SEED = 20_260_110
WRITERS = 4
HANDS = 1  # Of each writer, while one thing breaks.
ROOMS = count(1)
CLIENTS = 8
DEALT = [hand.events for hand in table_hands(12)]


@pytest.fixture
def crashing(server: Server) -> Iterator[Server]:
    """The server, which a test may stop and crash, but not leave so."""
    try:
        yield server
    finally:
        start(server)


def settings_of(server: Server) -> Settings:
    name = f"restarts{next(ROOMS)}"
    return Settings(database_url=None, owner_url=None, data_dir=server.home, room=name)


# -- who follows the log ---------------------------------------------------------------------------

Fault = Callable[[Server, Room], object]


def cut_listeners(server: Server, room: Room) -> None:
    """What is told next is told to nobody."""
    assert cut(server, LISTENERS) >= 1


def cut_everybody(server: Server, room: Room) -> None:
    assert cut(server) >= 1


def tell_nobody(server: Server, room: Room) -> None:
    for append in parts_of(uuid4(), DEALT[0]):
        append_unannounced(room, append)


def restarting(how: signal.Signals) -> Fault:
    def restart(server: Server, room: Room) -> None:
        stop(server, how)
        start(server)

    return restart


FAULTS: Sequence[Fault] = (
    cut_listeners,
    restarting(signal.SIGQUIT),
    cut_everybody,
    restarting(signal.SIGINT),
    tell_nobody,
    restarting(signal.SIGKILL),
)


@pytest.mark.parametrize("turns", [4, pytest.param(60, id="many", marks=pytest.mark.slow)])
def test_subscriber_and_projections_see_each_event_once_and_in_order_whatever_breaks(
    crashing: Server, turns: int
) -> None:
    dice = random.Random(SEED)
    with open_room(settings_of(crashing)) as room, Watched(room).running() as watched:
        for fault in islice(cycle(FAULTS), turns):
            with ThreadPoolExecutor(WRITERS) as threads:
                written = Queue[int]()
                hands = [dice.sample(DEALT, HANDS) for _ in range(WRITERS)]
                writers = [threads.submit(write, room, own, written) for own in hands]
                for _ in range(dice.randrange(1, WRITERS * HANDS * 4)):
                    written.get(timeout=PATIENCE)
                fault(crashing, room)
            assert not any(writer.exception() for writer in writers)
            watched.wait_for_all()
        tell_nobody(crashing, room)
        watched.wait_for_all()
        watched.require_each_seen_once()
        require_as_rebuilt(room)


def write(room: Room, hands: Sequence[Events], written: Queue[int]) -> None:
    """Write hands part by part, each part until it is acknowledged."""
    for events in hands:
        for append in parts_of(uuid4(), events):
            written.put(insist(room, append).positions[-1])


# -- the service -----------------------------------------------------------------------------------


def test_no_request_fails_because_of_a_restart_that_is_over(crashing: Server) -> None:
    with served(crashing, 6) as service, ThreadPoolExecutor(CLIENTS) as clients:
        headers = service.headers("auditor")

        def ask(path: str) -> int:
            return service.client.get(path, headers=headers).status_code

        routes = [f"/v1/hands/{shown.hand}/events" for shown in service.demo.arranged] * 8
        assert {*clients.map(ask, routes)} == {200}
        assert service.room.pool.get_stats()["pool_size"] > 1
        stop(crashing, signal.SIGQUIT)
        start(crashing)
        assert {*clients.map(ask, routes)} == {200}
        until(lambda: ask("/readyz") == 200, "the projections to be followed again")


@pytest.mark.slow
def test_after_a_long_time_away_the_server_is_found_at_once(crashing: Server) -> None:
    with operated(crashing) as service:
        headers = service.headers("auditor")

        def ask() -> int:
            return service.client.get("/v1/hands", headers=headers).status_code

        stop(crashing)
        away_until = time.monotonic() + 8 * WAIT
        while time.monotonic() < away_until:
            assert ask() == 503
        start(crashing)
        back = time.monotonic()
        until(lambda: ask() == 200, "an answer")
        assert time.monotonic() - back < 2 * WAIT
