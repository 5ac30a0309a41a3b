"""The few scalar types every fact is made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

# 2**53 - 1: the largest integer every JSON reader keeps exact (RFC 8785, I-JSON).
MOST_CHIPS = 9_007_199_254_740_991

Chips = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
"""An amount in integer minor units (cents, or whole chips for play money)."""

ChipsMoved = Annotated[int, Meta(ge=-MOST_CHIPS, le=MOST_CHIPS)]
"""A signed amount in minor units: what a void or a correction moves."""

Seat = Annotated[int, Meta(ge=1, le=10)]
"""A seat number as printed at the table."""

Street = Annotated[int, Meta(ge=3, le=7)]
"""Third to seventh street."""

Card = Annotated[str, Meta(pattern=r"^(?:[2-9TJQKA][cdhs]|\?\?)$")]
"""A card as `Ah`; `??` where the record does not show it."""

UNKNOWN: Card = "??"

Game = Literal["stud", "stud8", "stud_hilo"]
Size = Literal["small", "big"]
Half = Literal["whole", "high", "low"]
AttributionMethod = Literal["dealt", "contributed", "weighted", "winner"]
TimeoutOutcome = Literal["all_in", "fold", "check", "bring_in"]
