"""What is sent to a table. Unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from domain.discreet import Discreet
from domain.units import Card, Chips, Seat
from services.reports import TablesPage
from services.seating import TableWanted
from services.tables import TableSheet

OPENING: dict[str, Any] = {
    "name": "A",
    "game": "stud8",
    "stakes": {"small_bet": 200, "big_bet": 400, "ante": 25, "bring_in": 100},
    "money": {"kind": "real", "currency": "USD"},
    "max_seats": 8,
}
"""A table to be opened, as an example."""

Called = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]


class _Wanted(Discreet, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of what is sent."""


class SeatWanted(_Wanted, frozen=True):
    """Who sits down where with what; `player` is a name, or an id a name was given before."""

    seat: Seat
    player: Called
    stack: Chips


class ChipsWanted(_Wanted, frozen=True):
    """More chips in front of a seat; while it is in a hand they count from the next."""

    seat: Seat
    amount: Chips


class SeatNamed(_Wanted, frozen=True):
    """A seat of the table."""

    seat: Seat


class Nothing(_Wanted, frozen=True):
    """Nothing needs to be said."""


class SuppliedDeck(_Wanted, frozen=True, kw_only=True):
    """The order another shuffler left, top card first."""

    source: Literal["supplied"] = "supplied"
    cards: Annotated[tuple[Card, ...], Meta(min_length=52, max_length=52)]


class HandWanted(_Wanted, frozen=True):
    """A hand to be dealt. Without `dealer` the disc moves by itself.

    The deck is shuffled here unless it is `external`, its cards then to come street by street, or
    `supplied` whole.
    """

    dealer: Seat | None = None
    deck: Literal["shuffled", "external"] | SuppliedDeck = "shuffled"


TABLE_BODIES = (
    TablesPage,
    TableSheet,
    TableWanted,
    SeatWanted,
    ChipsWanted,
    SeatNamed,
    Nothing,
    HandWanted,
)
"""What is sent to tables and what they answer."""
