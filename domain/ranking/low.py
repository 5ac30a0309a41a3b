"""The best low hand: with the eight-or-better qualifier (G2) and without one (G3).

Both rank low hands alike, for a hand that qualifies is one without a pair.
"""

from __future__ import annotations

from collections.abc import Collection

from domain.cards import LOW_RANK
from domain.ranking.groups import SHAPES, ScoreTable, best_score, count_of_one, lowest, ranks_held
from domain.ranking.judged import Judged, playing
from domain.ranking.score import Category, ranks_of, score_of
from domain.ranking.words import low_words_of
from domain.units import Card

_WORST = 0xFFFFFF
"""Above every packed low hand: a score is what a hand is short of it, so larger is lower."""

EIGHT_OR_BETTER = _WORST - score_of(Category.HIGH_CARD, (8, 7, 6, 5, 4))
"""The score of the worst low that qualifies (G2)."""

_added_by = count_of_one(LOW_RANK).__getitem__


def low_any_score(cards: Collection[Card]) -> int:
    """The score of the best low among five to eight `cards`; larger is lower (G3)."""
    return _lows[sum(map(_added_by, cards))]


def low8_score(cards: Collection[Card]) -> int | None:
    """The score of the best eight-or-better low, larger is lower; `None` without one (G2)."""
    score = _lows[sum(map(_added_by, cards))]
    return score if score >= EIGHT_OR_BETTER else None


def judge_low_any(cards: Collection[Card]) -> Judged:
    """The best low five of five to eight `cards`, and what the floor calls them (G3)."""
    return _judged(low_any_score(cards), cards)


def judge_low8(cards: Collection[Card]) -> Judged | None:
    """The best eight-or-better low of `cards`; `None` if they do not qualify (G2)."""
    score = low8_score(cards)
    return None if score is None else _judged(score, cards)


def _judged(score: int, cards: Collection[Card]) -> Judged:
    low = _WORST - score
    return Judged(score, playing(cards, ranks_of(low), LOW_RANK, low=True), low_words_of(low))


def _low_score(count: int) -> int:
    """The best low of these ranks: the fewest cards alike, then the lowest ranks."""
    return _WORST - best_score(ranks_held(count), SHAPES, lowest)


_lows = ScoreTable(_low_score)
