"""Hands as a floor person calls them."""

from __future__ import annotations

from functools import cache

from domain.cards import RANK_WORDS, RANKS
from domain.ranking.score import Category, category_of, ranks_of

ROYAL = 0x8EDCBA
"""The straight flush from ten to ace, which has a name of its own."""

_CALLED: dict[Category, tuple[str, int]] = {
    Category.HIGH_CARD: ("{one[0]} high", 1),
    Category.PAIR: ("pair of {many[0]}", 2),
    Category.TWO_PAIR: ("two pair, {many[0]} and {many[2]}", 4),
    Category.TRIPS: ("three {many[0]}", 3),
    Category.STRAIGHT: ("straight, {one[4]} to {one[0]}", 5),
    Category.FLUSH: ("flush, {one[0]}-{one[1]}-{one[2]}-{one[3]}-{one[4]}", 5),
    Category.FULL_HOUSE: ("full house, {many[0]} full of {many[3]}", 5),
    Category.QUADS: ("four {many[0]}", 4),
    Category.STRAIGHT_FLUSH: ("straight flush, {one[4]} to {one[0]}", 5),
}
"""What a hand is called, and how many cards that names; what is left are kickers."""


@cache
def words_of(score: int) -> str:
    """A packed high hand or board in words.

    >>> words_of(0x2CC77E)
    'two pair, queens and sevens, ace kicker'
    """
    if score == ROYAL:
        return "royal flush"
    called, named = _CALLED[category_of(score)]
    ranks = ranks_of(score)
    one = [_name(rank) for rank in ranks]
    many = [_plural(name) for name in one]
    return called.format(one=one, many=many) + _kickers(one[named:])


@cache
def low_words_of(low: int) -> str:
    """A packed low hand in words, the ace being rank 1.

    >>> low_words_of(0x086431)
    '8-6-4-3-A low'
    >>> low_words_of(0x133942)
    'pair of threes, nine-four-two kickers, for low'
    """
    if category_of(low) is Category.HIGH_CARD:
        return "-".join(RANKS[rank - 2] for rank in ranks_of(low)) + " low"
    return words_of(low) + ", for low"


def _name(rank: int) -> str:
    """The word for a rank; 1 and 14 are both the ace, the last of the ranks."""
    return RANK_WORDS[rank - 2]


def _plural(name: str) -> str:
    return name + ("es" if name == "six" else "s")


def _kickers(names: list[str]) -> str:
    """The kickers as a tail, such as `, ace-nine kickers`; empty without any."""
    if not names:
        return ""
    return f", {'-'.join(names)} {'kicker' if len(names) == 1 else 'kickers'}"
