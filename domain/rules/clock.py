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
    started, deadline, at = map(
        in_utc, (timed_out.turn_started_at, timed_out.deadline, timed_out.at)
    )
    if clock is None or deadline is None:
        return None
    if started is not None:
        due = seconds(clock, started, in_utc(timed_out.disconnected_at))
        given = (deadline - started).total_seconds()
        if given < due:
            why = f"was given {given:g} s where the clock gives {due} s"
            return TooSoon(expected=f"{due} s", recorded=f"{given:g} s", why=why)
    if at is not None and at <= deadline:
        why = "was timed out before the deadline had passed"
        return TooSoon(expected="after the deadline", recorded="before it", why=why)
    return None


def seconds(clock: Clock, started: datetime, disconnected_at: datetime | None) -> int:
    """What a turn that began then lasts for somebody without connection since `disconnected_at`."""
    lost = disconnected_at is not None and (
        (disconnected_at - started).total_seconds() <= alone(clock)
    )
    return allowed(clock, disconnected=lost)


def allowed(clock: Clock, *, disconnected: bool) -> int:
    """Seconds of a turn: more for whoever is disconnected when turn and countdown have run (C1)."""
    return alone(clock) + (clock.disconnected if disconnected else 0)


def alone(clock: Clock) -> int:
    """Seconds of turn and countdown (C1)."""
    return clock.turn + clock.countdown


def in_utc(time: datetime | None) -> datetime | None:
    """Times are UTC, also those that do not say so."""
    return time if time is None or time.tzinfo else time.replace(tzinfo=UTC)
