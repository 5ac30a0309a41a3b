"""A dealt hand decided again from what was asked for: every consequence must come out the same.

`check` names faults by the rules' ids and works for any record. Of a hand we dealt ourselves
more is known: each of its facts was either asked for or follows, so the whole stream can be
derived again and compared fact for fact.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.asking import asked
from domain.decide import decide
from domain.errors import Refused
from domain.evolve import evolve
from domain.hand import Hand


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first fact that deciding the hand again does not give, and why, in a phrase."""

    step: int
    text: str


def first_difference(events: Sequence[e.HandEvent]) -> Difference | None:
    """Where a dealt hand stops being what its cards and decisions lead to; None if nowhere.

    Times are not compared: they are what a clock said. The facts must be applicable
    (`CorruptHistory` otherwise). A hand that is still being played may end anywhere between two
    decisions.
    """
    hand: Hand | None = None
    done = 0
    taken: set[int] = set()
    while done < len(events):
        try:
            command = _command(hand, events[done:])
            due = decide(hand, command)
        except Refused as refused:
            return Difference(step=done + 1, text=f"it would be refused: {refused}")
        if not taken.isdisjoint(places := _places(command)):
            return Difference(step=done + 1, text="a place in the deck is dealt from twice")
        taken.update(places)
        for expected in due:
            if done == len(events):
                return Difference(step=done, text=f"{e.tag_of(expected)} is missing after it")
            if timeless(events[done]) != timeless(expected):
                return Difference(step=done + 1, text=_instead(events[done], expected))
            hand = evolve(hand, events[done])
            done += 1
    return None


def _command(hand: Hand | None, events: Sequence[e.HandEvent]) -> c.HandCommand:
    """What was asked for next. Raises `NotAllowedNow` for a fact nobody can ask for."""
    first = events[0]
    if hand is None and isinstance(first, e.HandStarted):
        return c.StartHand(hand=first, at=first.at)
    return asked(events)


def _places(command: c.HandCommand) -> tuple[int, ...]:
    """The places in the deck that cards come from, where they are known."""
    return command.positions or () if isinstance(command, c.Deal) else ()


def timeless(event: e.HandEvent) -> e.HandEvent:
    """The fact without when it happened."""
    return event if event.at is None else replace(event, at=None)


def _instead(recorded: e.HandEvent, expected: e.HandEvent) -> str:
    was, due = e.tag_of(recorded), e.tag_of(expected)
    if was != due:
        return f"{was} is recorded where {due} follows"
    fields = [
        name
        for name in recorded.__struct_fields__
        if name != "at" and getattr(recorded, name) != getattr(expected, name)
    ]
    return f"{was} has another {' and another '.join(fields)} than what follows"
