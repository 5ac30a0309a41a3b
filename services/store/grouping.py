"""Appends that meet share a commit: while one is under way, the others wait and go together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Event, Lock

from services.errors import DatabaseBusy, DatabaseUnreachable
from services.store.port import Append, Appended

MOST_FACTS = 5_000
"""Beyond a few thousand more per commit gain nothing and only make the others wait."""

Answers = tuple[Appended, ...]
Commit = Callable[[Sequence[Append]], Answers]


class _Waiting:
    """A batch in the queue, and what became of it."""

    def __init__(self, batch: Sequence[Append]) -> None:
        self.batch = batch
        self.streams = {append.stream for append in batch}
        self.facts = sum(len(append.facts) for append in batch)
        self.answers: Answers | None = None
        self.trouble: BaseException | None = None
        self.called = Event()
        """Set when there is an answer, or when it is this one's turn to commit the queue."""

    @property
    def done(self) -> bool:
        return self.answers is not None or self.trouble is not None

    def result(self) -> Answers:
        if self.trouble is not None:
            raise self.trouble
        assert self.answers is not None
        return self.answers


class GroupCommit:
    """Commits batches of any number of threads, one group after the other.

    Who comes while nobody is committing commits at once: nobody ever waits for company. Each
    batch gets its own answers, and one that is refused never hurts its neighbours.
    """

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._lock = Lock()
        self._queue: deque[_Waiting] = deque()
        self._committing = False

    @property
    def waiting(self) -> int:
        """How many batches wait for the next commit."""
        return len(self._queue)

    def append(self, batch: Sequence[Append]) -> Answers:
        """Store a batch, perhaps with others'. Raises what committing it raises."""
        mine = _Waiting(batch)
        with self._lock:
            self._queue.append(mine)
            leads, self._committing = not self._committing, True
        if not leads:
            mine.called.wait()
        if not mine.done:
            self._lead()
        return mine.result()

    def _lead(self) -> None:
        """Commit the first of the queue and all who may go with it, then let the next one lead."""
        with self._lock:
            group = self._next_group()
        try:
            self._commit_group(group)
        finally:
            with self._lock:
                self._committing = bool(self._queue)
                successor = self._queue[0] if self._queue else None
            for waiting in group:
                waiting.called.set()
            if successor is not None:
                successor.called.set()

    def _next_group(self) -> list[_Waiting]:
        """From the front of the queue; a stream that occurs twice waits for the next commit."""
        group = [self._queue.popleft()]
        streams, facts = set(group[0].streams), group[0].facts
        while self._queue:
            waiting = self._queue[0]
            if not streams.isdisjoint(waiting.streams) or facts + waiting.facts > MOST_FACTS:
                break
            streams |= waiting.streams
            facts += waiting.facts
            group.append(self._queue.popleft())
        return group

    def _commit_group(self, group: Sequence[_Waiting]) -> None:
        try:
            answers = iter(self._commit([append for one in group for append in one.batch]))
        except BaseException as trouble:
            for waiting in group:
                if len(group) > 1 and _brought_along(trouble):
                    self._commit_group([waiting])
                else:
                    waiting.trouble = trouble
            return
        for waiting in group:
            waiting.answers = tuple(next(answers) for _ in waiting.batch)


def _brought_along(trouble: BaseException) -> bool:
    """Whether one of the group may have brought it, so that the others shall not pay for it."""
    return isinstance(trouble, Exception) and not isinstance(
        trouble, DatabaseBusy | DatabaseUnreachable
    )
