"""Takes in the log page by page: the rows of a page and the position it reaches in one commit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import Protocol
from uuid import UUID

from psycopg import Connection

from projections.catalogue import EVERY_PROJECTION
from services.driver_errors import VALUES, lies_in_the_values
from services.errors import ServiceError
from services.projecting import positions
from services.projecting.aside import SetAside, forget, set_aside
from services.projecting.folding import Folder
from services.projecting.handing_over import Writer, collector_at_rest, read_ahead
from services.projecting.kinds import AnyProjection
from services.projecting.positions import Progress
from services.projecting.summing import MOST, Sums
from services.projecting.taking import Keep, take_in
from services.projecting.writing import clear, write
from services.store.port import Recorded
from services.store.room import Room

PAGE = 20_000  # Events a commit, as many as are quickly held: each costs a dozen statements.

TakeAll = Callable[[Connection, Folder], int]
"""Takes in the whole log in the transaction that is open; the position reached."""


class UnknownProjection(ServiceError):
    """There is no projection of this name."""


class Log(Protocol):
    """What projections need of the event store."""

    def page(self, after: int, limit: int) -> Sequence[Recorded]:
        """The next facts of the whole log after a position, in order."""

    def load_many(self, streams: Collection[UUID]) -> Mapping[UUID, tuple[Recorded, ...]]:
        """The facts of each stream that exists."""


class Projector:
    """Keeps the tables of the projections in step with the log.

    Any number may run at once, in any number of processes: whoever writes holds the positions of
    what he writes, so every event is taken in exactly once. `connect` gives a connection that
    commits by itself; its errors, like the log's, are DatabaseUnreachable and DatabaseBusy.
    """

    def __init__(
        self,
        log: Log,
        connect: Callable[[], AbstractContextManager[Connection]],
        projections: Sequence[AnyProjection] = EVERY_PROJECTION,
        page: int = PAGE,
    ) -> None:
        self._log = log
        self._connect = connect
        self._projections = {projection.name: projection for projection in projections}
        self._page = page
        self._folders: dict[tuple[str, ...], Folder] = {}

    def catch_up(self) -> int:
        """Take in everything there is; the position up to which every report is then complete."""
        self._enrol()
        while (reached := self._take_in_a_page()) is None:
            pass
        return reached

    def status(self) -> tuple[Progress, ...]:
        """Position, head and lag of each projection."""
        self._enrol()
        with self._connect() as connection:
            return positions.progress(connection, tuple(self._projections))

    def set_aside(self) -> tuple[SetAside, ...]:
        """The hands that could not be taken in: every report is complete but for them."""
        with self._connect() as connection:
            return set_aside(connection)

    def rebuild(self, names: Collection[str] = ()) -> int:
        """Build these projections, or all, anew from the first event; the position reached.

        All of it is one transaction: reports go on from the old rows until the new ones stand.
        Hands set aside are tried again. Raises UnknownProjection.
        """
        chosen = self._chosen(names)
        self._enrol()
        try:
            return self._rebuild(chosen, self._in_step)
        except Exception as wrong:
            if not lies_in_the_values(wrong):
                raise
        # Some hand is to be set aside. Pages in step say no more whose rows they are.
        try:
            return self._rebuild(chosen, partial(self._one_by_one, most=MOST))
        except VALUES:
            # Nor do sums of many pages; those of a page go hand by hand.
            return self._rebuild(chosen, partial(self._one_by_one, most=0))

    def _rebuild(self, chosen: tuple[str, ...], take_all: TakeAll) -> int:
        folder = self._folder(chosen)
        with self._transaction() as connection:
            positions.hold(connection, chosen)
            # Emptying the tables of a long log takes longer than anything else may.
            connection.execute("set local statement_timeout = 0")
            clear(connection, folder)
            forget(connection, chosen)
            reached = take_all(connection, folder)
            positions.move(connection, chosen, reached)
        return reached

    def _in_step(self, connection: Connection, folder: Folder) -> int:
        """Take in the whole log, page by page: read, folded and written side by side."""
        reached, sums = 0, Sums(folder)
        pages = read_ahead(lambda after: self._log.page(after, self._page))
        with closing(pages), Writer(lambda folds: write(connection, folder, folds)) as writer:
            for page in pages:
                with collector_at_rest():
                    folds = folder.fold(page)
                    sums.gather(folds)
                writer.hand_over(folds)
                # Seldom: a row changed over and over in one transaction leaves a trail of versions.
                if len(sums) > MOST:
                    writer.wait()
                    sums.write(connection)
                reached = page[-1].position
        sums.write(connection)
        return reached

    def _one_by_one(self, connection: Connection, folder: Folder, most: int) -> int:
        """Take in page by page, setting hands aside.

        Sums are gathered in memory up to so many, or written page by page with 0.
        """
        reached, sums = 0, Sums(folder)
        keep = _gathering(sums) if most else _writing
        while page := self._log.page(reached, self._page):
            take_in(connection, folder, page, keep)
            if len(sums) > most:
                sums.write(connection)
            reached = page[-1].position
        sums.write(connection)
        return reached

    def _take_in_a_page(self) -> int | None:
        """Bring whichever projections are furthest behind one page on; where all stand, if done."""
        with self._transaction() as connection:
            held = positions.hold(connection, tuple(self._projections))
            behind = min(held.values())
            page = self._log.page(behind, self._page)
            # Never past the others: once level, all go on in one pass.
            ahead = min((at for at in held.values() if at > behind), default=None)
            page = [fact for fact in page if ahead is None or fact.position <= ahead]
            if not page and ahead is None:
                return behind
            chosen = tuple(name for name in self._projections if held[name] == behind)
            take_in(connection, self._folder(chosen), page, _writing)
            positions.move(connection, chosen, page[-1].position if page else behind)
        return None

    def _chosen(self, names: Collection[str]) -> tuple[str, ...]:
        for name in names:
            if name not in self._projections:
                known = ", ".join(self._projections)
                raise UnknownProjection(f"there is no projection {name!r}; there are {known}")
        return tuple(name for name in self._projections if not names or name in names)

    def _folder(self, names: tuple[str, ...]) -> Folder:
        """One folder per set of projections that go together, with its memory of hands in play."""
        if names not in self._folders:
            chosen = [self._projections[name] for name in names]
            self._folders[names] = Folder(chosen, self._log.load_many)
        return self._folders[names]

    def _enrol(self) -> None:
        with self._connect() as connection:
            positions.enrol(connection, tuple(self._projections))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._connect() as connection, connection.transaction():
            yield connection


def _writing(connection: Connection, sums: Sums) -> None:
    sums.write(connection)


def _gathering(gathered: Sums) -> Keep:
    """Sums of a page are kept in memory with those of the pages before."""
    return lambda connection, sums: gathered.take(sums)


def projector_of(room: Room) -> Projector:
    """The projector of an open room."""
    return Projector(room.store, room.connect)
