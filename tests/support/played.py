"""Whole hands of random legal play, for what must hold of any hand."""

from __future__ import annotations

import random
import re

from hypothesis import strategies as st

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.decide import decide
from domain.evolve import evolve
from domain.hand import Hand
from domain.legal import legal_actions
from services.demo.bot import command_for
from tests.support.strategies import tables

LIKELY = {"fold": 1, "check": 8, "call": 12}
LETTERS = str.maketrans("♣♦♥♠", "cdhs")
A_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


@st.composite
def played_hands(draw: st.DrawFn) -> tuple[e.HandEvent, ...]:
    """A hand from the antes to the last stack: any table and deck, now and then no answer."""
    dice = draw(st.randoms(use_true_random=False))
    return played(draw(tables()), dice)


def played(started: e.HandStarted, dice: random.Random) -> tuple[e.HandEvent, ...]:
    deck = list(DECK)
    dice.shuffle(deck)
    log = list(decide(None, c.StartHand(hand=started)))
    hand = _follow(None, log)
    while not hand.completed:
        events = decide(hand, _command(hand, deck, dice))
        hand = _follow(hand, events)
        log.extend(events)
    return tuple(log)


def _command(hand: Hand, deck: list[str], dice: random.Random) -> c.HandCommand:
    due = cards_due(hand)
    if due is not None:
        return c.Deal(cards=tuple(deck.pop() for _ in range(due.cards)))
    legal = legal_actions(hand)
    if dice.random() < 0.03:
        return c.TimeOut(seat=legal[0].seat)
    weights = [LIKELY.get(choice.action, 5) for choice in legal]
    return command_for(dice.choices(legal, weights)[0])


def _follow(hand: Hand | None, events: list[e.HandEvent] | tuple[e.HandEvent, ...]) -> Hand:
    for event in events:
        hand = evolve(hand, event)
    assert hand is not None
    return hand


def seen_at_the_table(events: tuple[e.HandEvent, ...], seat: int | None = None) -> set[str]:
    """The cards everybody saw, and those that `seat` held."""
    seen: set[str] = set()
    for event in events:
        match event:
            case e.CardsDealt():
                seen.update(event.up)
                seen.update(event.down if event.seat == seat else ())
            case e.CardsShown():
                seen.update(event.cards)
            case e.CommunityCardDealt():
                seen.add(event.card)
    return seen - {"??"}


def cards_in(text: str) -> set[str]:
    """Every card a text names, as `Kd` or with a glyph."""
    return set(A_CARD.findall(text.translate(LETTERS)))
