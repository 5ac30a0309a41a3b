"""The sealer: drains committed events, in their order, into leaves numbered without gaps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol
from uuid import UUID

import msgspec
from psycopg import Connection

from services.errors import ServiceError
from services.log.events import LOG, LogEpochOpened, decode
from services.log.leaf import UnfitForLeaf, leaf_hash, public_form
from services.log.nodes import edge_at, last_leaf, write
from services.log.secrets import SecretsOf, needs_secret, secrets_of
from services.store.port import Recorded
from services.store.room import Room

PAGE = 5_000  # Events a commit. Two pages are in memory; larger ones are sealed no faster.

LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || '.sealing', 0))"
BEHIND = """
select count(*), coalesce(max(notification_id), 0) from events
 where notification_id > %s and notification_id <> %s
"""


class LogStopped(ServiceError):
    """An event cannot be sealed, and none after it is: the log has no gaps."""


class Log(Protocol):
    """What the sealer needs of the event store."""

    def load(self, stream: UUID) -> tuple[Recorded, ...]:
        """The facts of one stream in order."""

    def page(self, after: int, limit: int) -> Sequence[Recorded]:
        """The next facts of the whole log after a position, in order."""


class Sealed(NamedTuple):
    """How far the log is sealed.

    Its tree in `epoch` has `size` leaves; `behind` events are still to come. `stopped` says why
    the next of them cannot be sealed, where that is so.
    """

    epoch: int
    size: int
    behind: int
    stopped: str | None


class _Start(NamedTuple):
    """Where sealing goes on: after which leaf, and after which event.

    `opening` is the event that opened the epoch: its first leaf, out of order. The first epoch
    has none.
    """

    epoch: int
    size: int
    after: int
    opening: Recorded | None


class _Page(NamedTuple):
    """Events from `start` on, and their leaf hashes up to the first that has none."""

    start: _Start
    facts: list[Recorded]
    hashes: list[bytes]
    unfit: UnfitForLeaf | None

    def following(self) -> _Start:
        """Where sealing goes on behind this page."""
        epoch, size, after, opening = self.start
        in_order = [fact for fact in self.facts[-2:] if fact != opening]
        after = in_order[-1].position if in_order else after
        return _Start(epoch, size + len(self.facts), after, opening)


class LogSealer:
    """Seals the events of a room. Any number may run at once: each page is sealed by one.

    `connect` gives a connection that commits by itself; a page is one commit, so whatever ends
    the program, the next one goes on behind the last whole page. While one is written, the next
    is read and hashed.
    """

    def __init__(
        self,
        room: str,
        log: Log,
        connect: Callable[[], AbstractContextManager[Connection]],
        secrets: Callable[[Connection, Sequence[Recorded]], SecretsOf],
        page: int = PAGE,
    ) -> None:
        assert page > 1, "a page may hold an event that is sealed already"
        self._room = room
        self._log = log
        self._connect = connect
        self._secrets = secrets
        self._page = page

    def catch_up(self) -> int:
        """Seal every event there is; how many leaves the tree has then.

        Raises LogStopped at an event that has no public form: those before it are sealed. Raises
        WrongKey where the hands' secrets cannot be opened.
        """
        with ThreadPoolExecutor(1) as ahead:
            coming: Future[_Page] | None = None
            while True:
                page, coming = self._seal_a_page(coming, ahead)
                if page.unfit is not None:
                    raise _stopped(page.facts[len(page.hashes)], page.unfit)
                if not page.facts:
                    return page.start.size

    def epoch(self) -> int:
        """The epoch the log is in."""
        return _epoch_of(self._opening())

    def status(self) -> Sealed:
        """How far the log is sealed, and why no further. Nothing is written."""
        with self._connect() as connection:
            start = self._start(connection)
            opened_at = start.opening.position if start.opening else 0
            row = connection.execute(BEHIND, (start.after, opened_at)).fetchone()
            assert row is not None
            behind = int(row[0]) + (start.opening is not None and start.size == 0)
            stopped = self._why_stopped(connection, start) if behind else None
        return Sealed(start.epoch, start.size, behind, stopped)

    def _seal_a_page(
        self, coming: Future[_Page] | None, ahead: Executor
    ) -> tuple[_Page, Future[_Page] | None]:
        """Seal the next page, which may be `coming` already, and have the one after it made."""
        with self._transaction() as connection:
            connection.execute(LOCK)
            start = self._start(connection)
            page = coming.result() if coming else self._page_from(start)
            if page.start != start:  # Somebody else has sealed in the meantime.
                page = self._page_from(start)
            goes_on = page.unfit is None and len(page.facts) >= self._page - 1
            coming = ahead.submit(self._page_from, page.following()) if goes_on else None
            edge = edge_at(connection, start.epoch, start.size)
            positions = [fact.position for fact in page.facts[: len(page.hashes)]]
            write(connection, start.epoch, edge.grow(page.hashes), positions)
        return page, coming

    def _page_from(self, start: _Start) -> _Page:
        """What is sealed next. That it is the next is seen when it is written."""
        facts = self._next(start, self._page)
        with self._connect() as connection:
            return _Page(start, facts, *self._hashes(connection, facts))

    def _start(self, connection: Connection) -> _Start:
        opening = self._opening()
        epoch = _epoch_of(opening)
        last = last_leaf(connection, epoch)
        if last is None:
            return _Start(epoch, 0, 0, opening)
        # The first leaf of a later epoch stands before all others, wherever its event does.
        after = 0 if opening and last.leaf == 0 else last.position
        return _Start(epoch, last.leaf + 1, after, opening)

    def _next(self, start: _Start, limit: int) -> list[Recorded]:
        page = self._log.page(start.after, limit)
        if start.opening is None:
            return list(page)
        facts = [fact for fact in page if fact.position != start.opening.position]
        return facts if start.size else [start.opening, *facts]

    def _opening(self) -> Recorded | None:
        return next(reversed(self._log.load(LOG)), None)

    def _hashes(
        self, connection: Connection, facts: Sequence[Recorded]
    ) -> tuple[list[bytes], UnfitForLeaf | None]:
        """The leaf hashes of these events, up to the first that has none, and why it has none."""
        secrets, room = self._secrets(connection, facts), self._room
        hashes: list[bytes] = []
        try:
            # As far as it came, the list holds what was made before one could not be.
            hashes.extend(
                leaf_hash(
                    public_form(
                        room, fact, secrets.get(fact.stream) if needs_secret(fact) else None
                    )
                )
                for fact in facts
            )
        except UnfitForLeaf as unfit:
            return hashes, unfit
        except (msgspec.MsgspecError, KeyError, TypeError, AttributeError):
            return hashes, UnfitForLeaf("what is stored is no event")
        return hashes, None

    def _why_stopped(self, connection: Connection, start: _Start) -> str | None:
        facts = self._next(start, 2)[:1]  # One of two may be the opening.
        try:
            _, unfit = self._hashes(connection, facts)
        except ServiceError as wrong:
            return str(wrong)
        return None if unfit is None else str(_stopped(facts[0], unfit))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._connect() as connection, connection.transaction():
            yield connection


def sealer_of(room: Room) -> LogSealer:
    """The sealer of an open room."""
    return LogSealer(room.settings.room, room.store, room.connect, secrets_of(room.settings))


def _epoch_of(opening: Recorded | None) -> int:
    if opening is None:
        return 1
    event = decode(opening.state)
    assert isinstance(event, LogEpochOpened), "the stream of the log holds its epochs"
    return event.epoch


def _stopped(fact: Recorded, unfit: UnfitForLeaf) -> LogStopped:
    return LogStopped(
        f"the log is stopped at event {fact.position}, number {fact.n} of stream {fact.stream}:"
        f" {unfit}. It and what came after it is not sealed, and nothing is passed over"
    )
