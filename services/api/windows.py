"""Counting in a sliding window: what came in the last minute, from two numbers for each name."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from limits import RateLimitItem


class Window:
    """How often each name came within a rate's time.

    Time is cut into pieces as long as that. The piece before counts for as much of it as is still
    in sight. Whoever came in neither is forgotten, and nothing runs beside the requests for it.
    """

    def __init__(self, rate: RateLimitItem) -> None:
        self._most = rate.amount
        self._seconds = rate.get_expiry()
        self._piece = 0
        self._now: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._lock = Lock()

    def count(self, name: str, now: float) -> float:
        """Count one at a time in seconds: 0, or the seconds to wait if it was one too many."""
        with self._lock:
            wait = self._wait(name, now)
            if not wait:
                self._now[name] += 1
            return wait

    def wait(self, name: str, now: float) -> float:
        """0, or the seconds until one more would be let through."""
        with self._lock:
            return self._wait(name, now)

    def _wait(self, name: str, now: float) -> float:
        self._move_to(int(now // self._seconds))
        left = self._seconds - now % self._seconds  # As much of the piece before is in sight.
        room = self._most - 1 - self._now[name]
        before = self._before[name]
        if room < 0:
            return left
        return max(0.0, left - self._seconds * room / before) if before else 0.0

    def _move_to(self, piece: int) -> None:
        if piece == self._piece:
            return
        self._before = self._now if piece == self._piece + 1 else Counter()
        self._now = Counter()
        self._piece = piece
