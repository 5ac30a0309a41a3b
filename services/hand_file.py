"""One stored hand, as the commands and routes that show it need it."""

from __future__ import annotations

from uuid import UUID

from domain.discreet import Discreet
from domain.events import HandEvent, HandStarted
from services.lookup import Candidate, find_hand
from services.store.room import Room


class HandFile(Discreet, frozen=True, kw_only=True):
    """A hand's events in order, and the names of its players by their opaque ids."""

    hand: UUID
    number: str
    events: tuple[HandEvent, ...]
    names: dict[str, str]


def open_hand(room: Room, called: str) -> HandFile:
    """The hand of this id or number. Raises `UnknownHand` or `AmbiguousHand`."""
    return file_of(room, find_hand(room, called))


def file_of(room: Room, found: Candidate) -> HandFile:
    """Everything about one found hand."""
    events = room.application.events_of(found.hand)
    started = events[0]
    assert isinstance(started, HandStarted), "every hand begins with its start"
    names = room.players.names([taken.player for taken in started.seats])
    return HandFile(hand=found.hand, number=found.number, events=events, names=names)
