"""Pairs, trips and quads: the part of a hand that depends on ranks alone.

The ranks of a hand are counted in one integer, three bits for each rank, so that counting cards
is adding and the count is the key of a table. A set of ranks is the same integer with only the
lowest of the three bits set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from domain.ranking.score import Category, score_of
from domain.units import Card

RankSet = int
BITS = 3

SHAPES: dict[Category, tuple[int, ...]] = {
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
    Category.PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.TRIPS: (3, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.QUADS: (4, 1),
}
"""How many cards of one rank each kind of hand holds, the most numerous first."""

# The n-th group of a size asks for n ranks held that often; (2, 1, 1, 1) asks for one rank
# held twice and four held at all, the pair among them.
_NEEDS: dict[Category, tuple[tuple[int, int], ...]] = {
    category: tuple({size: nth for nth, size in enumerate(shape, start=1)}.items())
    for category, shape in SHAPES.items()
}
_ONE_OF_EACH = sum(1 << BITS * rank for rank in range(1, 15))


class ScoreTable(dict[int, int]):
    """Scores by count of ranks, each worked out when it is first asked for."""

    def __init__(self, work_out: Callable[[int], int]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, count: int) -> int:
        score = self[count] = self._work_out(count)
        return score


def count_of_one(rank_of: Mapping[Card, int]) -> dict[Card, int]:
    """What each card adds to the count of ranks."""
    return {card: 1 << BITS * rank for card, rank in rank_of.items()}


def ranks_held(count: int) -> tuple[RankSet, ...]:
    """The ranks in `count`: at place n those of which there are at least n cards, n 1 … 4."""
    odd = count & _ONE_OF_EACH
    two_or_three = count >> 1 & _ONE_OF_EACH
    four = count >> 2 & _ONE_OF_EACH
    return (0, odd | two_or_three | four, two_or_three | four, odd & two_or_three | four, four)


def highest(ranks: RankSet) -> RankSet:
    """The highest of some ranks."""
    return 1 << ranks.bit_length() - 1


def lowest(ranks: RankSet) -> RankSet:
    """The lowest of some ranks."""
    return ranks & -ranks


def best_score(
    held: tuple[RankSet, ...],
    categories: Iterable[Category],
    wanted: Callable[[RankSet], RankSet],
) -> int:
    """The score of the first of `categories` that can be made, of its most `wanted` ranks."""
    numbers = [ranks.bit_count() for ranks in held]
    for category in categories:
        for size, least in _NEEDS[category]:
            if numbers[size] < least:
                break
        else:
            return score_of(category, in_order(_fill(SHAPES[category], held, wanted)))
    raise AssertionError("five cards always make a hand")


def _fill(
    shape: tuple[int, ...], held: tuple[RankSet, ...], wanted: Callable[[RankSet], RankSet]
) -> list[tuple[int, int]]:
    """The groups, as (size, rank), of the best five cards of this shape."""
    groups = []
    left = -1
    for size in shape:
        rank = wanted(held[size] & left)
        left &= ~rank
        groups.append((size, rank.bit_length() // BITS))
    return groups


def in_order(groups: Iterable[tuple[int, int]]) -> list[int]:
    """Ranks card by card of (size, rank) groups: the largest group first, then the highest."""
    ranks: list[int] = []
    for size, rank in sorted(groups, reverse=True):
        ranks += (rank,) * size
    return ranks
