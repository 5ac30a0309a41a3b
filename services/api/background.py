"""What goes on beside the requests: projections kept up to date, our own database kept running."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import structlog

from services.projecting.following import Follower

LOOK = 1.0  # Seconds between two looks at whether our own database still runs.

_log = structlog.get_logger()


class Background:
    """Runs a follower, and a watch over the embedded database, each in a thread of its own.

    The follower is that of whichever process leads. `ensure_running` is the database's own, None
    where it is not ours to start.
    """

    def __init__(self, follower: Follower, ensure_running: Callable[[], bool] | None) -> None:
        self._follower = follower
        self._ensure_running = ensure_running
        self._stop = Event()
        self._following: Thread | None = None
        self._watching: Thread | None = None

    def start(self) -> None:
        """Begin to follow and to watch."""
        self._stop.clear()
        self._following = _started(self._follow, "projections")
        if self._ensure_running is not None:
            self._watching = _started(self._watch, "database", self._ensure_running)

    def stop(self) -> None:
        """Follow and watch no more; returns when the threads have ended."""
        self._stop.set()
        for thread in (self._following, self._watching):
            if thread is not None:
                thread.join()

    @property
    def runs(self) -> bool:
        """Whether the projections are being followed: a bug ends that, and only that."""
        return self._following is not None and self._following.is_alive()

    def _follow(self) -> None:
        try:
            self._follower.run(self._stop)
        except Exception:
            # The position stays before what could not be taken in; readiness says so.
            _log.exception("projections.stopped")

    def _watch(self, ensure_running: Callable[[], bool]) -> None:
        """Start the database again whenever it is gone; one that does not start is tried again."""
        while not self._stop.wait(LOOK):
            try:
                if ensure_running():
                    _log.warning("database.started_again")
            except Exception:
                _log.exception("database.not_started")


def _started(run: Callable[..., None], name: str, *args: object) -> Thread:
    thread = Thread(target=run, args=args, name=name, daemon=True)
    thread.start()
    return thread
