"""Follows the log as it grows: one leader, woken by notifications, never waiting for one."""

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
from services.errors import DatabaseBusy, DatabaseUnreachable
from services.gathering import pause_after
from services.projecting.runner import Projector, projector_of
from services.store.room import Room

LEAD = "select pg_try_advisory_lock(hashtextextended(current_schema() || '.projections', 0))"

POLL = 1.0  # Seconds; a lost notification costs no more than this.
FIRST_DELAY, LONGEST_DELAY = 0.1, 10.0  # Seconds before a lost connection is tried again.

_log = structlog.get_logger()


class Follower:
    """Keeps projections up to date until told to stop.

    `dial` opens the connection that listens and holds the leadership: both end with it.
    `caught_up` hears after each round up to which position the tables are complete.
    """

    def __init__(
        self,
        projector: Projector,
        dial: Callable[[], Connection],
        channel: str,
        caught_up: Callable[[int], None] = lambda position: None,
    ) -> None:
        self._projector = projector
        self._dial = dial
        self._channel = channel
        self._caught_up = caught_up
        self._delay = FIRST_DELAY

    def run(self, stop: Event) -> None:
        """Follow the log; a lost or busy database is tried again, ever more slowly.

        Anything else is a bug: it ends this loop and leaves the position where it was.
        """
        while not stop.is_set():
            try:
                with self._listening() as connection:
                    self._follow(connection, stop)
            except (DatabaseUnreachable, DatabaseBusy) as trouble:
                _log.warning("projections.interrupted", reason=str(trouble), retry_in=self._delay)
                stop.wait(self._delay)
                self._delay = min(2 * self._delay, LONGEST_DELAY)

    def _follow(self, connection: Connection, stop: Event) -> None:
        leads = False
        while not stop.is_set():
            leads = leads or _take_lead(connection)
            if leads:
                began = monotonic()
                self._caught_up(self._projector.catch_up())
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
    """Become the one who follows, unless somebody is; ends with the connection."""
    row = connection.execute(LEAD).fetchone()
    return row is not None and bool(row[0])


def follower_of(room: Room, caught_up: Callable[[int], None] = lambda position: None) -> Follower:
    """The follower of an open room."""
    name = room.settings.room
    conninfo = room.database.in_room(name)
    return Follower(
        projector_of(room),
        lambda: psycopg.connect(conninfo, autocommit=True),
        f"studledger_{name}",
        caught_up,
    )
