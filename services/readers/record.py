"""The common shape: what a record of one hand says, before it becomes events.

A reader of a new site turns its lines into one `Record`; everything after that is shared.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from domain.discreet import Discreet
from domain.events import HandEvent, Money, SeatTaken, Stakes, TableRef
from domain.house_rules import HouseRules
from domain.units import Card, Chips, Game, Half, Seat
from services.readers.names import fit_to_show

LONGEST_REASON = 300
"""Characters of a reason, which may quote what it is about."""

MOST_SEATS = 10
"""Seats are numbered 1 to 10 at every table."""

FactKind = Literal[
    "ante",  # amount put in
    "street",  # amount = 3 … 7: the cards of this street follow
    "dealt",  # the next cards of a seat, `from_slot` says which
    "community",  # one card for all
    "bring_in",  # amount put in; None = all of what is owed
    "wager",  # amount = street total after a bet, completion or raise
    "call",  # amount put in now; None = what is owed, a check where that is nothing
    "check",
    "fold",
    "timed_out",  # the seat's neighbouring action says with which outcome
    "disconnected",
    "reconnected",
    "returned",  # amount nobody matched
    "shows",  # a hand turned up
    "holds",  # cards printed for a seat that did not show them
    "mucks",
    "collected",  # amount paid from `pot`
    "note",  # text for the log
    "cancelled",  # the hand does not count, `text` says why
]


class Fact(Discreet, frozen=True):
    """One thing a record says, at a line of its file.

    `slot` is the place of the first card in the order down, down, up, up, up, up, down. `pot`
    is 0 for the main pot; `half` only where the record itself names it.
    """

    line: int
    kind: FactKind
    seat: Seat = 0
    amount: Chips | None = None
    cards: tuple[Card, ...] = ()
    slot: int = 0
    all_in: bool = False
    pot: int = 0
    half: Half | None = None
    text: str = ""


class Record(Discreet, frozen=True, kw_only=True):
    """Everything a record says about one hand; `seats` hold the names as printed.

    `identity` names the hand within its site and kind of money (empty: only its facts do).
    `rake` is None where none is printed. `stacks` are those printed after the hand, `winnings`
    what each seat got from the pots, where no line says from which. `says_it_ended` where the
    text closes with a summary; otherwise the facts must lead to an end by the rules. `hand` and
    `house_rules` only where the record itself says under which id and rules we know it.
    """

    line: int
    format: str
    site: str
    number: str
    identity: str
    game: Game
    stakes: Stakes
    money: Money
    table: TableRef
    dealer: Seat | None
    seats: tuple[SeatTaken, ...]
    played_at: datetime | None
    facts: tuple[Fact, ...]
    rake: Chips | None = None
    stacks: dict[Seat, Chips] | None = None
    winnings: dict[Seat, Chips] | None = None
    says_it_ended: bool = True
    hand: UUID | None = None
    house_rules: HouseRules | None = None


class EventsTold(Discreet, frozen=True, kw_only=True):
    """A record that holds our own events: players by name, `lines[i]` tells `events[i]`."""

    line: int
    hand: UUID
    events: tuple[HandEvent, ...]
    lines: tuple[int, ...]


class HandRead(Discreet, frozen=True, kw_only=True):
    """A hand as events, its players still by the names printed; `lines[i]` made `events[i]`.

    `identity` is its name at its site, `hand` the id it has here, where the record says so.
    """

    file: str
    line: int
    text: str
    identity: str
    hand: UUID | None = None
    events: tuple[HandEvent, ...]
    lines: tuple[int, ...]


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A hand of a game that is not ours, as it names itself."""

    file: str
    line: int
    game: str


class Rejected(Discreet, frozen=True, kw_only=True):
    """Something that should have been a hand, and why it is none.

    `line` is where it went wrong. `text` is what is kept of it, beginning at line `begins`;
    empty where no hand was recognised at all, as is `reader` then.
    """

    file: str
    line: int
    reason: str
    text: str = ""
    begins: int = 1
    reader: str = ""


class OtherGame(msgspec.Struct, frozen=True):
    """A record of a game that is not one of the three."""

    game: str


class Unreadable(Exception):
    """This record cannot become a hand. The reason is a sentence for the person importing."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = fit_to_show(reason, LONGEST_REASON)
        super().__init__(self.reason)


def unexpected(bug: Exception) -> str:
    """The reason why a hand is not taken in that nobody foresaw: no more than the bug's kind.

    >>> unexpected(KeyError("anna"))
    'an unexpected KeyError: please report it'
    """
    return f"an unexpected {type(bug).__name__}: please report it"
