"""The best high hand of five to eight cards (G1, G8)."""

from __future__ import annotations

from collections.abc import Collection

from domain.cards import RANK, SUIT, SUITS
from domain.ranking.groups import (
    BITS,
    SHAPES,
    RankSet,
    ScoreTable,
    best_score,
    count_of_one,
    highest,
    ranks_held,
)
from domain.ranking.judged import Judged, playing
from domain.ranking.score import HAND_SIZE, Category, category_of, ranks_of, score_of
from domain.ranking.words import words_of
from domain.units import Card

ACE = 14
BEST_FIRST = tuple(reversed(SHAPES))

# A card adds one to its suit's four bits and one to its rank's three bits above them. Suits
# start at three, so that the fifth card of a suit sets its highest bit.
_RANKS_FROM = 4 * len(SUITS)
_THREE_OF_EACH_SUIT = 0x3333
_FIVE_OF_A_SUIT = 0x8888
_added_by = {
    card: (count << _RANKS_FROM) + (1 << 4 * SUIT[card])
    for card, count in count_of_one(RANK).items()
}.__getitem__


def high_score(cards: Collection[Card]) -> int:
    """The score of the best five of five to eight `cards`; larger is better (G1, G8)."""
    count = sum(map(_added_by, cards), _THREE_OF_EACH_SUIT)
    score = _unsuited[count >> _RANKS_FROM]
    if count & _FIVE_OF_A_SUIT:
        return max(score, _flush_score(_flush_cards(cards)))
    return score


def judge_high(cards: Collection[Card]) -> Judged:
    """The best five of five to eight `cards`, and what the floor calls them (G1, G8)."""
    score = high_score(cards)
    if category_of(score) in (Category.FLUSH, Category.STRAIGHT_FLUSH):
        cards = _flush_cards(cards)
    return Judged(score, playing(cards, ranks_of(score), RANK), words_of(score))


def _unsuited_score(count: int) -> int:
    """The best hand of these ranks, suits forgotten."""
    held = ranks_held(count)
    score = best_score(held, BEST_FIRST, highest)
    if straight := _best_straight(held[1]):
        return max(score, score_of(Category.STRAIGHT, straight))
    return score


_unsuited = ScoreTable(_unsuited_score)


def _flush_score(cards: Collection[Card]) -> int:
    """The best hand of five or more `cards` of one suit."""
    ranks = sorted((RANK[card] for card in cards), reverse=True)
    if straight := _best_straight(sum(1 << BITS * rank for rank in ranks)):
        return score_of(Category.STRAIGHT_FLUSH, straight)
    return score_of(Category.FLUSH, ranks[:HAND_SIZE])


def _flush_cards(cards: Collection[Card]) -> list[Card]:
    """The cards of the suit that has five or more; eight cards have at most one such suit."""
    suits = [SUIT[card] for card in cards]
    return [card for card in cards if suits.count(SUIT[card]) >= HAND_SIZE]


def _best_straight(ranks: RankSet) -> tuple[int, ...]:
    """The highest five ranks in a row among `ranks`; empty if there are none (G8)."""
    ranks |= ranks >> BITS * (ACE - 1) & 1 << BITS  # An ace is also below the two.
    bottoms = ranks
    for above in range(1, HAND_SIZE):
        bottoms &= ranks >> BITS * above
    bottom = bottoms.bit_length() // BITS
    return _STRAIGHTS[bottom] if bottom else ()


_STRAIGHTS: dict[int, tuple[int, ...]] = {
    bottom: tuple(range(bottom + HAND_SIZE - 1, bottom - 1, -1)) for bottom in range(2, ACE - 3)
} | {1: (5, 4, 3, 2, ACE)}
"""The ranks of every straight by its lowest, the ace being 1 there (G8)."""
