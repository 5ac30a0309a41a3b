"""What a score is made of: a category and the ranks that play, most important first.

Six hexadecimal digits say it all: two pair, queens and sevens, ace kicker is `0x2CC77E`.
Boards of fewer than five cards leave the last digits zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

HAND_SIZE = 5


class Category(IntEnum):
    """The standard order of high hands (G8); lows and boards never meet straights or flushes."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


def score_of(category: Category, ranks: Iterable[int]) -> int:
    """Pack a category and up to five ranks into one integer that compares as the hands do.

    >>> hex(score_of(Category.TWO_PAIR, (12, 12, 7, 7, 14)))
    '0x2cc77e'
    """
    score = int(category) << 4 * HAND_SIZE
    place = 4 * HAND_SIZE
    for rank in ranks:
        place -= 4
        score |= rank << place
    assert place >= 0, "no more than five cards play"
    return score


def category_of(score: int) -> Category:
    """The category packed into `score`."""
    return Category(score >> 4 * HAND_SIZE)


def ranks_of(score: int) -> tuple[int, ...]:
    """The ranks packed into `score`, most important first.

    >>> ranks_of(0x2CC77E)
    (12, 12, 7, 7, 14)
    """
    digits = (score >> place & 0xF for place in range(4 * HAND_SIZE - 4, -1, -4))
    return tuple(rank for rank in digits if rank)
