"""What somebody asks of a table, in the imperative. Unknown fields are refused."""

from __future__ import annotations

from uuid import UUID

from domain.commands import Command
from domain.events import SeatStack
from domain.tables.events import TableOpened
from domain.units import Chips, Seat


class OpenTable(Command, frozen=True, tag="open_table"):
    """Open a table with exactly these facts (S1, S4, S6, R3)."""

    table: TableOpened


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Sit down with so many chips (G4, B6)."""

    seat: Seat
    player: str
    stack: Chips


class AddChips(Command, frozen=True, tag="add_chips"):
    """Put more chips in front of a seat; they count from the next hand (B6)."""

    seat: Seat
    amount: Chips


class Leave(Command, frozen=True, tag="leave"):
    """Leave with all chips: now, or when the hand he is in ends."""

    seat: Seat


class SitOut(Command, frozen=True, tag="sit_out"):
    """Keep the seat and be dealt in no more."""

    seat: Seat


class SitIn(Command, frozen=True, tag="sit_in"):
    """Be dealt in again."""

    seat: Seat


class BeginHand(Command, frozen=True, tag="begin_hand"):
    """Deal in everybody who plays. Without `dealer` the disc moves by itself (G5)."""

    hand: UUID
    number: str
    dealer: Seat | None = None


class EndHand(Command, frozen=True, tag="end_hand"):
    """Take over what the hand left to each seat dealt in (P8, P9)."""

    hand: UUID
    stacks: tuple[SeatStack, ...]
    voided: bool = False


class CloseTable(Command, frozen=True, tag="close_table"):
    """Send everybody home with his chips and close the table."""


TableCommand = (
    OpenTable | TakeSeat | AddChips | Leave | SitOut | SitIn | BeginHand | EndHand | CloseTable
)
