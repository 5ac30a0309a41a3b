"""What a command came to: the events it became and the hand as it stands after them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from domain import events as e
from domain.discreet import Discreet
from domain.hand import Hand
from domain.legal import LegalAction
from domain.timing import TurnClock
from services.live.standing import Standing


class Happened(Discreet, frozen=True):
    """One event: the n-th of its hand, at `position` in the log."""

    n: int
    position: int
    event: e.HandEvent


class Acted(Discreet, frozen=True, kw_only=True):
    """The answer to a command. `history` are all events of the hand up to these.

    `hand` is the state after them, `turn` the token of the turn, `legal` what the seat to act may
    do, `clock` until when. A `repeated` answer was given before: all is as it was then.
    """

    hand_id: UUID
    history: tuple[e.HandEvent, ...]
    events: tuple[Happened, ...]
    hand: Hand
    turn: str
    legal: tuple[LegalAction, ...]
    clock: TurnClock | None
    repeated: bool


def acted(standing: Standing, positions: Sequence[int], *, repeated: bool = False) -> Acted:
    """The answer where the last events of the hand, at these positions, are the new ones."""
    first = len(standing.events) - len(positions)
    return Acted(
        hand_id=standing.hand_id,
        history=standing.events,
        events=tuple(
            Happened(first + place, position, standing.events[first + place - 1])
            for place, position in enumerate(positions, 1)
        ),
        hand=standing.hand,
        turn=standing.turn,
        legal=standing.legal,
        clock=standing.clock,
        repeated=repeated,
    )
