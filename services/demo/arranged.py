"""Hands arranged card by card and act by act, each to show one thing a floor is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

import msgspec

from domain import commands as c
from domain.cards import DECK
from domain.consequences import cards_due
from domain.hand import Hand
from domain.legal import LegalAction, legal_actions
from domain.rules.streets import Due
from domain.units import Card, Chips, Game, Seat
from services.demo.bot import TURN, command_for
from services.demo.hands import OPENED, DealtHand, DemoTable, play_out, start_of


class Arranged(msgspec.Struct, frozen=True, kw_only=True):
    """A hand to be dealt: `cards[s]` in the order seat `s` gets them, then `acts` in turn.

    An act is an action's name, `bet big` or `raise big` for the larger wager, or `time out`;
    after the last one everybody checks or calls. Cards not named come from the rest of the deck.
    """

    number: str
    title: str
    game: Game
    stacks: dict[Seat, Chips]
    dealer: Seat
    cards: dict[Seat, str] = msgspec.field(default_factory=dict)
    acts: tuple[str, ...] = ()


ARRANGED = (
    Arranged(
        number="D00001",
        title="an odd chip on a tied low; main and side pot, each split high and low",
        game="stud8",
        stacks={1: 20000, 2: 3003, 3: 20000, 4: 20000},
        dealer=4,
        cards={
            1: "Ah 2d 4h 6s 7h Qs Jd",
            2: "Ts Td Tc 5s 5d 9h 8c",
            3: "Ac 2h 4s 6d 7c 7d Ks",
            4: "Kh Jc 9d",
        },
        acts=("bring_in", "complete", "call", "fold", "call", *3 * ("bet", "call", "call"), "bet"),
    ),
    Arranged(
        number="D00002",
        title="a turn that ran out: all-in by time-out, later bets go to a side pot",
        game="stud",
        stacks={1: 20000, 2: 20000, 3: 20000},
        dealer=3,
        cards={1: "Kh Kd 9c", 2: "8s 7s 2d", 3: "Qc Qd Jh"},
        acts=("bring_in", "complete", "call", "call", "bet", "time out", "call", "bet", "call"),
    ),
    Arranged(
        number="D00003",
        title="eight players to the end: one community card on seventh street",
        game="stud",
        stacks=dict.fromkeys(range(1, 9), 20000),
        dealer=8,
    ),
    Arranged(
        number="D00004",
        title="a capped round: one bet and three raises",
        game="stud_hilo",
        stacks={1: 40000, 3: 40000, 5: 40000},
        dealer=5,
        cards={1: "As Ad Kc", 3: "2s 3d 4c", 5: "Qs Qd Jc"},
        acts=("bring_in", "complete", "raise", "raise", "raise", "call", "call"),
    ),
    Arranged(
        number="D00005",
        title="an open pair on fourth street: a double bet",
        game="stud8",
        stacks={2: 20000, 4: 20000, 6: 20000},
        dealer=6,
        cards={2: "Ks Jh 9s 9d", 4: "3s 4d 5c 6h", 6: "Ac Qd 2h 7s"},
        acts=("bring_in", "call", "call", "bet big", "call", "raise", "call", "call"),
    ),
    Arranged(
        number="D00006",
        title="two all-in for different amounts: a main pot and two side pots",
        game="stud_hilo",
        stacks={1: 1210, 2: 2730, 3: 20000, 4: 20000},
        dealer=4,
        acts=(
            *("bring_in", "complete", "call", "call", "call"),
            *2 * ("bet", "call", "call", "call"),
            *("bet", "call", "call", "bet"),
        ),
    ),
)
MIXED = tuple(Random("arranged").sample(DECK, len(DECK)))
"""The deck that cards nobody named come from: shuffled, and always the same."""

TABLE = DemoTable(name="Demo", game="stud", small_bet=500, ante=25, players=8)


def arranged_hands() -> Iterator[DealtHand]:
    """Every arranged hand, played out."""
    for index, hand in enumerate(ARRANGED):
        start = OPENED - timedelta(hours=2) + index * timedelta(minutes=10)
        table = msgspec.structs.replace(TABLE, game=hand.game)
        started = start_of(table, hand.number, hand.dealer, hand.stacks, start)
        events, _ = play_out(started, Script(hand, start))
        yield DealtHand(number=hand.number, title=hand.title, events=events)


class Script:
    """Deals the arranged cards and makes the arranged acts."""

    def __init__(self, hand: Arranged, start: datetime) -> None:
        named = {seat: text.split() for seat, text in hand.cards.items()}
        taken = {card for cards in named.values() for card in cards}
        self.rest = iter([card for card in MIXED if card not in taken])
        self.cards = {seat: iter(cards) for seat, cards in named.items()}
        self.acts = iter(hand.acts)
        self.clock = start

    def next_command(self, hand: Hand) -> c.HandCommand:
        """Deal what is due, or let the seat to act do what is written."""
        self.clock += timedelta(seconds=4)
        due = cards_due(hand)
        return self._deal(due) if due is not None else self._act(legal_actions(hand))

    def _deal(self, due: Due) -> c.Deal:
        if due.community:
            return c.Deal(cards=(next(self.rest),), at=self.clock)
        rounds = range(due.down + due.up)
        cards = tuple(self._next_card(seat) for _ in rounds for seat in due.seats)
        return c.Deal(cards=cards, at=self.clock)

    def _next_card(self, seat: Seat) -> Card:
        arranged = next(self.cards.get(seat, iter(())), None)
        return arranged if arranged is not None else next(self.rest)

    def _act(self, legal: tuple[LegalAction, ...]) -> c.HandCommand:
        act = next(self.acts, None)
        if act == "time out":
            began, self.clock = self.clock, self.clock + TURN + timedelta(seconds=1)
            return c.TimeOut(
                seat=legal[0].seat, turn_started_at=began, deadline=began + TURN, at=self.clock
            )
        return command_for(_choice(legal, act), self.clock)


def _choice(legal: tuple[LegalAction, ...], act: str | None) -> LegalAction:
    """The legal choice an act names; without one: bring in, check or call."""
    if act is None:
        return next(choice for choice in legal if choice.action in {"bring_in", "check", "call"})
    name, *big = act.split()
    choices = [choice for choice in legal if choice.action == name]
    assert choices, f"{act} is not legal here"
    return choices[-1] if big else choices[0]
