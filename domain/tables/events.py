"""Facts of one table, in past tense. Stored for ever: add fields with defaults, never rename.

Amounts are integer minor units, seats as printed, players opaque ids. What happens in a hand is
in the hand's own stream; here is only what it began with and what it left.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast, get_args
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.discreet import Discreet
from domain.events import Money, ScheduleRef, SeatStack, SeatTaken, Stakes
from domain.house_rules import HouseRules
from domain.units import Chips, Game, Seat


class Event(Discreet, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """Base of every stored fact. The tag is the stored name, so files and classes may move.

    `at` is when it happened at the table.
    """

    at: datetime | None = None


class TableOpened(Event, frozen=True, tag="table_opened.v1"):
    """What is played here and under which rules, for as long as the table is open (R3)."""

    name: str
    game: Game
    stakes: Stakes
    money: Money
    house_rules: HouseRules
    rake_schedule: ScheduleRef | None
    max_seats: int
    site: str


class PlayerSeated(Event, frozen=True, tag="player_seated.v1"):
    """Somebody sat down with his chips; he is dealt in from the next hand (G4, B6)."""

    seat: Seat
    player: str
    stack: Chips


class ChipsAdded(Event, frozen=True, tag="chips_added.v1"):
    """More chips in front of a seat; in a hand that is being played they do not count (B6)."""

    seat: Seat
    amount: Chips


class PlayerLeaving(Event, frozen=True, tag="player_leaving.v1"):
    """Asked while he is in a hand; he leaves when it ends."""

    seat: Seat


class PlayerLeft(Event, frozen=True, tag="player_left.v1"):
    """The seat is free; he took this with him."""

    seat: Seat
    stack: Chips


class SatOut(Event, frozen=True, tag="sat_out.v1"):
    """He keeps his seat and is not dealt in from the next hand on."""

    seat: Seat


class SatIn(Event, frozen=True, tag="sat_in.v1"):
    """He is dealt in again from the next hand on."""

    seat: Seat


class HandBegun(Event, frozen=True, tag="hand_begun.v1"):
    """A hand is played with exactly these seats and stacks; the disc is at `dealer` (G4, G5)."""

    hand: UUID
    number: str
    dealer: Seat
    seats: tuple[SeatTaken, ...]


class HandEnded(Event, frozen=True, tag="hand_ended.v1"):
    """What the hand left to each seat dealt in; what is missing is rake (P8, P9)."""

    hand: UUID
    stacks: tuple[SeatStack, ...]
    voided: bool


class TableClosed(Event, frozen=True, tag="table_closed.v1"):
    """Nothing more happens here; everybody has left before."""


TableEvent = (
    TableOpened | PlayerSeated | ChipsAdded | PlayerLeaving | PlayerLeft
    | SatOut | SatIn | HandBegun | HandEnded | TableClosed
)  # fmt: skip

TYPES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(TableEvent))
"""The stored types of a table's facts."""

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = cast("Callable[[bytes | str], TableEvent]", decoder(cast("type[Any]", TableEvent)))
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: TableEvent) -> str:
    """The stored type of an event, such as `player_seated.v1`."""
    return str(event.__struct_config__.tag)
