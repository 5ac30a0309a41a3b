"""Keeps a scheduler ticking: woken by the log, never for long without a look at the clock."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from math import inf
from threading import Event
from time import monotonic

import psycopg
import structlog
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from services.driver_errors import in_our_words
from services.errors import DatabaseBusy, DatabaseUnreachable, StaleStream
from services.live import Live
from services.live_clock.scheduler import Scheduler
from services.live_clock.terms import Terms

TICK = 0.2  # Seconds between two looks at the clock.
POLL = 1.0  # Seconds; a lost notification costs no more than this.
AGAIN = 0.5  # Seconds until a lost database is sought again: players wait for it.

LATER = (DatabaseUnreachable, DatabaseBusy, StaleStream)
"""What does not last: the same is tried again."""

_log = structlog.get_logger()


class Keeper:
    """Runs a scheduler until told to stop. `dial` opens the connection that listens."""

    def __init__(self, scheduler: Scheduler, dial: Callable[[], Connection], channel: str) -> None:
        self._scheduler = scheduler
        self._dial = dial
        self._channel = channel
        self._ticked = -inf

    @property
    def behind(self) -> float:
        """Seconds since the clocks were last looked at; infinite before the first time."""
        return monotonic() - self._ticked

    def begin(self) -> None:
        """One tick before anybody is served, so that an outage is made up for before it is felt."""
        with contextlib.suppress(*LATER):
            self._tick(look=True)

    def run(self, stop: Event) -> None:
        """Tick until told to stop; a lost or busy database is sought again and again."""
        while not stop.is_set():
            try:
                with self._listening() as connection:
                    self._keep(connection, stop)
            except LATER as trouble:
                _log.warning("clock.interrupted", reason=str(trouble), retry_in=AGAIN)
                stop.wait(AGAIN)

    def _keep(self, connection: Connection, stop: Event) -> None:
        looked = None
        told = True
        while not stop.is_set():
            look = told or looked is None or monotonic() - looked > POLL
            self._tick(look)
            looked = monotonic() if look else looked
            # All that is told meanwhile is one look: nothing here is due sooner.
            told = bool(list(connection.notifies(timeout=TICK)))

    def _tick(self, look: bool) -> None:
        self._scheduler.tick(look)
        self._ticked = monotonic()

    @contextlib.contextmanager
    def _listening(self) -> Iterator[Connection]:
        with in_our_words(), contextlib.closing(self._dial()) as connection:
            connection.execute(SQL("listen {}").format(Identifier(self._channel)))
            yield connection


def keeper_of(live: Live, terms: Terms) -> Keeper:
    """Who keeps the clocks of an open room."""
    name = live.room.settings.room
    conninfo = live.room.database.in_room(name)
    return Keeper(
        Scheduler(live, terms),
        lambda: psycopg.connect(conninfo, autocommit=True),
        f"studledger_{name}",
    )
