"""The events beside a replay: by streets, each with its step, and where the streets begin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from domain import events as e
from services.explaining.in_words import EventInWords
from services.replaying.notes import street_name

PAYOUT = (
    e.CardsShown | e.Mucked | e.RakeTaken | e.PotAwarded | e.HandCompleted | e.HandVoided
    | e.AwardCorrected
)  # fmt: skip
"""What comes after the last betting."""


class Part(msgspec.Struct, frozen=True):
    """A part of the hand, its events in words; it begins at `step`."""

    name: str
    events: tuple[EventInWords, ...]

    @property
    def step(self) -> int:
        """Its first step."""
        return self.events[0].step

    def has(self, step: int) -> bool:
        """Whether the step is one of its own."""
        return self.step <= step <= self.events[-1].step


class Jumps(msgspec.Struct, frozen=True, kw_only=True):
    """Where one can go from a step, all of them steps of the hand."""

    back: int
    forward: int
    street_back: int
    street_forward: int
    last: int


def parts_of_hand(events: Sequence[e.HandEvent], told: Sequence[EventInWords]) -> tuple[Part, ...]:
    """The hand by streets, in order: before the cards, each street, showdown and payout."""
    ends = next(
        (n for n, event in enumerate(events, 1) if isinstance(event, PAYOUT)), len(events) + 1
    )
    named = groupby(told, key=lambda one: _part(one, ends))
    return tuple(Part(name, tuple(found)) for name, found in named)


def _part(told: EventInWords, ends: int) -> str:
    return "Showdown and payout" if told.step >= ends else street_name(told.street).capitalize()


def jumps(parts: Sequence[Part], step: int) -> Jumps:
    """From this step one back and forward, and to where streets begin."""
    last = parts[-1].events[-1].step
    begins = [part.step for part in parts]
    return Jumps(
        back=max(1, step - 1),
        forward=min(last, step + 1),
        street_back=max((at for at in begins if at < step), default=1),
        street_forward=min((at for at in begins if at > step), default=last),
        last=last,
    )


def spoken(told: EventInWords, steps: int) -> str:
    """Where a step is, in words: what the slider says."""
    street = street_name(told.street)
    where = "" if told.text.lower().startswith(street) else f", {street}"
    return f"Step {told.step} of {steps}{where}: {told.text}"
