"""A player who does something legal at random, from a seed: for the demonstration and tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from domain import commands as c
from domain.cards import DECK
from domain.consequences import cards_due
from domain.hand import Hand
from domain.legal import Action, LegalAction, legal_actions
from domain.units import Card

_LIKELY: dict[Action, float] = {"fold": 0.5, "check": 3.0, "call": 3.5, "bring_in": 3.0}
"""How often an action is taken against 1 for a wager: hands should often reach a showdown."""

TIMEOUTS_IN_A_THOUSAND = 4
TURN = timedelta(seconds=30)


class Dealer:
    """A shuffled deck and a clock: answers every state of a hand with the next command.

    The same seed, deck and start give the same hand on every machine.
    """

    def __init__(self, seed: str, start: datetime, deck: tuple[Card, ...] | None = None) -> None:
        self.dice = Random(seed)
        self.deck = list(deck or self.dice.sample(DECK, len(DECK)))
        self.clock = start
        self.dealt = 0

    def next_command(self, hand: Hand) -> c.HandCommand:
        """Deal what is due, or let the seat to act do something legal."""
        self.clock += timedelta(seconds=self.dice.randint(1, 8))
        due = cards_due(hand)
        return self.deal(due.cards) if due is not None else self.play(hand)

    def deal(self, number: int) -> c.Deal:
        """The next cards of the deck, with their positions in it."""
        first, self.dealt = self.dealt, self.dealt + number
        return c.Deal(
            cards=tuple(self.deck[first : self.dealt]),
            positions=tuple(range(first, self.dealt)),
            at=self.clock,
        )

    def play(self, hand: Hand) -> c.HandCommand:
        """A legal act of the seat to act, now and then a turn that runs out."""
        legal = legal_actions(hand)
        if self.dice.randrange(1000) < TIMEOUTS_IN_A_THOUSAND:
            return self.time_out(legal[0].seat)
        return command_for(likely(legal, self.dice), self.clock)

    def time_out(self, seat: int) -> c.TimeOut:
        """The turn of `seat` began now and runs out."""
        began, self.clock = self.clock, self.clock + TURN + timedelta(seconds=1)
        return c.TimeOut(seat=seat, turn_started_at=began, deadline=began + TURN, at=self.clock)


def likely(legal: Sequence[LegalAction], dice: Random) -> LegalAction:
    """One of the legal actions, by how often each is taken."""
    (choice,) = dice.choices(legal, [_LIKELY.get(choice.action, 1.0) for choice in legal])
    return choice


def command_for(choice: LegalAction, at: datetime | None = None) -> c.HandCommand:
    """The command that takes a legal choice."""
    match choice.action:
        case "fold":
            return c.Fold(seat=choice.seat, at=at)
        case "check":
            return c.Check(seat=choice.seat, at=at)
        case "call":
            return c.Call(seat=choice.seat, at=at)
        case "bring_in":
            return c.PostBringIn(seat=choice.seat, at=at)
        case "complete":
            return c.Complete(seat=choice.seat, at=at)
        case "bet":
            return c.Bet(seat=choice.seat, to=choice.to, at=at)
        case "raise":
            return c.Raise(seat=choice.seat, to=choice.to, at=at)
