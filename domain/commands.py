"""What somebody asks of a dealt hand, in the imperative. Unknown fields are refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from domain.decoding import decoder
from domain.discreet import Discreet
from domain.events import HandStarted, SeatMove
from domain.units import Card, Chips, ChipsMoved, Seat


class Command(
    Discreet,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """Base of every command. `at` is when it arrived; it becomes the `at` of the events."""

    at: datetime | None = None


class StartHand(Command, frozen=True, tag="start_hand"):
    """Begin a hand with exactly these facts; the antes follow by themselves (S1, S2)."""

    hand: HandStarted


class Deal(Command, frozen=True, tag="deal"):
    """The cards that are due, in dealing order: one at a time clockwise (G5).

    On third street that is everyone's first down card, everyone's second, everyone's up card.
    `positions` are the cards' places in the deck, where a deck is known.
    """

    cards: tuple[Card, ...]
    positions: tuple[int, ...] | None = None


class PostBringIn(Command, frozen=True, tag="post_bring_in"):
    """Post the forced bet (S4)."""

    seat: Seat


class Complete(Command, frozen=True, tag="complete"):
    """Raise the bring-in to the small bet (S7)."""

    seat: Seat


class Bet(Command, frozen=True, tag="bet"):
    """Open the betting; `to` may be left out where only one amount is legal (B4)."""

    seat: Seat
    to: Chips | None = None


class Raise(Command, frozen=True, tag="raise"):
    """Raise the price; `to` is the street total after, or left out where only one is legal."""

    seat: Seat
    to: Chips | None = None


class Call(Command, frozen=True, tag="call"):
    """Match the price, with all he has if that is less (B5)."""

    seat: Seat


class Check(Command, frozen=True, tag="check"):
    """Pass where nothing is owed (B5)."""

    seat: Seat


class Fold(Command, frozen=True, tag="fold"):
    """Give up the hand (B5)."""

    seat: Seat


class TimeOut(Command, frozen=True, tag="time_out"):
    """The turn of `seat` ran out; what follows is the room's policy (C1-C4)."""

    seat: Seat
    turn_started_at: datetime | None = None
    deadline: datetime | None = None
    disconnected_at: datetime | None = None


class Disconnect(Command, frozen=True, tag="disconnect"):
    """The connection of `seat` was lost (C5)."""

    seat: Seat


class Reconnect(Command, frozen=True, tag="reconnect"):
    """The connection of `seat` came back (C5)."""

    seat: Seat


class PauseClock(Command, frozen=True, tag="pause_clock"):
    """Stop the clocks."""

    reason: str


class ResumeClock(Command, frozen=True, tag="resume_clock"):
    """Let the clocks run again."""

    reason: str


class NoteIncident(Command, frozen=True, tag="note_incident"):
    """Put something on record; moves nothing."""

    kind: str
    text: str


class Void(Command, frozen=True, tag="void"):
    """The hand never counted: everyone gets back all he put in (P9)."""

    reason: str
    ruling: str | None = None


class Correct(Command, frozen=True, tag="correct"):
    """Move chips between seats and rake after the hand; must sum to zero (P9)."""

    moves: tuple[SeatMove, ...]
    rake: ChipsMoved
    reason: str
    ruling: str | None = None


HandCommand = (
    StartHand
    | Deal
    | PostBringIn
    | Complete
    | Bet
    | Raise
    | Call
    | Check
    | Fold
    | TimeOut
    | Disconnect
    | Reconnect
    | PauseClock
    | ResumeClock
    | NoteIncident
    | Void
    | Correct
)

decode_command = cast(
    "Callable[[bytes | str], HandCommand]", decoder(cast("type[Any]", HandCommand))
)
"""JSON to a command; raises `msgspec.DecodeError` on anything unknown or wrong."""
