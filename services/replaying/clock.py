"""The clock of the turn as it stood at a step: what had gone of it, and until when it ran (C1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from domain import events as e
from domain.hand import Hand
from domain.rules.clock import in_utc
from domain.timing import turn_clock
from domain.units import Seat


class ClockNow(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of `seat`: whole seconds gone and left at this step, and its last moment (UTC).

    `countdown` once the visible countdown has begun, `disconnected` where a lost connection has
    given more time. While it is `paused`, `deadline` moves on.
    """

    seat: Seat
    gone: int
    left: int
    countdown: bool
    disconnected: bool
    paused: bool
    deadline: datetime


def clock_now(events: Sequence[e.HandEvent], hand: Hand) -> ClockNow | None:
    """The clock after these events, which led to `hand`; None where there is none or no record."""
    clock, now = turn_clock(events, hand), in_utc(events[-1].at)
    if clock is None or now is None:
        return None
    left = max(0, int((clock.deadline - now).total_seconds()))
    return ClockNow(
        seat=clock.seat,
        gone=max(0, int((now - clock.started_at).total_seconds())),
        left=left,
        countdown=now >= clock.countdown_at,
        disconnected=clock.disconnected_at is not None,
        paused=clock.paused,
        deadline=clock.deadline,
    )


def clock_words(clock: ClockNow) -> str:
    """In a line: `30 s left, until 20:15:33 UTC`.

    >>> from datetime import UTC
    >>> until = datetime(2026, 3, 2, 20, 15, 33, tzinfo=UTC)
    >>> clock_words(ClockNow(
    ...     seat=3, gone=12, left=18, countdown=True, disconnected=False, paused=False,
    ...     deadline=until,
    ... ))
    'countdown, 18 s left, until 20:15:33 UTC'
    """
    if clock.paused:
        return f"stopped, {clock.gone} s gone"
    return f"{_kind(clock, ', ')}{clock.left} s left, until {clock.deadline:%H:%M:%S} UTC"


def short_words(clock: ClockNow) -> str:
    """The same with fewer words, for a picture; its times are UTC as everywhere."""
    if clock.paused:
        return clock_words(clock)
    return f"{_kind(clock, ' ')}{clock.left} s, to {clock.deadline:%H:%M:%S}"


def _kind(clock: ClockNow, then: str) -> str:
    kind = "no connection" if clock.disconnected else "countdown" if clock.countdown else ""
    return kind and kind + then
