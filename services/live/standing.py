"""A live hand as it stands: read once, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from uuid import UUID, uuid5

import msgspec

from domain import events as e
from domain.errors import CorruptHistory
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.legal import LegalAction, legal_actions
from domain.timing import TurnClock, turn_clock
from services.live.errors import NotDealtHere
from services.live.turns import turn_of
from services.lookup import UnknownHand
from services.projecting.folding import HAND_TYPES
from services.store.players import as_id
from services.store.port import EventStore, Known

_ATTEMPTS = UUID("a6b0b0de-8c0f-5f0e-9a53-5d8f9a7c2b17")
"""The namespace of all attempts streams; changing it would begin every one anew."""


def attempts_stream(hand_id: UUID) -> UUID:
    """The stream of what was asked at a hand and not done."""
    return uuid5(_ATTEMPTS, f"attempts {hand_id}")


class Standing:
    """A hand after the events it has so far; `known` is what the asking command became before."""

    def __init__(
        self,
        hand_id: UUID,
        events: tuple[e.HandEvent, ...],
        known: Known | None = None,
        hand: Hand | None = None,
    ) -> None:
        self.hand_id = hand_id
        self.events = events
        self.known = known
        self._hand = hand

    @cached_property
    def hand(self) -> Hand:
        """The state. Raises `CorruptHistory`."""
        return replay(self.events) if self._hand is None else self._hand

    @cached_property
    def attempts(self) -> UUID:
        """The stream of what was asked at this hand and not done."""
        return attempts_stream(self.hand_id)

    @cached_property
    def turn(self) -> str:
        """The token of the turn."""
        return turn_of(self.hand_id, self.events)

    @cached_property
    def clock(self) -> TurnClock | None:
        """The clock of the turn; None where nobody is to act or the house has none."""
        return turn_clock(self.events, self.hand)

    @property
    def legal(self) -> tuple[LegalAction, ...]:
        """What the seat to act may do."""
        return legal_actions(self.hand)

    @property
    def started(self) -> e.HandStarted:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, e.HandStarted), "a hand begins with its start"
        return first

    @property
    def over(self) -> bool:
        """Whether the hand is completed or void."""
        return self.hand.completed or self.hand.voided

    def gone_on(self, new: Sequence[e.HandEvent], known: Known | None = None) -> Standing:
        """The hand after these events as well, worked out from here. Raises `CorruptHistory`."""
        hand = self.hand
        for event in new:
            hand = evolve(hand, event)
        then = Standing(self.hand_id, (*self.events, *new), known, hand)
        then.attempts = self.attempts
        return then

    def after(self, n: int) -> Standing:
        """The hand as it stood after its first `n` events."""
        return Standing(self.hand_id, self.events[:n])


def standing(store: EventStore, hand_id: UUID, command_id: UUID | None = None) -> Standing:
    """The hand of this id, in one read. Raises `UnknownHand` or `CorruptHistory`."""
    known = None
    if command_id is None:
        states = store.states(hand_id)
    else:
        states, known = store.states_for(hand_id, command_id, attempts_stream(hand_id))
    if not states:
        raise UnknownHand(f"there is no hand {hand_id}")
    return Standing(hand_id, decoded(store, hand_id, states), known)


def table_of(hand: Standing) -> UUID:
    """The table a hand is dealt at. Raises `NotDealtHere` for one that others deal."""
    table = as_id(hand.started.table.id) if hand.started.source.kind == "dealt" else None
    if table is None:
        raise NotDealtHere("this hand was not dealt here: nobody acts in it")
    return table


def decoded(store: EventStore, hand_id: UUID, states: Sequence[bytes]) -> tuple[e.HandEvent, ...]:
    """Stored facts of a hand as events. Raises `UnknownHand` or `CorruptHistory`."""
    try:
        return tuple([e.decode(state) for state in states])
    except msgspec.MsgspecError:
        # Other streams have ids too; they are no hands.
        if store.load(hand_id)[0].type not in HAND_TYPES:
            raise UnknownHand(f"there is no hand {hand_id}") from None
        raise CorruptHistory("a stored fact cannot be read") from None
