"""One page is written while the next is read and folded: a hand-over between two threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from services.projecting.folding import Fold

Write = Callable[[Sequence[Fold]], None]


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
