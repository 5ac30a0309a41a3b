"""What would have followed from another decision, other house rules or another rake schedule.

The facts before the decision stand. What the rules make of the change is worked out; what others
decided is assumed to be decided again as long as it can be, and said to be assumed; where the
record no longer tells, the course ends with what is open.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain import events as e
from domain.hand import Hand
from domain.schedules import require_band
from domain.whatif.along import go_along
from domain.whatif.apart import go_apart
from domain.whatif.asking import (
    Decision,
    Instead,
    NotADecision,
    Open,
    Outcome,
    PlayerMoney,
    WhatIf,
)
from domain.whatif.course import Course
from domain.whatif.record import DecisionEvent, Record
from domain.whatif.repeating import decided

__all__ = [
    "Decision",
    "Instead",
    "NotADecision",
    "Open",
    "Outcome",
    "PlayerMoney",
    "WhatIf",
    "whatif",
]


def whatif(events: Sequence[e.HandEvent], step: int | None, instead: Instead) -> WhatIf:
    """The course the hand takes if at `step` (1 = the first fact) things are as in `instead`.

    `step` is needed for a decision only; without it the change holds from the start. Raises
    `NotADecision`; `Refused`, with the rule and what is legal, for a decision nobody may take;
    `BadTable` (R3) for a schedule without a place for the table; `CorruptHistory` as `evolve`.
    """
    record = Record(events)
    course = Course(record, instead)
    if course.started != record.started:
        require_band(course.started)
    place = 1 if step is None else _decision_place(record, step)
    for before in range(1, place):
        course.take(record.events[before], before + 1)
    if instead.decision is not None:
        place = _decide(course, place, instead.decision)
    if not course.apart:
        place = go_along(course, place)
    go_apart(course, place)
    return _answer(record, course, step, instead)


def _decision_place(record: Record, step: int) -> int:
    """The 0-based place of a decision; the act a time-out was made belongs to the time-out."""
    decisions = record.decisions()
    place = step - 1
    if 0 < place < len(record.events) and record.at(place).ran_out is not None:
        place = max(p for p in decisions if p < place)
    if place in decisions:
        return place
    steps = tuple(p + 1 for p in decisions)
    what = e.tag_of(record.events[place]) if 0 <= place < len(record.events) else "no step at all"
    raise NotADecision(f"step {step} is {what}, not a decision", steps)


def _decide(course: Course, place: int, decision: Decision) -> int:
    """Take the other decision; the place after the recorded one."""
    event = course.record.events[place]
    assert isinstance(event, DecisionEvent), "the place of a decision"
    seat = event.seat if decision.seat is None else decision.seat
    facts = decided(course.hand, seat, decision)
    after = place + 1
    while after < len(course.record.events) and course.record.at(after).ran_out is not None:
        after += 1
    told = course.record.events[place:after]
    same = len(facts) == len(told) and all(map(_is_the_same, facts, told))
    for offset, fact in enumerate(told if same else facts):
        course.take(fact, place + 1 + offset if same else None)
    course.apart = not same
    return after


def _is_the_same(fact: e.HandEvent, told: e.HandEvent) -> bool:
    """Whether a decision is the recorded one, whatever the record calls it and when it was."""
    return (type(fact), *_amounts(fact)) == (type(told), *_amounts(told))


def _amounts(event: e.HandEvent) -> tuple[object, ...]:
    return tuple(getattr(event, name, None) for name in ("seat", "amount", "to", "outcome"))


def _answer(record: Record, course: Course, step: int | None, instead: Instead) -> WhatIf:
    sources = tuple(course.sources)
    new = [place for place, source in enumerate(sources) if source is None]
    outcome: Outcome = "certain"
    if course.open:
        outcome = "open"
    elif course.repeated:
        outcome = "if_repeated"
    return WhatIf(
        step=step,
        instead=instead,
        events=tuple(course.events),
        sources=sources,
        since=new[0] if new else len(sources),
        repeated=tuple(course.repeated),
        outcome=outcome,
        open=tuple(course.open),
        hand=course.hand,
        played=record.played,
        players=_money(record.played, course.hand),
    )


def _money(played: Hand | None, hand: Hand) -> tuple[PlayerMoney, ...]:
    return tuple(
        PlayerMoney(
            seat=player.seat,
            played=None if played is None else _net(played, player.seat),
            instead=_net(hand, player.seat) if hand.completed else None,
        )
        for player in hand.seats
    )


def _net(hand: Hand, seat: int) -> int:
    player = hand.player(seat)
    return player.stack - player.started_with
