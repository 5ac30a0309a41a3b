"""How long a turn lasts, and whether one that ran out had run its time (C1)."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from domain.events import TimedOut
from domain.house_rules import Clock


class TooSoon(msgspec.Struct, frozen=True, kw_only=True):
    """A time-out before its time: what was due, what was given, and both in a phrase."""

    expected: str
    recorded: str
    why: str


def too_soon(clock: Clock | None, timed_out: TimedOut) -> TooSoon | None:
    """Whether the evidence of a time-out denies the seat its time; None if it does not (C1).

    Missing evidence denies nothing, and neither does a room without a clock. An action stamped
    at the deadline counts, so a turn runs out only after it.
    """
    started, deadline, at = map(_utc, (timed_out.turn_started_at, timed_out.deadline, timed_out.at))
    if clock is None or deadline is None:
        return None
    if started is not None:
        due = seconds(clock, started, _utc(timed_out.disconnected_at))
        given = (deadline - started).total_seconds()
        if given < due:
            why = f"was given {given:g} s where the clock gives {due} s"
            return TooSoon(expected=f"{due} s", recorded=f"{given:g} s", why=why)
    if at is not None and at <= deadline:
        why = "was timed out before the deadline had passed"
        return TooSoon(expected="after the deadline", recorded="before it", why=why)
    return None


def seconds(clock: Clock, started: datetime, disconnected_at: datetime | None) -> int:
    """What a turn lasts: the turn, the countdown, and more for who is disconnected at their end.

    `disconnected_at` is since when he has been without connection.
    """
    alone = clock.turn + clock.countdown
    if disconnected_at is None or (disconnected_at - started).total_seconds() > alone:
        return alone
    return alone + clock.disconnected


def _utc(time: datetime | None) -> datetime | None:
    """Times are UTC, also those that do not say so."""
    return time if time is None or time.tzinfo else time.replace(tzinfo=UTC)
