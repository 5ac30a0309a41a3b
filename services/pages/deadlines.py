"""The eight weeks in which a complaint is to be answered, told plainly."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

SOON = timedelta(days=7)
"""When what is left of the eight weeks is told with a warning."""


class Deadline(msgspec.Struct, frozen=True):
    """What is left of the time, or by how much it is over, and how it is marked."""

    words: str
    mark: Literal["good", "plain", "warn", "bad"]


def deadline(
    due_at: datetime, answered_at: datetime | None, now: datetime, *, closed: bool = False
) -> Deadline:
    """How a case stands against its time (D1).

    >>> from datetime import UTC
    >>> due = datetime(2026, 3, 1, tzinfo=UTC)
    >>> deadline(due, None, datetime(2026, 3, 4, 1, tzinfo=UTC)).words
    'overdue by 3 days'
    """
    if answered_at is not None:
        if answered_at <= due_at:
            return Deadline("answered in time", "good")
        return Deadline(f"answered {span(answered_at - due_at)} late", "bad")
    if closed:
        return Deadline("closed without an answer", "warn")
    if now > due_at:
        return Deadline(f"overdue by {span(now - due_at)}", "bad")
    left = due_at - now
    return Deadline(f"{span(left)} left", "warn" if left <= SOON else "plain")


def span(lasting: timedelta) -> str:
    """How long something lasts, in whole days or, of the last day, hours.

    >>> span(timedelta(days=1, hours=5)), span(timedelta(minutes=90)), span(timedelta(seconds=5))
    ('1 day', '1 hour', 'less than an hour')
    """
    hours, _ = divmod(lasting, timedelta(hours=1))
    days, _ = divmod(lasting, timedelta(days=1))
    if hours < 1:
        return "less than an hour"
    number, unit = (days, "day") if days else (hours, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'}"
