"""The rake schedules of a room: those of the program, and those its log says were published."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from domain.publishing import TAG, decode
from domain.schedules import SCHEDULES, Schedule
from services.driver_errors import in_our_words
from services.store.database import Pool

# The tag stands in the text, where the planner sees that the small index is enough.
PUBLISHED = f"select state from events where topic = '{TAG}' order by notification_id"

LOOK_AGAIN = 1.0
"""Seconds; hands may name a schedule nobody published by the thousand."""

Name = tuple[str, int]


class Schedules(Mapping[Name, Schedule]):
    """Every published schedule by id and version.

    What is once known is never asked for again: a published version does not change. One that is
    not known may have been published by somebody else meanwhile, so the log is asked: at most
    every `look_again` seconds. Raises DatabaseUnreachable and DatabaseBusy.
    """

    def __init__(self, pool: Pool, look_again: float = LOOK_AGAIN) -> None:
        self._pool = pool
        self._look_again = look_again
        self._known: dict[Name, Schedule] = dict(SCHEDULES)
        self._looked = float("-inf")

    def __getitem__(self, name: Name) -> Schedule:
        """Raises KeyError for one that nobody published."""
        if name not in self._known:
            self._look_if_due()
        return self._known[name]

    def __iter__(self) -> Iterator[Name]:
        self._look_if_due()
        return iter(tuple(self._known))

    def __len__(self) -> int:
        return len(self._known)

    def _look_if_due(self) -> None:
        if time.monotonic() - self._looked >= self._look_again:
            self.look()

    def look(self) -> None:
        """Take in what was published since."""
        with in_our_words(), self._pool.connection() as connection:
            rows = connection.execute(PUBLISHED.encode()).fetchall()
        for (state,) in rows:
            schedule = decode(state).schedule
            # What the program has published from the start, no log says otherwise of.
            self._known.setdefault((schedule.id, schedule.version), schedule)
        self._looked = time.monotonic()
