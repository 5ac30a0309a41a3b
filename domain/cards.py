"""The 52 cards, their ranks and the suit orders that odd chips and the bring-in use."""

from __future__ import annotations

from collections.abc import Iterable

from domain.units import UNKNOWN, Card

RANKS = "23456789TJQKA"
SUITS = "cdhs"
"""Clubs < diamonds < hearts < spades, the order of every suit rule (S3, P6)."""

DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Fifty-two different cards, the fresh deck of every hand (G4)."""

RANK: dict[Card, int] = {card: RANKS.index(card[0]) + 2 for card in DECK}
"""Rank of a card with the ace high: 2 … 14 (G8)."""

LOW_RANK: dict[Card, int] = {card: rank if rank < 14 else 1 for card, rank in RANK.items()}
"""Rank of a card with the ace low: 1 … 13 (G2, G3)."""

SUIT: dict[Card, int] = {card: SUITS.index(card[1]) for card in DECK}
"""Suit of a card, 0 clubs … 3 spades."""

RANK_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip


def all_known(cards: Iterable[Card]) -> bool:
    """Whether no card is the unknown card `??`."""
    return UNKNOWN not in cards


def known(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards the record shows, in order."""
    return tuple(card for card in cards if card != UNKNOWN)
