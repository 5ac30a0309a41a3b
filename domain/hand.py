"""The state of one hand: what the facts so far add up to. Questions about it live in `rules`."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.discreet import Discreet
from domain.events import BettingOpened, HandStarted, PotAwarded, RakeTaken, TimedOut
from domain.units import Card, Chips, ChipsMoved, Seat

Status = Literal["active", "all_in", "timed_out", "folded"]


class Player(Discreet, frozen=True, kw_only=True, gc=False):
    """One seat in the hand.

    `paid` is what he has in the pot (antes included, returned bets not), `street_total` what of
    it went in on this street, `ante` what he anted and did not get back. `started_with` is his
    stack before the hand, `shown` what he turned up at the showdown.
    """

    seat: Seat
    player: str
    started_with: Chips
    stack: Chips
    status: Status = "active"
    ante: Chips = 0
    anted: bool = False
    street_total: Chips = 0
    paid: Chips = 0
    down: tuple[Card, ...] = ()
    up: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    mucked: bool = False
    connected: bool = True

    @property
    def still_in(self) -> bool:
        """Not folded; all-in and timed-out players included."""
        return self.status != "folded"

    @property
    def cards(self) -> tuple[Card, ...]:
        """His own cards in the order they were dealt: down, down, up …, down."""
        return (*self.down[:2], *self.up, *self.down[2:])


class Betting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The betting of one street.

    `price` is the street total needed to stay in; `base` the street total of the last wager
    that counted (B7); `bets` how many counted; `double_bet` whether an open pair allows the big
    bet and `big` whether a big wager was made (B4); `uncapped` whether the cap is off (B3);
    `spoken` who has acted on this street; `acted` who has acted since the last counted wager;
    `last` who acted last; `opened` the recorded opening of the street.
    """

    street: int = 0
    price: Chips = 0
    base: Chips = 0
    bets: int = 0
    big: bool = False
    double_bet: bool = False
    uncapped: bool = False
    brought_in: bool = False
    spoken: frozenset[Seat] = frozenset()
    acted: frozenset[Seat] = frozenset()
    last: Seat | None = None
    opened: BettingOpened | None = None


class Awarded(Discreet, frozen=True, gc=False):
    """An award as it was recorded, and at which step."""

    step: int
    award: PotAwarded


class Hand(Discreet, frozen=True, kw_only=True, gc=False):
    """One hand after `step` events. `seats` are in ascending seat order.

    `ran_out` is the time-out whose act (fold, check, bring-in) has yet to follow. `dealt` counts
    the cards dealt, `seen` are those that are known; `collected` is what has been paid out or
    raked so far; `rake` may be corrected later. `ruled` if a ruling moved money once it was over.
    """

    started: HandStarted
    step: int
    seats: tuple[Player, ...]
    betting: Betting = Betting()
    ran_out: TimedOut | None = None
    dealt: int = 0
    seen: frozenset[Card] = frozenset()
    community: Card | None = None
    rake_taken: RakeTaken | None = None
    rake_step: int = 0
    rake: ChipsMoved = 0
    awards: tuple[Awarded, ...] = ()
    collected: Chips = 0
    completed: bool = False
    voided: bool = False
    ruled: bool = False

    @property
    def pot(self) -> Chips:
        """Chips in the middle now, in minor units: paid in and neither awarded nor raked."""
        return 0 if self.voided else sum([player.paid for player in self.seats]) - self.collected

    @property
    def still_in(self) -> tuple[Player, ...]:
        """Everyone who has not folded, in ascending seat order."""
        return tuple([player for player in self.seats if player.status != "folded"])

    @property
    def active(self) -> tuple[Player, ...]:
        """Everyone still in and able to act, in ascending seat order."""
        return tuple([player for player in self.seats if player.status == "active"])

    def another_active(self, player: Player) -> Player | None:
        """Somebody else than this player who is able to act, if anybody is."""
        for other in self.seats:
            if other.status == "active" and other.seat != player.seat:
                return other
        return None

    def player(self, seat: Seat) -> Player:
        """The player at `seat`. Raises `KeyError` if nobody was dealt in there."""
        seats = self.seats
        # Where no seat below is empty, the first guess is right.
        if seat <= len(seats) and seats[seat - 1].seat == seat:
            return seats[seat - 1]
        for player in seats:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def clockwise(self, start: Seat | None = None) -> tuple[Player, ...]:
        """All seats clockwise from the one after `start` (default: the dealer), `start` last.

        Without a dealer the order starts at the lowest seat; callers that decide ties by it
        must ask `started.dealer` first.
        """
        after = self.started.dealer if start is None else start
        if after is None:
            return self.seats
        seats = self.seats
        for place, player in enumerate(seats):
            if player.seat > after:
                return seats[place:] + seats[:place] if place else seats
        return seats
