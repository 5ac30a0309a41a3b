"""Follows the log for the feed: woken by notifications, never relying on one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from time import monotonic

import structlog
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from services.driver_errors import in_our_words
from services.errors import DatabaseBusy, DatabaseUnreachable
from services.store.port import EventStore, Recorded

POLL = 1.0  # Seconds; a lost notification costs no more than this.
PROMPT = 0.1  # Seconds until it is noticed that nobody wants to follow any more.
FIRST_DELAY, LONGEST_DELAY = 0.1, 5.0  # Seconds before a lost connection is tried again.
PAGE = 500

_log = structlog.get_logger()

Dial = Callable[[], Connection]


class Follower:
    """Hands on every fact of the log after the position it starts at, in order.

    `took` is called with each page. While `idle` says that nobody reads, only the position is
    kept up, and told to `skipped`.
    """

    def __init__(
        self,
        store: EventStore,
        dial: Dial,
        channel: str,
        *,
        took: Callable[[Sequence[Recorded]], None],
        skipped: Callable[[int], None],
        idle: Callable[[], bool],
    ) -> None:
        self._store = store
        self._dial = dial
        self._channel = channel
        self._took = took
        self._skipped = skipped
        self._idle = idle
        self._at: int | None = None
        self._delay = FIRST_DELAY

    def run(self, stop: Event) -> None:
        """Follow until told to stop; a lost or busy database is tried again, ever more slowly."""
        while not stop.is_set():
            try:
                with self._listening() as connection:
                    self._follow(connection, stop)
            except (DatabaseUnreachable, DatabaseBusy) as trouble:
                _log.warning("feed.interrupted", reason=str(trouble), retry_in=self._delay)
                stop.wait(self._delay)
                self._delay = min(2 * self._delay, LONGEST_DELAY)

    def _follow(self, connection: Connection, stop: Event) -> None:
        while not stop.is_set():
            self._look(stop)
            self._delay = FIRST_DELAY
            looked = monotonic()
            while not (stop.is_set() or _notified(connection) or monotonic() - looked > POLL):
                pass

    def _look(self, stop: Event) -> None:
        """Take in what is new since the last look."""
        if self._at is None or self._idle():
            self._at = self._store.head()
            self._skipped(self._at)
            return
        while not stop.is_set() and (page := self._store.page(self._at, PAGE)):
            self._took(page)
            self._at = page[-1].position

    @contextlib.contextmanager
    def _listening(self) -> Iterator[Connection]:
        with in_our_words(), contextlib.closing(self._dial()) as connection:
            connection.execute(SQL("listen {}").format(Identifier(self._channel)))
            yield connection


def _notified(connection: Connection) -> bool:
    """Whether anything was appended, waiting a moment for it."""
    return bool(list(connection.notifies(timeout=PROMPT, stop_after=1)))
