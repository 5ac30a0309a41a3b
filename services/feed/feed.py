"""One follower of the log per process, and any number of readers in its event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from threading import Event, Thread
from uuid import UUID

import psycopg
import structlog
from anyio import CapacityLimiter

from services.access.events import KeyRevoked
from services.feed.following import Dial, Follower
from services.feed.masking import Masker
from services.feed.ring import Ring
from services.feed.shown import Shown
from services.store.port import Recorded
from services.store.postgres import PostgresEventStore
from services.store.room import Room

READING_THE_PAST = 2
"""Readers who may ask the database at one time: the others' requests need connections too."""

REVOKED = str(KeyRevoked.__struct_config__.tag)

_log = structlog.get_logger()


class Feed:
    """The log of a room as it grows. The follower runs from the first reader on.

    Everything but `stop` is for one event loop, that of the readers.
    """

    def __init__(
        self, store: PostgresEventStore, dial: Dial, channel: str, ring: Ring | None = None
    ) -> None:
        self.store = store
        self.ring = Ring() if ring is None else ring
        self.limiter = CapacityLimiter(READING_THE_PAST)
        self._masker = Masker(store.states)
        self._dial = dial
        self._channel = channel
        self._stop = Event()
        self._thread: Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rung = asyncio.Event()
        self._readers = 0
        self._revoked: set[UUID] = set()
        self._following = self._ended = False
        self._opening = object()

    @property
    def readers(self) -> int:
        """How many read now."""
        return self._readers

    @property
    def rung(self) -> asyncio.Event:
        """Set when anything is new; ask for it before looking."""
        return self._rung

    @property
    def ended(self) -> bool:
        """Whether every reader is to go home."""
        return self._ended

    @property
    def opening(self) -> object:
        """What readers keep: another one means that they are to come again."""
        return self._opening

    def revoked(self, key: UUID) -> bool:
        """Whether the key of this stream was revoked since the feed began."""
        return key in self._revoked

    def end(self) -> None:
        """Let every reader come to his end."""
        self._ended = True
        self._stop.set()
        self._ring_the_bell()

    def stop(self) -> None:
        """Follow no more; returns when the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """As long as somebody reads, facts are taken in."""
        self._readers += 1
        try:
            self._start()
            yield
        finally:
            self._readers -= 1

    async def ready(self) -> None:
        """Return when it is known how far the log is, or when the feed has ended."""
        while not (self._following or self._ended):
            await self._rung.wait()

    def _start(self) -> None:
        if self._ended or (self._thread is not None and self._thread.is_alive()):
            return
        self._loop, self._following = asyncio.get_running_loop(), False
        self._thread = Thread(target=self._follow, name="feed", daemon=True)
        self._thread.start()

    # -- in the follower's thread ----------------------------------------------------------------

    def _follow(self) -> None:
        follower = Follower(
            self.store,
            self._dial,
            self._channel,
            took=self._took,
            skipped=lambda reached: self._tell(self._skip, reached),
            idle=lambda: not self._readers,
        )
        try:
            follower.run(self._stop)
        except Exception:
            # Readers come again with what they had, and the next one starts it anew.
            _log.exception("feed.stopped")
            self._tell(self._send_home)

    def _took(self, page: Sequence[Recorded]) -> None:
        ended = {fact.stream for fact in page if fact.type == REVOKED}
        self._tell(self._take, self._masker.mask(page), page[-1].position, ended)

    def _tell(self, what: Callable[..., None], *given: object) -> None:
        """Have the loop do something; nothing if it is closed, for then nobody reads."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *given)

    # -- in the loop -----------------------------------------------------------------------------

    def _take(self, facts: Sequence[Shown], reached: int, ended: set[UUID]) -> None:
        self.ring.take(facts, reached)
        self._revoked |= ended
        self._ring_the_bell()

    def _skip(self, reached: int) -> None:
        self.ring.skip(reached)
        self._following = True
        self._ring_the_bell()

    def _send_home(self) -> None:
        self._opening = object()
        self._ring_the_bell()

    def _ring_the_bell(self) -> None:
        rung, self._rung = self._rung, asyncio.Event()
        rung.set()


def feed_of(room: Room) -> Feed:
    """The feed of an open room."""
    name = room.settings.room
    conninfo = room.database.in_room(name)
    return Feed(
        room.store, lambda: psycopg.connect(conninfo, autocommit=True), f"studledger_{name}"
    )
