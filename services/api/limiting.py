"""How much one key, and one address without a good key, may ask of this process."""

from __future__ import annotations

import time
from math import ceil

from limits import RateLimitItem, parse

from services.access.roles import Role
from services.api.settings import ApiSettings
from services.api.windows import Window

DEALING: frozenset[Role] = frozenset({"dealer"})
"""Who asks for many others: every action of a table comes under its dealer's key."""


class Limiter:
    """Counts in sliding windows; what it counts is forgotten with the process."""

    def __init__(self, settings: ApiSettings) -> None:
        per_key, per_dealer = parse(settings.rate_per_key), parse(settings.rate_per_dealer)
        self._keys = Window(per_key)
        self._dealers = Window(max(per_key, per_dealer, key=_per_second))
        self._failures = Window(parse(settings.rate_of_failures))

    def count_request(self, key: str, role: Role) -> int:
        """Count one request of a key: 0, or the seconds to wait if it was one too many."""
        window = self._dealers if role in DEALING else self._keys
        return ceil(window.count(key, time.time()))

    def count_failure(self, address: str) -> None:
        """Count one failure of an address to show a good key."""
        self._failures.count(address, time.time())

    def locked_out(self, address: str) -> int:
        """0, or the seconds an address has to wait before it may try again."""
        return ceil(self._failures.wait(address, time.time()))


def _per_second(rate: RateLimitItem) -> float:
    return rate.amount / rate.get_expiry()
