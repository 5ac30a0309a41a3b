"""A hand as somebody may see it, which is all that a writer is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec.structs import replace

from domain import events as e
from domain.discreet import Discreet
from services.replaying import View, require_allowed, seen_by


class CannotSay(Exception):
    """A format has no words for this hand; the text says for what, without cards or names."""


class SeenHand(Discreet, frozen=True, kw_only=True):
    """The events a view may know, players by their names; whose name was erased by his id."""

    hand: UUID
    view: View
    events: tuple[e.HandEvent, ...]

    @property
    def started(self) -> e.HandStarted:
        """The first event."""
        assert isinstance(self.events[0], e.HandStarted), "every hand begins with its start"
        return self.events[0]


def seen_hand(
    hand: UUID, events: Sequence[e.HandEvent], names: Mapping[str, str], view: View
) -> SeenHand:
    """A stored hand for a view. Raises `BadView` for one that cannot be taken of it."""
    require_allowed(view, events)
    started, *rest = seen_by(view, events)
    assert isinstance(started, e.HandStarted), "every hand begins with its start"
    seats = tuple(replace(s, player=names.get(s.player, s.player)) for s in started.seats)
    return SeenHand(hand=hand, view=view, events=(replace(started, seats=seats), *rest))
