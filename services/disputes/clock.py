"""What the clock and the connection had to do with a step: turn, deadline, attempts, outages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from domain import events as e
from domain.discreet import Discreet
from domain.timing import turn_clock
from domain.units import Chips, Seat, TimeoutOutcome
from services.live.attempts import AttemptRefused, decode
from services.live.standing import attempts_stream
from services.store.port import EventStore


class TurnFacts(Discreet, frozen=True, kw_only=True):
    """The turn in which a step was made, all times UTC; `left_seconds` is what was left of it.

    `outcome` is set if it ran out: what was made of that (C2, C4).
    """

    seat: Seat
    started_at: datetime
    countdown_at: datetime
    deadline: datetime
    disconnected_at: datetime | None
    answered_at: datetime | None
    left_seconds: int | None
    outcome: TimeoutOutcome | None


class Attempt(Discreet, frozen=True, kw_only=True):
    """Something that was asked and not done, why, and when it arrived."""

    n: int
    step: int
    seat: Seat | None
    command: str
    to: Chips | None
    kind: str
    rule: str | None
    reason: str
    arrived_at: datetime
    deadline: datetime | None


class Contact(Discreet, frozen=True, kw_only=True):
    """A connection lost or regained, or clocks that stopped or went on, at this step."""

    step: int
    what: str
    seat: Seat | None
    at: datetime | None


class ClockFacts(Discreet, frozen=True, kw_only=True):
    """All of it for one step of a hand; `turn` is null where no clock ran."""

    turn: TurnFacts | None
    attempts: tuple[Attempt, ...]
    contacts: tuple[Contact, ...]


def clock_facts(
    store: EventStore, hand: UUID, events: Sequence[e.HandEvent], step: int
) -> ClockFacts:
    """The turn of `step`, and what else the record has of clock and connections in the hand."""
    return ClockFacts(
        turn=_turn(events, step),
        attempts=tuple(_attempts(store, hand)),
        contacts=tuple(_contacts(events)),
    )


def _turn(events: Sequence[e.HandEvent], step: int) -> TurnFacts | None:
    event = events[step - 1]
    clock = turn_clock(events[: step - 1]) if step > 1 else None
    if clock is None or getattr(event, "seat", clock.seat) != clock.seat:
        return None
    left = None if event.at is None else clock.deadline - event.at
    return TurnFacts(
        seat=clock.seat,
        started_at=clock.started_at,
        countdown_at=clock.countdown_at,
        deadline=clock.deadline,
        disconnected_at=clock.disconnected_at,
        answered_at=event.at,
        left_seconds=None if left is None else left.days * 86_400 + left.seconds,
        outcome=event.outcome if isinstance(event, e.TimedOut) else None,
    )


def _attempts(store: EventStore, hand: UUID) -> Iterator[Attempt]:
    for n, state in enumerate(store.states(attempts_stream(hand)), 1):
        refused: AttemptRefused = decode(state)
        yield Attempt(
            n=n,
            step=refused.step,
            seat=refused.seat,
            command=refused.command,
            to=refused.to,
            kind=refused.kind,
            rule=refused.rule,
            reason=refused.text,
            arrived_at=refused.arrived_at,
            deadline=refused.deadline,
        )


def _contacts(events: Sequence[e.HandEvent]) -> Iterator[Contact]:
    told: dict[type[e.Event], str] = {
        e.PlayerDisconnected: "connection lost",
        e.PlayerReconnected: "connection back",
        e.ClockPaused: "clocks stopped",
        e.ClockResumed: "clocks went on",
        e.TimedOut: "time ran out",
    }
    for step, event in enumerate(events, 1):
        if (what := told.get(type(event))) is not None:
            yield Contact(step=step, what=what, seat=getattr(event, "seat", None), at=event.at)
