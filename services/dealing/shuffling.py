"""Fisher and Yates's shuffle: every order of the deck is as likely as any other (G4)."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from domain.cards import DECK
from domain.units import Card

RandomBelow = Callable[[int], int]
"""The dice: a number from 0 to one below the bound, each as likely as any other."""


def shuffle(
    random_below: RandomBelow = secrets.randbelow, deck: tuple[Card, ...] = DECK
) -> tuple[Card, ...]:
    """All cards of the deck, top first.

    Each sequence of throws gives another order, and each order comes from one of them: fair dice
    make fair decks. The default throws the operating system's.
    """
    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        chosen = random_below(last + 1)
        assert 0 <= chosen <= last, "the dice stay below their bound"
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)
