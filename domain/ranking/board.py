"""The exposed board that opens a street (B1): no straights, no flushes, the ace high."""

from __future__ import annotations

from collections.abc import Collection

from domain.cards import RANK
from domain.ranking.groups import BITS, SHAPES, ScoreTable, count_of_one, in_order
from domain.ranking.judged import Judged, playing
from domain.ranking.score import Category, ranks_of, score_of
from domain.ranking.words import words_of
from domain.units import Card

ACE = 14
_CATEGORY: dict[tuple[int, ...], Category] = {
    tuple(size for size in shape if size > 1): category for category, shape in SHAPES.items()
}

_added_by = count_of_one(RANK).__getitem__


def board_score(cards: Collection[Card]) -> int:
    """The score of one to five exposed `cards`; larger is higher (B1)."""
    return _boards[sum(map(_added_by, cards))]


def judge_board(cards: Collection[Card]) -> Judged:
    """One to five exposed `cards`, best first, and what the floor calls them (B1)."""
    score = board_score(cards)
    return Judged(score, playing(cards, ranks_of(score), RANK), words_of(score))


def _board_score(count: int) -> int:
    """A board counts whole: quads, full house, trips, two pair, pair, high card, kickers."""
    groups = [(count >> BITS * rank & 0b111, rank) for rank in range(2, ACE + 1)]
    alike = tuple(size for size, _ in sorted(groups, reverse=True) if size > 1)
    return score_of(_CATEGORY[alike], in_order(groups))


_boards = ScoreTable(_board_score)
