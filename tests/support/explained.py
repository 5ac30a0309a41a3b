"""What an explanation says about one thing, and hands short enough to explain."""

from __future__ import annotations

from typing import Any

from domain import events as e
from domain.consequences import cards_due
from domain.legal import legal_actions
from services.explaining import Explanation, Line, explain
from tests.support.bdd import Table, doors, started

THREE = {1: 2000, 2: 2000, 3: 2000}


def lines(explanation: Explanation, about: str) -> list[Line]:
    """The lines of one section."""
    return [line for part in explanation.sections if part.about == about for line in part.lines]


def said(explanation: Explanation, about: str) -> dict[str, tuple[str, ...]]:
    """The sentences of one section with their rules."""
    return {line.text: line.rules for line in lines(explanation, about)}


def now(table: Table, about: str) -> dict[str, tuple[str, ...]]:
    return said(explain("h", table.log, len(table.log)), about)


def third_street(*acts: str, **about: Any) -> Table:
    """Seat 1 has the lowest door card; small bet 20, bring-in 10."""
    stacks = about.pop("stacks", THREE)
    table = Table(started(stacks, **about))
    table.deal(doors(s1="2c", s2="Kd", s3="9h"))
    return table.act(*acts)


def step_of(table: Table, kind: type[e.Event]) -> int:
    return next(n for n, event in enumerate(table.log, 1) if isinstance(event, kind))


def checked_down(table: Table, cards: dict[int, list[str]] | None = None, *acts: str) -> Table:
    """Play `acts`, then check or call to the end; `cards[s]` in the order seat `s` gets them."""
    words, left = list(acts), {seat: list(held) for seat, held in (cards or {}).items()}
    while not table.now.completed:
        if due := cards_due(table.now):
            each = due.down + due.up
            hands = {seat: [left[seat].pop(0) for _ in range(each)] for seat in due.seats
                     if len(left.get(seat, ())) >= each}  # fmt: skip
            table.deal({seat: " ".join(held) for seat, held in hands.items()})
        elif words:
            table.act(words.pop(0))
        else:
            passive = [x for x in legal_actions(table.now) if x.size is None and x.action != "fold"]
            table.act(f"{passive[0].seat} {passive[0].action}")
    return table
