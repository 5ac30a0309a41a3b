"""The last facts of the log, so that readers who keep up need no database."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from itertools import islice
from operator import attrgetter

from services.feed.shown import Shown

MOST_FACTS = 4_096
MOST_BYTES = 16 << 20
AT_ONCE = 256  # Facts handed out in one go: a reader who stands still keeps no more alive.


class Ring:
    """Every fact of the feed after `since` up to `reached`, both positions of the log.

    The oldest give way once there are more than `most_facts` or they take more than `most_bytes`.
    Not for several threads.
    """

    def __init__(self, most_facts: int = MOST_FACTS, most_bytes: int = MOST_BYTES) -> None:
        self._most_facts = most_facts
        self._most_bytes = most_bytes
        self._facts: deque[Shown] = deque()
        self._bytes = 0
        self.since = self.reached = 0

    def take(self, facts: Iterable[Shown], reached: int) -> None:
        """The facts that come next, and the position up to which they are all there are."""
        for fact in facts:
            self._facts.append(fact)
            self._bytes += fact.size
        self.reached = reached
        while len(self._facts) > self._most_facts or self._bytes > self._most_bytes:
            oldest = self._facts.popleft()
            self._bytes -= oldest.size
            self.since = oldest.position

    def skip(self, reached: int) -> None:
        """Go on from a position without what came before it."""
        if reached != self.reached:
            self._facts.clear()
            self._bytes = 0
            self.since = self.reached = reached

    def after(self, position: int) -> list[Shown] | None:
        """The next facts after a position; None if some of them are here no more."""
        if position < self.since:
            return None
        first = bisect_right(self._facts, position, key=attrgetter("position"))
        return list(islice(self._facts, first, first + AT_ONCE))
