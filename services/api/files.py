"""The hand a request is about: its facts as stored, its events, its players' names."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from fastapi import Depends, Path

from domain.events import HandCompleted, HandEvent, HandStarted, HandVoided, decode
from services.api.asking import Short
from services.api.parts import InService
from services.lookup import UnknownHand, find_hand
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded
from services.store.room import Room


class OnFile(msgspec.Struct, frozen=True):
    """One hand as it stands in the log, in order; `names` are by opaque player ids."""

    hand: UUID
    facts: tuple[Recorded, ...]
    events: tuple[HandEvent, ...]
    names: dict[str, str]

    @property
    def started(self) -> HandStarted:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, HandStarted), "a hand begins with its start"
        return first

    @property
    def is_over(self) -> bool:
        """Whether the hand is finished: only then may hidden cards be seen by others."""
        return any(isinstance(event, HandCompleted | HandVoided) for event in self.events)


def on_file(room: Room, called: str) -> OnFile:
    """The hand of this id or number. Raises `UnknownHand` or `AmbiguousHand`.

    By its id a hand is found as soon as it is stored, by its number once projections know it.
    """
    facts = _by_id(room, called) or room.store.load(find_hand(room, called).hand)
    events = tuple(decode(fact.state) for fact in facts)
    if not events:
        raise UnknownHand(f"there is no hand {called}")
    first = events[0]
    assert isinstance(first, HandStarted), "a hand begins with its start"
    names = room.players.names([taken.player for taken in first.seats])
    return OnFile(facts[0].stream, facts, events, names)


def _by_id(room: Room, called: str) -> tuple[Recorded, ...]:
    try:
        facts = room.store.load(UUID(called))
    except ValueError:
        return ()
    # Other streams have ids too; they are no hands.
    return facts if facts and facts[0].type in HAND_TYPES else ()


def hand_of(
    parts: InService,
    hand: Annotated[Short, Path(description="The hand's id or the site's number.")],
) -> OnFile:
    """The hand named in the path."""
    return on_file(parts.room, hand)


Hand = Annotated[OnFile, Depends(hand_of)]
