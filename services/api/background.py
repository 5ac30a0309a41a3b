"""The projections kept up to date beside the requests, by whichever process leads."""

from __future__ import annotations

from threading import Event, Thread

import structlog

from services.projecting.following import Follower

_log = structlog.get_logger()


class Background:
    """Runs a follower in a thread of its own."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to follow."""
        self._stop.clear()
        self._thread = Thread(target=self._run, name="projections", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Follow no more; returns when the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def runs(self) -> bool:
        """Whether the projections are being followed: a bug ends that, and only that."""
        return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._follower.run(self._stop)
        except Exception:
            # The position stays before what could not be taken in; readiness says so.
            _log.exception("projections.stopped")
