"""Facts of one hand, in past tense. Stored for ever: add fields with defaults, never rename.

Amounts are integer minor units, cards `Ah` or `??`, seats as printed, times UTC. `to` is a
seat's total on the street after the action; `amount` is chips moved now.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from domain.decoding import TOO_DEEP
from domain.discreet import Discreet
from domain.house_rules import HouseRules
from domain.units import (
    AttributionMethod,
    Card,
    Chips,
    ChipsMoved,
    Game,
    Half,
    Seat,
    Size,
    Street,
    TimeoutOutcome,
)


class Part(Discreet, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Base of the values inside events."""


class Stakes(Part, frozen=True):
    """What a bet is here. `bring_in` is 0 only where the game is played without one."""

    small_bet: Chips
    big_bet: Chips
    ante: Chips
    bring_in: Chips
    chip_unit: Chips


class Money(Part, frozen=True):
    """What a minor unit is: `exponent` 2 means cents; play money has currency `chips`."""

    kind: Literal["real", "play", "tournament"]
    currency: str
    exponent: int


class ScheduleRef(Part, frozen=True):
    """A published rake schedule: immutable under this id and version (R3)."""

    id: str
    version: int


class TableRef(Part, frozen=True):
    """The table as the record names it; `id` is stable within a site."""

    id: str
    name: str
    max_seats: int


class SeatStack(Part, frozen=True):
    """Chips of one seat after the hand."""

    seat: Seat
    stack: Chips


class SeatTaken(Part, frozen=True):
    """Who was dealt in where and with what; `player` is an opaque id, never a name."""

    seat: Seat
    player: str
    stack: Chips


class Deck(Part, frozen=True):
    """Where the cards came from; `commitment` is the digest published before the first card."""

    source: Literal["shuffled", "supplied", "external", "recorded"]
    commitment: str | None


class Source(Part, frozen=True):
    """How the hand reached the log; the hash names the original text where there is one."""

    kind: Literal["dealt", "imported", "posted"]
    format: str | None
    text_sha256: str | None


class Compared(Part, frozen=True):
    """One seat's side of a decision: the cards that were compared, by which rule, in words."""

    seat: Seat
    rule: str
    cards: tuple[Card, ...]
    words: str


class Reason(Part, frozen=True):
    """Why it came out so: the deciding rule's id and what was compared."""

    rule: str
    compared: tuple[Compared, ...]


class Share(Part, frozen=True):
    """One seat's part of an award; `odd` is how much of `amount` is odd chips (P5-P7)."""

    seat: Seat
    amount: Chips
    odd: Chips


class SeatAmount(Part, frozen=True):
    """An amount of one seat."""

    seat: Seat
    amount: Chips


class SeatMove(Part, frozen=True):
    """Chips a seat gets (positive) or gives (negative) by a void or correction (P9)."""

    seat: Seat
    amount: ChipsMoved


class Attribution(Part, frozen=True):
    """Who bears the rake: a named, versioned method and shares that sum to it exactly (R6)."""

    method: AttributionMethod
    version: int
    shares: tuple[SeatAmount, ...]


class Event(Discreet, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """Base of every stored fact. The tag is the stored name, so files and classes may move.

    `at` is when it happened at the table, where the record says so.
    """

    at: datetime | None = None


class HandStarted(Event, frozen=True, tag="hand_started.v1"):
    """The table, the stakes, the rules and the stacks the hand is played under."""

    game: Game
    stakes: Stakes
    money: Money
    house_rules: HouseRules
    rake_schedule: ScheduleRef | None
    site: str
    number: str
    table: TableRef
    dealer: Seat | None
    seats: tuple[SeatTaken, ...]
    played_at: datetime | None
    deck: Deck
    source: Source


class AntePosted(Event, frozen=True, tag="ante_posted.v1"):
    """A forced bet before the cards; below the ante only when all-in (S1, S2)."""

    seat: Seat
    amount: Chips
    all_in: bool


class BringInPosted(Event, frozen=True, tag="bring_in_posted.v1"):
    """The forced opening bet; below the bring-in only when all-in (S4, S5)."""

    seat: Seat
    amount: Chips
    all_in: bool


class Called(Event, frozen=True, tag="called.v1"):
    """Chips put in to match; less than the price only when all-in (B5)."""

    seat: Seat
    amount: Chips
    all_in: bool


class Completed(Event, frozen=True, tag="completed.v1"):
    """The bring-in raised to the full small bet: bet 1 of the round (S7)."""

    seat: Seat
    to: Chips
    size: Size
    all_in: bool


class BetPlaced(Event, frozen=True, tag="bet_placed.v1"):
    """The first bet of a round, or the opener's full opening bet on third street (S4, B5)."""

    seat: Seat
    to: Chips
    size: Size
    all_in: bool


class Raised(Event, frozen=True, tag="raised.v1"):
    """A bet on top of a bet (B3, B4, B7)."""

    seat: Seat
    to: Chips
    size: Size
    all_in: bool


class Checked(Event, frozen=True, tag="checked.v1"):
    """Nothing owed, nothing put in (B5)."""

    seat: Seat


class Folded(Event, frozen=True, tag="folded.v1"):
    """Out of the hand (B5)."""

    seat: Seat


class Mucked(Event, frozen=True, tag="mucked.v1"):
    """Gave up at the showdown without showing (P0)."""

    seat: Seat


class PlayerDisconnected(Event, frozen=True, tag="player_disconnected.v1"):
    """The connection was lost; evidence for the clock (C5)."""

    seat: Seat


class PlayerReconnected(Event, frozen=True, tag="player_reconnected.v1"):
    """The connection came back; evidence for the clock (C5)."""

    seat: Seat


class CardsDealt(Event, frozen=True, tag="cards_dealt.v1"):
    """Cards of one seat on one street; `positions` are deck positions, down cards first (G5)."""

    seat: Seat
    street: Street
    down: tuple[Card, ...]
    up: tuple[Card, ...]
    positions: tuple[int, ...] | None


class CommunityCardDealt(Event, frozen=True, tag="community_card_dealt.v1"):
    """One face-up card for all, on seventh street (G6)."""

    card: Card
    position: int | None


class BettingOpened(Event, frozen=True, tag="betting_opened.v1"):
    """Who opens a street and why; `double_bet` when an open pair allows the big bet (B1, B4)."""

    street: Street
    opener: Seat
    reason: Reason
    double_bet: bool


class TimedOut(Event, frozen=True, tag="timed_out.v1"):
    """A turn ran out, with the evidence (C5).

    Outcome `all_in` takes effect here (C2). `fold`, `check` and `bring_in` only name what the
    next event of the same seat then does.
    """

    seat: Seat
    turn_started_at: datetime | None
    deadline: datetime | None
    disconnected_at: datetime | None
    outcome: TimeoutOutcome


class ClockPaused(Event, frozen=True, tag="clock_paused.v1"):
    """Clocks stopped for everybody."""

    reason: str


class ClockResumed(Event, frozen=True, tag="clock_resumed.v1"):
    """Clocks run again."""

    reason: str


class IncidentNoted(Event, frozen=True, tag="incident_noted.v1"):
    """Something a floor person wants on record; it moves nothing."""

    kind: str
    text: str


class UncalledReturned(Event, frozen=True, tag="uncalled_returned.v1"):
    """What nobody matched goes back: neither pot nor rake (B8)."""

    seat: Seat
    amount: Chips


class CardsShown(Event, frozen=True, tag="cards_shown.v1"):
    """A hand turned up: down, down, up, up, up, up, down as far as dealt (P0)."""

    seat: Seat
    cards: tuple[Card, ...]


class RakeTaken(Event, frozen=True, tag="rake_taken.v1"):
    """The house's commission, per pot main first; row and step null where as recorded (R1-R6)."""

    total: Chips
    pots: tuple[Chips, ...]
    row: str | None
    step: str | None
    attribution: Attribution


class PotAwarded(Event, frozen=True, tag="pot_awarded.v1"):
    """One pot or half of a pot paid out, net of rake; pot 0 is the main pot (P2-P7, B9)."""

    pot: int
    half: Half
    amount: Chips
    shares: tuple[Share, ...]
    reason: Reason


class HandCompleted(Event, frozen=True, tag="hand_completed.v1"):
    """The hand is over; stacks as they are at the table now."""

    stacks: tuple[SeatStack, ...]


class HandVoided(Event, frozen=True, tag="hand_voided.v1"):
    """The hand never counted: everyone gets back all he put in (P9)."""

    moves: tuple[SeatMove, ...]
    rake: ChipsMoved
    reason: str
    ruling: str | None


class AwardCorrected(Event, frozen=True, tag="award_corrected.v1"):
    """Chips moved between seats and rake after the hand; sums to zero (P9)."""

    moves: tuple[SeatMove, ...]
    rake: ChipsMoved
    reason: str
    ruling: str | None


HandEvent = (
    HandStarted | AntePosted | CardsDealt | CommunityCardDealt | CardsShown | Mucked
    | BettingOpened | BringInPosted | Completed | BetPlaced | Raised | Called | Checked | Folded
    | UncalledReturned | TimedOut | PlayerDisconnected | PlayerReconnected
    | ClockPaused | ClockResumed | IncidentNoted
    | RakeTaken | PotAwarded | HandCompleted | HandVoided | AwardCorrected
)  # fmt: skip

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

_decode = msgspec.json.Decoder(HandEvent).decode


def decode(state: bytes) -> HandEvent:
    """Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not.

    Raises `msgspec.MsgspecError`, which names the place and never the value: it may be a card.
    """
    try:
        return _decode(state)
    except msgspec.ValidationError as wrong:
        said, at, place = str(wrong).rpartition(" - at ")
        text = "Invalid enum value" if said.startswith("Invalid enum value") else said
        raise msgspec.ValidationError(f"{text}{at}{place}") from None
    except RecursionError:
        raise msgspec.DecodeError(TOO_DEEP) from None


def tag_of(event: HandEvent) -> str:
    """The stored type of an event, such as `called.v1`."""
    return str(event.__struct_config__.tag)
