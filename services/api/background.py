"""What goes on beside the requests: projections, the log, clocks of live hands, our database."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import structlog

from services.ledger.daily import DailyClose
from services.live_clock import Keeper
from services.log.following import SealingFollower
from services.projecting.following import Follower

LOOK = 1.0  # Seconds between two looks at whether our own database still runs.
AGAIN = 5.0  # Seconds until clocks are kept again after a bug: a table without one stands still.

_log = structlog.get_logger()


class Background:
    """Runs two followers, a keeper of clocks, a watch over the embedded database and, where it is
    wanted, the daily close, in threads.

    The followers, of which one projects and one seals the log, are those of whichever process
    leads; clocks are kept by every process.
    `ensure_running` is the database's own, None where it is not ours to start.
    """

    def __init__(
        self,
        follower: Follower,
        ensure_running: Callable[[], bool] | None,
        keeper: Keeper,
        sealing: SealingFollower | None = None,
        closing: DailyClose | None = None,
    ) -> None:
        self._follower = follower
        self._sealing = sealing
        self._closing = closing
        self._keeper = keeper
        self._ensure_running = ensure_running
        self._stop = Event()
        self._following: Thread | None = None
        self._sealed: Thread | None = None
        self._keeping: Thread | None = None
        self._watching: Thread | None = None
        self._closed: Thread | None = None

    def start(self) -> None:
        """Begin. What players lost while nobody kept their clocks they get back first."""
        self._stop.clear()
        self._following = _started(self._follow, "projections")
        if self._sealing is not None:
            self._sealed = _started(self._seal, "log", self._sealing)
        self._begin()
        self._keeping = _started(self._keep, "clock")
        if self._closing is not None:
            self._closed = _started(self._closing.run, "close", self._stop)
        if self._ensure_running is not None:
            self._watching = _started(self._watch, "database", self._ensure_running)

    def stop(self) -> None:
        """Do no more; returns when the threads have ended."""
        self._stop.set()
        threads = (self._following, self._sealed, self._keeping, self._watching, self._closed)
        for thread in threads:
            if thread is not None:
                thread.join()

    @property
    def runs(self) -> bool:
        """Whether the projections are being followed: a bug ends that, and only that."""
        return self._following is not None and self._following.is_alive()

    @property
    def seals(self) -> bool:
        """Whether the log is being sealed, as far as it can be: a bug ends that, and only that."""
        return self._sealed is not None and self._sealed.is_alive()

    @property
    def clock_behind(self) -> float:
        """Seconds since the clocks of live hands were last looked at."""
        return self._keeper.behind

    def _follow(self) -> None:
        try:
            self._follower.run(self._stop)
        except Exception:
            # The position stays before what could not be taken in; readiness says so.
            _log.exception("projections.stopped")

    def _seal(self, sealing: SealingFollower) -> None:
        try:
            sealing.run(self._stop)
        except Exception:
            # Nothing is passed over: the log ends before what could not be sealed.
            _log.exception("log.stopped")

    def _begin(self) -> None:
        try:
            self._keeper.begin()
        except Exception:
            _log.exception("clock.not_begun")

    def _keep(self) -> None:
        while not self._stop.is_set():
            try:
                self._keeper.run(self._stop)
            except Exception:
                _log.exception("clock.stopped", again_in=AGAIN)
                self._stop.wait(AGAIN)

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
