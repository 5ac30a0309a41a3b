"""Whether what a record says it compared are cards those seats had (S3, B1, G1-G3, P5, P6)."""

from __future__ import annotations

from collections.abc import Callable

from domain import events as e
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand, Player
from domain.rules.openers import board
from domain.rules.showdown import cards_of
from domain.units import UNKNOWN, Card


def check_opening_reason(hand: Hand, event: e.BettingOpened) -> tuple[Finding, ...]:
    """Only exposed cards are compared for the opening (S3, B1)."""
    return _compared(hand, event.reason, board)


def check_award_reason(hand: Hand, event: e.PotAwarded) -> tuple[Finding, ...]:
    """Only cards of the hands themselves are compared for an award (G1-G3, P6)."""
    return _compared(hand, event.reason, cards_of)


def _compared(
    hand: Hand, reason: e.Reason, held: Callable[[Hand, Player], tuple[Card, ...]]
) -> tuple[Finding, ...]:
    """At most one finding. A card the record does not show may be any that is compared."""
    if not reason.compared:
        return ()
    players = {player.seat: player for player in hand.seats}
    for one in reason.compared:
        cards = held(hand, players[one.seat]) if one.seat in players else ()
        if not one.cards or one.cards == cards or _may_hold(cards, one.cards):
            continue
        has, named = " ".join(cards) or "no cards", " ".join(one.cards)
        text = f"The record compares {named} of seat {one.seat}, who has {has}."
        return (object_to(hand, reason.rule, has, named, text),)
    return ()


def _may_hold(cards: tuple[Card, ...], named: tuple[Card, ...]) -> bool:
    if set(named).issubset(cards):
        return True
    others = [card for card in named if card not in cards and card != UNKNOWN]
    return len(others) <= cards.count(UNKNOWN)
