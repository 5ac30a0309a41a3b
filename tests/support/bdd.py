"""Given these events, when this command, then exactly these events: the tests' vocabulary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
import pytest

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due, consequences
from domain.decide import decide
from domain.errors import Refused
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.house_rules import DEFAULT_BY_GAME, HouseRules
from domain.legal import LegalAction, legal_actions
from domain.units import Card, Game

PLAY = e.Money(kind="play", currency="chips", exponent=0)
DOLLARS = e.Money(kind="real", currency="USD", exponent=2)
CHART = e.ScheduleRef(id="topspoker", version=1)


def started(
    stacks: dict[int, int] | None = None,
    *,
    game: Game = "stud",
    dealer: int | None = 8,
    small: int = 20,
    ante: int = 0,
    bring_in: int = 10,
    chip: int = 1,
    money: e.Money = PLAY,
    house: HouseRules | None = None,
    **policies: Any,
) -> e.HandStarted:
    """The first fact of a hand; `policies` replace fields of the house rules."""
    rules = msgspec.structs.replace(house or DEFAULT_BY_GAME[game], **policies)
    raked = money.kind == "real" and rules.rake == "schedule"
    return e.HandStarted(
        game=game,
        stakes=e.Stakes(
            small_bet=small, big_bet=2 * small, ante=ante, bring_in=bring_in, chip_unit=chip
        ),
        money=money,
        house_rules=rules,
        rake_schedule=CHART if raked else None,
        site="test",
        number="1",
        table=e.TableRef(id="t1", name="Test", max_seats=8),
        dealer=dealer,
        seats=tuple(
            e.SeatTaken(seat=seat, player=f"player-{seat}", stack=stack)
            for seat, stack in (stacks or {1: 1000, 2: 1000, 3: 1000}).items()
        ),
        played_at=None,
        deck=e.Deck(source="supplied", commitment=None),
        source=e.Source(kind="dealt", format=None, text_sha256=None),
    )


class Table:
    """A dealt hand in progress: issue commands, deal by seat, look at what happened.

    `hands` are the cards each seat is going to get, in the order they are dealt: down, down, up
    ..., down; whatever it does not say is made up, of cards it plans for nobody.
    """

    def __init__(self, start: e.HandStarted, hands: dict[int, str] | None = None) -> None:
        self.log: list[e.HandEvent] = []
        self.hand: Hand | None = None
        self.hands = {seat: text.split() for seat, text in (hands or {}).items()}
        planned = [card for hand in self.hands.values() for card in hand]
        assert len(set(planned)) == len(planned), "no card is planned twice"
        self.issue(c.StartHand(hand=start))

    @classmethod
    def of_facts(cls, facts: Iterable[e.HandEvent]) -> Table:
        """A hand that happened as told, legal or not, and what follows from it by itself."""
        table = cls.__new__(cls)
        table.log, table.hands = list(facts), {}
        table.hand = replay(table.log)
        while more := consequences(table.now):
            table.log.extend(more)
            table.hand = replay(table.log)
        return table

    @property
    def now(self) -> Hand:
        assert self.hand is not None
        return self.hand

    def issue(self, command: c.HandCommand) -> tuple[e.HandEvent, ...]:
        events = decide(self.hand, command)
        for event in events:
            self.hand = evolve(self.hand, event)
            chips = sum(p.stack for p in self.hand.seats) + self.hand.pot + self.hand.rake
            assert chips == sum(p.started_with for p in self.hand.seats), "chips are conserved"
        self.log.extend(events)
        assert replay(self.log) == self.hand
        return events

    def deal(self, cards: dict[int, str] | str | None = None) -> tuple[e.HandEvent, ...]:
        """Deal the street that is due: by seat as `{1: "As Kd 2c"}`, or any fresh cards."""
        if isinstance(cards, str):
            return self.issue(c.Deal(cards=tuple(cards.split())))
        return self.issue(self.next_deal(cards))

    def next_deal(self, cards: dict[int, str] | None = None) -> c.Deal:
        """The deal command of the street that is due."""
        due = cards_due(self.now)
        assert due is not None, "no cards are due"
        hands = {seat: text.split() for seat, text in (cards or {}).items()}
        named = [card for hand in (*self.hands.values(), *hands.values()) for card in hand]
        taken = {*named, *self.now.seen}
        fresh = iter([card for card in reversed(DECK) if card not in taken])
        if due.community:
            return c.Deal(cards=(next(fresh),))
        each, held = due.down + due.up, due.street - 1 if due.street > 3 else 0
        for seat in due.seats:
            planned = self.hands.get(seat, [])[held : held + each]
            hands[seat] = hands.get(seat) or planned or [next(fresh) for _ in range(each)]
        return c.Deal(cards=tuple(hands[seat][i] for i in range(each) for seat in due.seats))

    def act(self, *words: str) -> Table:
        """Acts as `"1 call"`, `"2 raise 40"`, `"3 fold"`, `"1 time_out"`, in order."""
        for word in words:
            self.issue(command(word))
        return self

    def street(self, *words: str) -> Table:
        """Deal the street that is due and act on it."""
        self.deal()
        return self.act(*words)

    def passively(self, to: int | None = None) -> Table:
        """Deal, bring in, call and check until cards of street `to` are due, or to the end."""
        while not self.now.completed:
            due = cards_due(self.now)
            if due is not None and due.street == to:
                break
            legal = {choice.action: choice for choice in legal_actions(self.now)}
            mild = [legal[name] for name in ("bring_in", "check", "call") if name in legal]
            self.issue(chosen(mild[0]) if mild else self.next_deal())
        return self

    def aggressively(self) -> Table:
        """Deal, and everybody wagers and calls all he may, to the end."""
        while not self.now.completed:
            choices = legal_actions(self.now)
            self.issue(chosen(choices[-1]) if choices else self.next_deal())
        return self

    def when(self, word: str | c.HandCommand) -> Then:
        """Issue one command and keep what it led to."""
        return Then(self, self.issue(command(word) if isinstance(word, str) else word))

    def refused(self, word: str | c.HandCommand, kind: type[Refused], rule: str) -> Refused:
        """The command is refused by this rule, and nothing happened."""
        before = self.hand
        with pytest.raises(kind) as refusal:
            self.issue(command(word) if isinstance(word, str) else word)
        assert refusal.value.rule == rule, f"refused by {refusal.value.rule}: {refusal.value}"
        assert self.hand == before
        return refusal.value

    def stacks(self) -> dict[int, int]:
        return {p.seat: p.stack for p in self.now.seats}

    def legal(self) -> str:
        """Who may do what now: `"2: fold, call 20, raise 40"`; `+` marks an all-in."""
        return legal_words(self.now)

    def paid_out(self) -> list[tuple[int, str, dict[int, int]]]:
        """Pot, half and shares of every award, in order."""
        return [(a.pot, a.half, amounts(a.shares)) for a in self.of(e.PotAwarded)]

    def returned(self) -> list[tuple[int, int]]:
        """Who got back how much that nobody matched."""
        return [(back.seat, back.amount) for back in self.of(e.UncalledReturned)]

    def of(self, *kinds: type[E]) -> list[E]:
        """The events of these kinds so far, in order."""
        return [event for event in self.log if isinstance(event, kinds)]


class Then:
    """What a command led to."""

    def __init__(self, table: Table, events: tuple[e.HandEvent, ...]) -> None:
        self.table = table
        self.events = events

    def then(self, *expected: e.HandEvent) -> Table:
        """Exactly these events, in this order."""
        assert self.events == expected
        return self.table


E = TypeVar("E", bound=e.Event)


def amounts(shares: Iterable[e.Share | e.SeatAmount]) -> dict[int, int]:
    """Shares by seat."""
    return {share.seat: share.amount for share in shares}


def legal_words(hand: Hand) -> str:
    choices = legal_actions(hand)
    if not choices:
        return "nobody"
    named = (f"{a.action} {a.to}{'+' * a.all_in}" if a.amount else a.action for a in choices)
    return f"{choices[0].seat}: {', '.join(named)}"


def chosen(choice: LegalAction) -> c.HandCommand:
    """The command that asks for a legal choice."""
    to = f" {choice.to}" if choice.action in {"bet", "raise"} else ""
    return command(f"{choice.seat} {choice.action}{to}")


_COMMANDS: dict[str, type[Any]] = {
    "bring_in": c.PostBringIn,
    "complete": c.Complete,
    "bet": c.Bet,
    "raise": c.Raise,
    "call": c.Call,
    "check": c.Check,
    "fold": c.Fold,
    "time_out": c.TimeOut,
    "disconnect": c.Disconnect,
    "reconnect": c.Reconnect,
}


def command(word: str) -> c.HandCommand:
    """A command as a person writes it: seat, act, and the total where one is needed."""
    seat, name, *to = word.split()
    extra = {"to": int(to[0])} if to else {}
    made: c.HandCommand = _COMMANDS[name](seat=int(seat), **extra)
    return made


def doors(**up: Card) -> dict[int, str]:
    """Third street by door card: `doors(s1="Kd", s2="2c")`; the rest of the cards are made up."""
    wanted = {int(seat[1:]): card for seat, card in up.items()}
    fresh = iter([card for card in DECK[24:] if card not in wanted.values()])
    return {seat: f"{next(fresh)} {next(fresh)} {card}" for seat, card in wanted.items()}
