"""Records of hands as sites print them, written for the tests: one base text, changed at a line."""

from __future__ import annotations

import io
import re
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import pytest

from domain import events as e
from domain.evolve import replay
from domain.hand import Hand
from domain.house_rules import HouseRules
from services.readers.reading import Outcome, read_lines
from services.readers.record import HandRead, Rejected

SHARED = Path(__file__).parents[3] / "shared"
CORPUS = SHARED / "corpus"
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the hand histories of ../shared/corpus are not here"
)

E = TypeVar("E", bound=e.Event)

STUD = """\
PokerStars Hand #7001: 7 Card Stud Limit ($1/$2 USD) - 2024/03/01 18:30:00 ET
Table 'Aquila' 8-max
Seat 1: anna ($20 in chips)
Seat 2: bert ($20 in chips)
Seat 4: cleo ($20 in chips)
Seat 6: dora ($20 in chips) is sitting out
anna: posts the ante $0.10
bert: posts the ante $0.10
cleo: posts the ante $0.10
*** 3rd STREET ***
Dealt to anna [Ah Kd 9c]
Dealt to bert [2d]
Dealt to cleo [Qs]
bert: brings in for $0.50
cleo: raises $0.50 to $1
anna: calls $1
bert: folds
*** 4th STREET ***
Dealt to anna [Ah Kd 9c] [8h]
Dealt to cleo [Qs] [7s]
cleo: bets $1
anna: calls $1
*** 5th STREET ***
Dealt to anna [Ah Kd 9c 8h] [4c]
Dealt to cleo [Qs 7s] [2h]
cleo: checks
anna: bets $2
cleo: calls $2
*** 6th STREET ***
Dealt to anna [Ah Kd 9c 8h 4c] [3d]
Dealt to cleo [Qs 7s 2h] [5d]
cleo: checks
anna: checks
*** RIVER ***
Dealt to anna [Ah Kd 9c 8h 4c 3d] [As]
cleo: checks
anna: bets $2
cleo: calls $2
*** SHOW DOWN ***
anna: shows [Ah Kd 9c 8h 4c 3d As] (a pair of Aces)
cleo: mucks hand
anna collected $12.20 from pot
*** SUMMARY ***
Total pot $12.80 | Rake $0.60
Seat 1: anna showed [Ah Kd 9c 8h 4c 3d As] and won ($12.20) with a pair of Aces
Seat 2: bert folded on the 3rd Street
Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c]
"""
"""Three players, one folds, the hero wins at the showdown: pot 1280 cents, rake 60."""

HEADER = STUD.splitlines()[0]

PHH = """\
variant = "F7S"
antes = [1, 1, 1]
bring_in = 2
small_bet = 5
big_bet = 10
starting_stacks = [200, 200, 200]
actions = [
  "d dh p1 AhKd9c",
  "d dh p2 ????2d",
  "d dh p3 ????Qs",
  "p2 pb",
  "p3 cbr 5",
  "p1 cc",
  "p2 f",
  "d dh p1 8h",
  "d dh p3 7s",
  "p3 cbr 5",
  "p1 cbr 10",
  "p3 f",
]
"""
"""Three players; the raise on fourth street is not called: 5 comes back, pot 25."""


def outcomes(text: str, house_rules: HouseRules | None = None) -> list[Outcome]:
    """Everything a text comes to, by the reader it is recognised by."""
    return list(read_lines("hands.txt", io.StringIO(text, newline=""), None, house_rules))


def read(text: str, *changes: tuple[str, str]) -> HandRead:
    """The one hand of a text in which each old line was found once and became the new one."""
    [outcome] = outcomes(changed(text, *changes))
    assert isinstance(outcome, HandRead), outcome
    return outcome


def rejected(text: str, *changes: tuple[str, str]) -> Rejected:
    """The one rejection of a changed text."""
    [outcome] = outcomes(changed(text, *changes))
    assert isinstance(outcome, Rejected), outcome
    return outcome


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def with_header(header: str, text: str = STUD) -> str:
    """The base hand under another first line."""
    return changed(text, (HEADER, header))


def in_chips(text: str) -> str:
    """Every amount in dollars as a number of cents without a sign."""
    return re.sub(r"\$(\d+(?:\.\d+)?)", lambda m: str(int(Decimal(m[1]) * 100)), text)


def kinds(hand: HandRead, kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in hand.events if isinstance(event, kind)]


def started(hand: HandRead) -> e.HandStarted:
    return kinds(hand, e.HandStarted)[0]


def state(hand: HandRead) -> Hand:
    return replay(hand.events)


def won(hand: HandRead) -> dict[int, int]:
    """What each seat was awarded altogether."""
    totals: dict[int, int] = {}
    for award in kinds(hand, e.PotAwarded):
        for share in award.shares:
            totals[share.seat] = totals.get(share.seat, 0) + share.amount
    return totals


def dealt(hand: HandRead, seat: int) -> list[str]:
    """All cards of a seat in the order of its deals, down before up."""
    deals = [event for event in kinds(hand, e.CardsDealt) if event.seat == seat]
    return [card for deal in deals for card in (*deal.down, *deal.up)]
