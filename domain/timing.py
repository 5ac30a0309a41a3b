"""The clock of a turn, from facts and when they happened (C1, C5). It asks no clock itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from domain import commands as c
from domain import events as e
from domain.evolve import replay
from domain.hand import Hand
from domain.rules.clock import allowed, alone, in_utc
from domain.rules.turn import turn
from domain.units import Seat

ASIDE = (
    e.PlayerDisconnected,
    e.PlayerReconnected,
    e.ClockPaused,
    e.ClockResumed,
    e.IncidentNoted,
)
"""Facts that move neither chips nor cards nor the turn."""


class Pause(msgspec.Struct, frozen=True):
    """A time in which no clock ran; `end` is null while none does."""

    start: datetime
    end: datetime | None


class TurnClock(msgspec.Struct, frozen=True, kw_only=True):
    """The turn of `seat` by the clock, all times UTC.

    `countdown_at` is when the countdown begins, `deadline` the last moment at which an action
    counts. `disconnected_at` is since when he is without connection where that gives him more
    time. While the clock is `paused` both times move on with every second of it.
    """

    seat: Seat
    started_at: datetime
    countdown_at: datetime
    deadline: datetime
    disconnected_at: datetime | None = None
    paused: bool = False

    def ran_out(self, at: datetime) -> bool:
        """Whether the turn is over at that moment; an action at the deadline counts (C1)."""
        return not self.paused and at > self.deadline

    def time_out(self, at: datetime) -> c.TimeOut:
        """What is asked of the hand once the turn has run out, with the evidence (C5)."""
        return c.TimeOut(
            seat=self.seat,
            turn_started_at=self.started_at,
            deadline=self.deadline,
            disconnected_at=self.disconnected_at,
            at=at,
        )


def turn_clock(events: Sequence[e.HandEvent], hand: Hand | None = None) -> TurnClock | None:
    """The clock of the turn after these events; `hand` is the state after them, if it is known.

    None where nobody is to act, where the house has no clock, and where a record does not say
    when the turn began. The turn began with the last fact that moved the betting.
    """
    hand = replay(events) if hand is None else hand
    clock, seats = hand.started.house_rules.clock, turn(hand)
    began = in_utc(events[last_move(events) - 1].at)
    if clock is None or began is None or len(seats) != 1:
        return None
    pauses = tuple(_pauses(events, began))
    lost = _lost_at(events, seats[0], _after(alone(clock), began, pauses))
    return TurnClock(
        seat=seats[0],
        started_at=began,
        countdown_at=_after(clock.turn, began, pauses),
        deadline=_after(allowed(clock, disconnected=lost is not None), began, pauses),
        disconnected_at=lost,
        paused=bool(pauses) and pauses[-1].end is None,
    )


def last_move(events: Sequence[e.HandEvent]) -> int:
    """Which event, from 1, last moved the betting: an act, a deal, an opening, the start."""
    n = len(events)
    while n > 1 and isinstance(events[n - 1], ASIDE):
        n -= 1
    return n


def _pauses(events: Sequence[e.HandEvent], began: datetime) -> Iterator[Pause]:
    """The pauses since the turn began, apart from each other and in order.

    One may be recorded late, for a time in which others were acting: it counts from where the
    turn or the pause before it stood.
    """
    since, counted = None, began
    for event in events:
        at = in_utc(event.at)
        if at is None:
            continue  # Evidence without a time is none for a clock.
        if isinstance(event, e.ClockPaused) and since is None:
            since = at
        elif isinstance(event, e.ClockResumed) and since is not None:
            since = max(since, counted)
            if since < at:
                yield Pause(since, at)
                counted = at
            since = None
    if since is not None:
        yield Pause(max(since, counted), None)


def _after(seconds: int, began: datetime, pauses: Sequence[Pause]) -> datetime:
    """The moment at which the clock has run so many seconds; pauses do not count.

    The last moment of the calendar, if that is sooner: a stored fact may say it is late.
    """
    try:
        moment = began + timedelta(seconds=seconds)
        for pause in pauses:
            if pause.end is not None and pause.start <= moment:
                moment += pause.end - pause.start
    except OverflowError:
        return datetime.max.replace(tzinfo=began.tzinfo)
    return moment


def _lost_at(events: Sequence[e.HandEvent], seat: Seat, moment: datetime) -> datetime | None:
    """Since when this seat has been without connection at that moment; None if it has one."""
    since = None
    for event in events:
        if not isinstance(event, e.PlayerDisconnected | e.PlayerReconnected) or event.seat != seat:
            continue
        at = in_utc(event.at)
        if at is not None and at <= moment:
            since = (since or at) if isinstance(event, e.PlayerDisconnected) else None
    return since
