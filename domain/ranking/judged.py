"""What a judged hand says for itself, and which cards of it play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.cards import SUIT
from domain.discreet import Discreet
from domain.units import Card


class Judged(Discreet, frozen=True):
    """A hand as it counts: its score, the cards that play (most important first), in words."""

    score: int
    cards: tuple[Card, ...]
    words: str


def playing(
    cards: Iterable[Card],
    ranks: Iterable[int],
    rank_of: Mapping[Card, int],
    *,
    low: bool = False,
) -> tuple[Card, ...]:
    """A card of `cards` for each of `ranks`.

    Where several have the rank, the highest suit plays in a high hand and the lowest in a low
    one: no matter for the score (G7), but an odd chip by suit looks at the five that play (P6).
    """
    waiting: dict[int, list[Card]] = {}
    for card in sorted(cards, key=SUIT.__getitem__, reverse=low):
        waiting.setdefault(rank_of[card], []).append(card)
    return tuple(waiting[rank].pop() for rank in ranks)
