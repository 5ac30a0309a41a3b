"""What is to be done when: a heap by time, in which each hand stands once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from heapq import heappop, heappush
from uuid import UUID


class Agenda:
    """The next moment of each hand. Looking whether anything is due costs one comparison."""

    def __init__(self) -> None:
        self._when: dict[UUID, datetime] = {}
        self._heap: list[tuple[datetime, UUID]] = []

    def __len__(self) -> int:
        return len(self._when)

    def put(self, hand: UUID, when: datetime | None) -> None:
        """Note this moment for the hand instead of the one before; None for none."""
        if when is None:
            self._when.pop(hand, None)
        elif self._when.get(hand) != when:
            self._when[hand] = when
            heappush(self._heap, (when, hand))

    @property
    def next(self) -> datetime | None:
        """The first moment noted."""
        while self._heap and self._when.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)  # Noted once, and changed since.
        return self._heap[0][0] if self._heap else None

    def take_due(self, now: datetime) -> Iterator[UUID]:
        """The hands whose moment has come, in order; they are noted no more."""
        while (first := self.next) is not None and first <= now:
            _, hand = heappop(self._heap)
            del self._when[hand]
            yield hand
