"""Hands told fact by fact: bets of any size, on any street, as a record may hold them."""

from __future__ import annotations

from typing import Any

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from tests.support.bdd import Table, started

DEEP = 1_000_000
STREETS = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}


def told(hands: dict[int, str], *acts: str, **about: Any) -> Table:
    """Everybody is dealt these cards, then this happens, then what follows by itself.

    `acts` are `"1 bet 20"`, `"2 raise 40"` (totals on the street), `"3 call 12"` (chips put in),
    `"1 check"`, `"2 fold"`, `"3 time_out"`; `"fourth"` deals up to fourth street, and so on;
    without such a word first everything happens on seventh street.
    `stacks` may name seats that are not deep; other words go to the first fact of the hand.
    """
    stacks = dict.fromkeys(hands, DEEP) | about.pop("stacks", {})
    hand = evolve(None, started(stacks, **about))
    facts: list[e.HandEvent] = [hand.started]
    cards = {seat: text.split() for seat, text in hands.items()}
    for act in acts if acts[0] in STREETS else ("seventh", *acts):
        for fact in _facts(hand, act, cards):
            hand = evolve(hand, fact)
            facts.append(fact)
    return Table.of_facts(facts)


def _facts(hand: Hand, act: str, cards: dict[int, list[str]]) -> list[e.HandEvent]:
    if act in STREETS:
        return _dealt(hand, max(hand.betting.street, 2) + 1, STREETS[act], cards)
    seat, name, *amount = act.split()
    return [_act(hand, int(seat), name, int(amount[0]) if amount else 0)]


def _dealt(hand: Hand, first: int, last: int, cards: dict[int, list[str]]) -> list[e.HandEvent]:
    """The cards of streets `first` to `last` for everyone still in, clockwise."""
    return [
        e.CardsDealt(seat=p.seat, street=street, down=down, up=up, positions=None)
        for street in range(first, last + 1)
        for p in hand.clockwise()
        if p.still_in
        for down, up in [_of_street(street, cards[p.seat])]
    ]


def _of_street(street: int, cards: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if street == 3:
        return tuple(cards[:2]), (cards[2],)
    return ((cards[6],), ()) if street == 7 else ((), (cards[street - 1],))


def _act(hand: Hand, seat: int, name: str, amount: int) -> e.HandEvent:
    player = hand.player(seat)
    if name in {"check", "fold"}:
        return e.Checked(seat=seat) if name == "check" else e.Folded(seat=seat)
    if name == "time_out":
        return timed_out(seat)
    if name == "call":
        return e.Called(seat=seat, amount=amount, all_in=amount == player.stack)
    all_in = amount - player.street_total == player.stack
    kind = e.BetPlaced if name == "bet" else e.Raised
    return kind(seat=seat, to=amount, size="big", all_in=all_in)


def timed_out(seat: int, outcome: Any = "all_in") -> e.TimedOut:
    """A time-out without evidence."""
    return e.TimedOut(
        seat=seat, turn_started_at=None, deadline=None, disconnected_at=None, outcome=outcome
    )
