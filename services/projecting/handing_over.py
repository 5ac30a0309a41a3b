"""While one page is folded, the next is read and the one before written: three threads."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from services.projecting.folding import Fold
from services.store.port import Recorded

Read = Callable[[int], Sequence[Recorded]]
"""The next page after a position; none at the end."""

Write = Callable[[Sequence[Fold]], None]


def read_ahead(read: Read) -> Generator[Sequence[Recorded], None, None]:
    """All pages from the first on; while one is worked on, the next is read already.

    Raises what reading raises. Closed, it waits for what is being read and reads no more.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="pages") as ahead:
        coming = ahead.submit(read, 0)
        while page := coming.result():
            coming = ahead.submit(read, page[-1].position)
            yield page


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """Nothing is looked through for circles: folding a page makes many objects and none of those.

    That takes a twentieth of the time. Between pages the collector has its turn.
    """
    was_at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_at_work:
            gc.enable()


class Writer:
    """Writes what is handed over, page after page in order, never more than one behind.

    While the database takes rows in, the program has nothing to do but wait. Left, it has written
    everything. What goes wrong with a page is raised at the next chance, and nothing that was
    handed over after it is written.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rows")
        self._under_way: Future[None] | None = None

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        with self._thread:
            if kind is None:
                self.wait()

    def hand_over(self, folds: Sequence[Fold]) -> None:
        """Give the next page, once the one before is written. Raises what writing that raised."""
        self.wait()
        self._under_way = self._thread.submit(self._write, folds)

    def wait(self) -> None:
        """Until everything handed over is written. Raises what writing it raised."""
        if self._under_way is not None:
            self._under_way.result()
            self._under_way = None
