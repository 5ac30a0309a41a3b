"""A hand as the log has it, which is all that this writer is given of it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from domain import events as e
from domain.discreet import Discreet


class StoredHand(Discreet, frozen=True, kw_only=True):
    """A hand as the log has it: `states` are the stored bytes of its events, `position` the
    place of the last of them in the log.
    """

    hand: UUID
    position: int
    events: tuple[e.HandEvent, ...]
    states: Sequence[bytes]

    def __repr__(self) -> str:
        return f"StoredHand(hand={self.hand})"

    @property
    def started(self) -> e.HandStarted:
        """The first event."""
        assert isinstance(self.events[0], e.HandStarted), "every hand begins with its start"
        return self.events[0]
