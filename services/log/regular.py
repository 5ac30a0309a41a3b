"""Checkpoints as time goes by: a log that has a key is signed while events come."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import structlog

from services.log.checkpoints import Checkpoints
from services.log.errors import Contradiction, LogKeyUnusable

_log = structlog.get_logger()


class RegularCheckpoints:
    """Signs at most once in `every` seconds, and only what has grown; never if that is 0.

    The first key is not made here: that somebody signs for a room is somebody's decision.
    """

    def __init__(
        self, checkpoints: Checkpoints, every: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._checkpoints = checkpoints
        self._every = every
        self._clock = clock
        self._due = clock()
        self._signed = 0

    def __call__(self, size: int) -> None:
        """The log has so many leaves now: sign, if it is time. A refusal is logged, and waits."""
        now = self._clock()
        if not self._every or size == self._signed or now < self._due:
            return
        self._due = now + self._every
        try:
            if self._checkpoints.keys.known():
                self._signed = self._checkpoints.sign().size
        except (Contradiction, LogKeyUnusable) as refused:
            _log.warning("log.not_signed", reason=str(refused))
