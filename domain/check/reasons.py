"""Whether what a record says it compared are cards those seats had (S3, B1, G1-G3, P5, P6)."""

from __future__ import annotations

from domain import events as e
from domain.cards import known
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.openers import board
from domain.rules.showdown import cards_of
from domain.units import UNKNOWN, Card


def check_opening_reason(hand: Hand, event: e.BettingOpened) -> tuple[Finding, ...]:
    """Only exposed cards are compared for the opening (S3, B1)."""
    held = {p.seat: board(hand, p) for p in hand.seats}
    return _compared(hand, event.reason, held)


def check_award_reason(hand: Hand, event: e.PotAwarded) -> tuple[Finding, ...]:
    """Only cards of the hands themselves are compared for an award (G1-G3, P6)."""
    if not event.reason.compared:
        return ()
    return _compared(hand, event.reason, {p.seat: cards_of(hand, p) for p in hand.seats})


def _compared(
    hand: Hand, reason: e.Reason, held: dict[int, tuple[Card, ...]]
) -> tuple[Finding, ...]:
    """At most one finding. A card the record does not show may be any that is compared."""
    for one in reason.compared:
        cards = held.get(one.seat, ())
        others = set(known(one.cards)).difference(cards)
        if len(others) > cards.count(UNKNOWN):
            has, named = " ".join(cards) or "no cards", " ".join(one.cards)
            text = f"The record compares {named} of seat {one.seat}, who has {has}."
            return (object_to(hand, reason.rule, has, named, text),)
    return ()
