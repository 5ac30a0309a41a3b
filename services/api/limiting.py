"""How much one key, and one address without a good key, may ask of this process."""

from __future__ import annotations

import time
from math import ceil

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from services.api.settings import ApiSettings

KEY, FAILURE = "key", "failure"


class Limiter:
    """Counts in a sliding window; what it counts is forgotten with the process."""

    def __init__(self, settings: ApiSettings) -> None:
        self._counter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._per_key = parse(settings.rate_per_key)
        self._failures = parse(settings.rate_of_failures)

    def count_request(self, key: str) -> int:
        """Count one request of a key: 0, or the seconds to wait if it was one too many."""
        if self._counter.hit(self._per_key, KEY, key):
            return 0
        return self._wait(self._counter.get_window_stats(self._per_key, KEY, key).reset_time)

    def count_failure(self, address: str) -> None:
        """Count one failure of an address to show a good key."""
        self._counter.hit(self._failures, FAILURE, address)

    def locked_out(self, address: str) -> int:
        """0, or the seconds an address has to wait before it may try again."""
        if self._counter.test(self._failures, FAILURE, address):
            return 0
        stats = self._counter.get_window_stats(self._failures, FAILURE, address)
        return self._wait(stats.reset_time)

    @staticmethod
    def _wait(until: float) -> int:
        return max(1, ceil(until - time.time()))
