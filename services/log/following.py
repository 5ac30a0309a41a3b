"""Seals events as they come: one process leads, woken by notifications, never waiting for one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from threading import Event
from time import monotonic

import psycopg
import structlog
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from services.driver_errors import in_our_words
from services.errors import DatabaseBusy, DatabaseUnreachable, WrongKey
from services.gathering import pause_after
from services.log.checkpoints import Checkpoints
from services.log.regular import RegularCheckpoints
from services.log.sealing import LogSealer, LogStopped, sealer_of
from services.store.room import Room

LEAD = "select pg_try_advisory_lock(hashtextextended(current_schema() || '.sealer', 0))"

POLL = 1.0  # Seconds; a lost notification costs no more than this.
FIRST_DELAY, LONGEST_DELAY = 0.1, 10.0  # Seconds before what went wrong is tried again.

_log = structlog.get_logger()


class SealingFollower:
    """Keeps the log sealed until told to stop.

    `dial` opens the connection that listens and holds the leadership: both end with it. `sealed`
    hears after each round how many leaves the tree has.
    """

    def __init__(
        self,
        sealer: LogSealer,
        dial: Callable[[], Connection],
        channel: str,
        sealed: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._sealer = sealer
        self._dial = dial
        self._channel = channel
        self._sealed = sealed
        self._delay = FIRST_DELAY

    def run(self, stop: Event) -> None:
        """Follow the events; what went wrong is tried again, ever more slowly.

        That is also an event that cannot be sealed: somebody has to look at it, and until then
        nothing after it is sealed. Anything else is a bug and ends this loop.
        """
        while not stop.is_set():
            try:
                with self._listening() as connection:
                    self._follow(connection, stop)
            except (DatabaseUnreachable, DatabaseBusy, LogStopped, WrongKey) as trouble:
                _log.warning("log.interrupted", reason=str(trouble), retry_in=self._delay)
                stop.wait(self._delay)
                self._delay = min(2 * self._delay, LONGEST_DELAY)

    def _follow(self, connection: Connection, stop: Event) -> None:
        leads = False
        while not stop.is_set():
            leads = leads or _take_lead(connection)
            if leads:
                began = monotonic()
                self._sealed(self._sealer.catch_up())
                self._delay = FIRST_DELAY
                stop.wait(pause_after(monotonic() - began))
            for _ in connection.notifies(timeout=POLL, stop_after=1):
                pass

    @contextlib.contextmanager
    def _listening(self) -> Iterator[Connection]:
        with in_our_words(), contextlib.closing(self._dial()) as connection:
            connection.execute(SQL("listen {}").format(Identifier(self._channel)))
            yield connection


def _take_lead(connection: Connection) -> bool:
    """Become the one who seals, unless somebody is; ends with the connection."""
    row = connection.execute(LEAD).fetchone()
    return row is not None and bool(row[0])


def sealing_follower_of(
    room: Room, sealed: Callable[[int], None] = lambda size: None
) -> SealingFollower:
    """The follower that keeps the log of an open room sealed."""
    name = room.settings.room
    conninfo = room.database.in_room(name)
    return SealingFollower(
        sealer_of(room),
        lambda: psycopg.connect(conninfo, autocommit=True),
        f"studledger_{name}",
        sealed,
    )


def signing_follower_of(room: Room, every: float) -> SealingFollower:
    """The follower that also signs the log, at most once in `every` seconds; never if 0."""
    return sealing_follower_of(room, RegularCheckpoints(Checkpoints(room), every))
