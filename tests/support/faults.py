"""Faults on purpose: connections cut, servers stopped and crashed, processes shot. No sleeps."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid5

import psycopg
from psycopg.sql import SQL, Identifier

from domain import events as e
from projections.catalogue import EVERY_PROJECTION
from services.embedded import Server
from services.errors import DatabaseBusy, DatabaseUnreachable
from services.migrations import APP_ROLE
from services.projecting import projector_of
from services.store.port import Append, Appended, facts
from services.store.room import Room

PATIENCE = 60.0
"""Seconds until a test gives up; none takes that long."""

LOOK = 0.005
"""Seconds between two looks at what a test waits for."""

Events = Sequence[e.HandEvent]


def until(done: Callable[[], object], what: str) -> None:
    """Wait for a condition, and give up in the end."""
    last = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < last, f"waited {PATIENCE:.0f} s for {what}"
        threading.Event().wait(LOOK)  # Whoever is waited for needs the processor.


# -- connections and servers -----------------------------------------------------------------------

LISTENERS = "query ilike 'listen %' or query like 'select pg_try_advisory_lock%'"
"""Who waits for notifications: subscriptions, and followers whether they lead or not."""

EVERYBODY = "application_name = 'studledger'"

CUT = (
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
    " where datname = current_database() and pid <> pg_backend_pid() and ({})"
)

LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || '.events', 0))"
UNANNOUNCED = (
    "insert into events (originator_id, originator_version, topic, state) values (%s, %s, %s, %s)"
)


def cut(server: Server, whose: str = EVERYBODY) -> int:
    """End connections on the server's side, without a word to the client; how many."""
    with psycopg.connect(server.conninfo("postgres"), autocommit=True) as connection:
        return connection.execute(CUT.format(whose).encode()).rowcount


@contextlib.contextmanager
def all_taken(server: Server) -> Iterator[None]:
    """No connection is left for anybody: those of the rooms' users are cut and taken too."""
    with contextlib.ExitStack() as taken:
        for _ in iter(lambda: _take(server, taken) or cut(server), 0):
            pass
        yield


def _take(server: Server, taken: contextlib.ExitStack) -> bool:
    """Take one more connection, if there is one."""
    try:
        taken.enter_context(psycopg.connect(server.conninfo(APP_ROLE), autocommit=True))
    except psycopg.OperationalError:
        return False
    return True


def stop(server: Server, how: signal.Signals = signal.SIGINT) -> None:
    """Stop a server under its users: SIGINT in order, SIGQUIT at once, SIGKILL without a word."""
    postmaster = _number(server)
    os.kill(postmaster, how)
    until(lambda: not server.answers() or _number(server) != postmaster, "the server to end")


def start(server: Server) -> None:
    """Start it again; it is still its owner who stops it in the end."""
    with Server(server.home):
        pass


def _number(server: Server) -> int:
    """The number of the server's process, 0 if it has left none."""
    with contextlib.suppress(FileNotFoundError, IndexError):
        return int((server.pgdata / "postmaster.pid").read_text().split()[0])
    return 0


# -- hands written part by part --------------------------------------------------------------------


def parts_of(hand: UUID, events: Events, size: int = 6) -> list[Append]:
    """A hand as a dealer writes it: part after part, each under a command of its own."""
    told = facts(events)
    return [
        Append(
            stream=hand,
            expected=start,
            facts=told[start : start + size],
            actor="test",
            command_id=uuid5(hand, str(start)),
            secret=start == 0,
        )
        for start in range(0, len(told), size)
    ]


def insist(room: Room, append: Append) -> Appended:
    """Append until it is acknowledged, as somebody does who was not told what became of it."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            (answer,) = room.store.append([append])
        except (DatabaseUnreachable, DatabaseBusy):
            assert time.monotonic() < last, "never acknowledged"
            continue
        assert answer.status in {"ok", "duplicate"}, answer.status
        return answer


def append_unannounced(room: Room, append: Append) -> int:
    """Store facts as `append_events` does, but tell nobody; the head of the log then."""
    rows = [
        (append.stream, append.expected + n, fact.type, fact.state)
        for n, fact in enumerate(append.facts, 1)
    ]
    with room.connect() as connection, connection.transaction(), connection.cursor() as cursor:
        cursor.execute(LOCK)
        cursor.executemany(UNANNOUNCED, rows)
    return room.store.head()


# -- what the projections hold ---------------------------------------------------------------------


def projected(room: Room) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every projection."""
    tables = [table.table for one in EVERY_PROJECTION for table in (*one.tables, *one.sums)]
    with room.connect() as connection:
        return {
            name: sorted(connection.execute(SQL("select * from {}").format(Identifier(name))))
            for name in tables
        }


def require_as_rebuilt(room: Room) -> None:
    """The projections hold what they would hold had nothing ever gone wrong."""
    projector = projector_of(room)
    assert projector.catch_up() == room.store.head()
    before = projected(room)
    projector.rebuild()
    assert projected(room) == before


# -- processes that are killed ---------------------------------------------------------------------

Report = Callable[..., None]
"""Tell the one who watches that something is done; the words are kept even if we are killed."""

FORKS = multiprocessing.get_context("forkserver")
"""A server that has loaded the program forks each process: a hundred of them take seconds."""

FORKS.set_forkserver_preload(["tests.support.doomed"])


class Doomed:
    """A process that works and reports what is done, until it is killed."""

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        self._reports, reporting = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_work, args=(work, reporting, given), daemon=True)
        self._process.start()
        reporting.close()

    def reports_until(self, who: str, times: int) -> list[tuple[Any, ...]]:
        """Its reports as they come, until so many of them begin with this word."""
        heard: list[tuple[Any, ...]] = []
        last = time.monotonic() + PATIENCE
        while [report[0] for report in heard].count(who) < times:
            left = last - time.monotonic()
            assert left > 0, f"{who} is not reported any more"
            assert self._reports.poll(left), "nothing is reported any more"
            heard.append(self._reports.recv())
        return heard

    def kill(self, moment: float) -> list[tuple[Any, ...]]:
        """Kill it without warning, `moment` seconds from now; what it reported until then."""
        self._process.join(moment)
        assert self._process.is_alive(), f"it ended by itself with {self._process.exitcode}"
        self._process.kill()
        self._process.join()
        last = []
        with contextlib.suppress(EOFError):
            while True:
                last.append(self._reports.recv())
        return last

    def __enter__(self) -> Doomed:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._reports.close()


def _work(work: Callable[..., None], reporting: Any, given: tuple[object, ...]) -> None:
    """In the new process: a report is one small write to a pipe, there as a whole or not."""
    one_at_a_time = threading.Lock()

    def report(*words: object) -> None:
        with one_at_a_time:
            reporting.send(words)

    work(report, *given)
