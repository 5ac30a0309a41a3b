"""The few scalar types every fact is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

# 2**53 - 1: the largest integer every JSON reader keeps exact (RFC 8785, I-JSON).
MOST_CHIPS = 9_007_199_254_740_991

MOST_DECIMALS = 15
"""Decimals of an amount: `MOST_CHIPS` has sixteen digits."""

POTS = range(10)
"""Numbers of a hand's pots, main pot first: there are no more than seats (P1)."""

Chips = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
"""An amount in integer minor units (cents, or whole chips for play money)."""

ChipsMoved = Annotated[int, Meta(ge=-MOST_CHIPS, le=MOST_CHIPS)]
"""A signed amount in minor units: what a void or a correction moves."""

Seat = Annotated[int, Meta(ge=1, le=10)]
"""A seat number as printed at the table."""

Street = Annotated[int, Meta(ge=3, le=7)]
"""Third to seventh street."""

if TYPE_CHECKING:
    Card = str
else:
    # Every card spelled out: looked up in a table, where a pattern would be matched letter by
    # letter, in every card of every event that is read.
    Card = Literal["??", *(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")]
"""A card as `Ah`; `??` where the record does not show it."""

UNKNOWN: Card = "??"

Game = Literal["stud", "stud8", "stud_hilo"]
Size = Literal["small", "big"]
Half = Literal["whole", "high", "low"]
AttributionMethod = Literal["dealt", "contributed", "weighted", "winner"]
TimeoutOutcome = Literal["all_in", "fold", "check", "bring_in"]
