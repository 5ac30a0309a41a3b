"""Closes days by itself, as long as the service runs: looks again and again for what is due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from threading import Event

import msgspec
import psycopg
import structlog

from domain.closing import CannotClose
from services.driver_errors import first_line
from services.errors import ServiceError
from services.ledger.closes import closed_days
from services.ledger.closing import close_due
from services.store.room import Room

LOOK = 10.0  # Seconds between two looks: what kept a day open may be over soon.
DAILY_CLOSE = "daily close"
"""Who closed the day, in the log."""

_log = structlog.get_logger()


class FirstDays(msgspec.Struct, frozen=True):
    """Whose days they are, where none was closed before."""

    time_zone: str
    day_start: str


class DailyClose:
    """Closes whatever is due until told to stop. Any number may: one close is stored.

    What keeps a day open is logged once and tried again.
    """

    def __init__(self, room: Room, first: FirstDays, now: Callable[[], datetime]) -> None:
        self._room = room
        self._first = first
        self._now = now
        self._why: str | None = None

    def run(self, stop: Event) -> None:
        """Look now and every few seconds."""
        while not stop.is_set():
            self.look()
            stop.wait(LOOK)

    def look(self) -> None:
        """Close what is due. Nothing is raised: the next look may find it otherwise."""
        try:
            for closed in close_due(self._room, *self._days(), DAILY_CLOSE, self._now()):
                _log.info("day.closed", day=str(closed.day), hands=closed.hands)
            self._why = None
        except (CannotClose, ServiceError) as wrong:
            self._tell(str(wrong))
        except psycopg.Error as refused:
            # Such as a database that takes nothing in while another takes over from it.
            self._tell(first_line(refused))
        except Exception as bug:
            # Days go on being over: what it was is told once, and it is tried again.
            self._tell(type(bug).__name__, traced=True)

    def _days(self) -> tuple[str | None, str | None]:
        """As days were closed before; the settings are for the first."""
        if closed_days(self._room.store):
            return None, None
        return self._first.time_zone, self._first.day_start

    def _tell(self, why: str, *, traced: bool = False) -> None:
        if why != self._why:
            _log.warning("day.stays_open", reason=why, retry_in=LOOK, exc_info=traced)
        self._why = why
