"""Names of the players at the tables being played, read once in a while."""

from __future__ import annotations

import time
from functools import lru_cache

from domain.events import HandStarted
from services.store.players import Players

NAMES_KEPT = 60.0
"""Seconds for which the names at a table are not asked for again; an erased one is gone then."""

MOST_KEPT = 4_096


class KeptNames:
    """The names at the tables being played, so that an action need not read them each time."""

    def __init__(self, players: Players) -> None:
        self._read = lru_cache(MOST_KEPT)(lambda ids, _: players.names(ids))

    def of(self, started: HandStarted) -> dict[str, str]:
        """The names of the players dealt in, by their opaque ids."""
        ids = tuple(taken.player for taken in started.seats)
        return self._read(ids, time.monotonic() // NAMES_KEPT)
