"""What is sent to a live hand, and what it answers. Unknown fields are refused."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from domain.discreet import Discreet
from domain.events import HandEvent
from domain.legal import Action, LegalAction
from domain.units import Card, Chips, Seat
from services.replaying import ReplayFrame

Words = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]
"""Something said for the record. No names: it stays for ever."""


class _Wanted(Discreet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what is sent."""


class ActionWanted(_Wanted, frozen=True, omit_defaults=True):
    """What a seat does. `to` is its street total after a bet or raise.

    It may be left out where only one amount is legal, and belongs to no other action.
    """

    seat: Seat
    action: Action
    to: Chips | None = None


class ConnectionSeen(_Wanted, frozen=True):
    """That a seat's connection was lost, or is back."""

    seat: Seat
    state: Literal["lost", "back"]


class CardsOfStreet(_Wanted, frozen=True):
    """The cards that are due, one at a time clockwise, from a deck that is not here."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=24)]


class IncidentSeen(_Wanted, frozen=True):
    """Something to have on record at this moment of the hand."""

    kind: Annotated[str, Meta(min_length=1, max_length=50, pattern=r"^[^\x00]+$")]
    text: Words


class VoidWanted(_Wanted, frozen=True):
    """Why the hand shall not have counted."""

    reason: Words


class ClockWanted(_Wanted, frozen=True):
    """That the clock stops for everybody, or goes on, and why."""

    state: Literal["paused", "resumed"]
    reason: Words


class LiveEvent(Discreet, frozen=True, kw_only=True):
    """One event as the view may know it: the n-th of its hand, at `position` in the log."""

    n: int
    position: int
    event: HandEvent


class LiveAnswer(Discreet, frozen=True, kw_only=True):
    """What came of it, and how the hand stands then.

    `turn` is the turn now, which is the ETag too. `events` are those that were added, `state` is
    the table as the view sees it, `legal` what the seat to act may do. It counts until `deadline`;
    from `countdown_at` on the player sees his time run. Both are null where there is no clock, and
    move on while it is `paused`.
    """

    hand: UUID
    turn: str
    events: tuple[LiveEvent, ...]
    state: ReplayFrame
    legal: tuple[LegalAction, ...]
    countdown_at: datetime | None
    deadline: datetime | None
    paused: bool
