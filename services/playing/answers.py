"""What bots read in the service's answers; all else in them is none of their business."""

from __future__ import annotations

from datetime import datetime

import msgspec

from domain.legal import LegalAction
from domain.units import Chips, Seat


class State(msgspec.Struct, frozen=True):
    """Of the table's picture: only what the hand has paid as rake."""

    rake: Chips


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A live hand: whose turn it is, what he may do, and until when."""

    hand: str
    turn: str
    state: State
    legal: tuple[LegalAction, ...]
    deadline: datetime | None


class Sitting(msgspec.Struct, frozen=True):
    """Somebody at a table, and his chips."""

    seat: Seat
    stack: Chips
    added: Chips


class AtTable(msgspec.Struct, frozen=True):
    """The hand that is being played."""

    hand: str


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A table."""

    table: str
    seats: tuple[Sitting, ...]
    hand: AtTable | None

    @property
    def chips(self) -> Chips:
        """All chips there between two hands."""
        return sum(sitting.stack + sitting.added for sitting in self.seats)


class Problem(msgspec.Struct, frozen=True):
    """Why something was not done."""

    type: str
    detail: str | None = None

    @property
    def name(self) -> str:
        """The last part of its type, such as `turn-moved`."""
        return self.type.rpartition(":")[2]
