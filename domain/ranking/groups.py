"""Pairs, trips and quads: the part of a hand that depends on ranks alone.

The ranks of a hand are counted in one integer, three bits per rank from the lowest up, so that
counting cards is adding and a hand's count is the key of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from domain.ranking.score import Category, score_of
from domain.units import Card

SHAPES: tuple[tuple[Category, tuple[int, ...]], ...] = (
    (Category.HIGH_CARD, (1, 1, 1, 1, 1)),
    (Category.PAIR, (2, 1, 1, 1)),
    (Category.TWO_PAIR, (2, 2, 1)),
    (Category.TRIPS, (3, 1, 1)),
    (Category.FULL_HOUSE, (3, 2)),
    (Category.QUADS, (4, 1)),
)
"""How many cards of one rank each kind of hand holds, the most numerous first."""

Held = tuple[list[int], list[int], list[int], list[int], list[int]]
"""`held[n]`: the ranks of which a hand has at least n cards, in the order they are wanted."""


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
    return {card: 1 << 3 * rank for card, rank in rank_of.items()}


def ranks_held(count: int, wanted: Iterable[int]) -> Held:
    """The ranks in `count`, in the order of `wanted`, by how many cards there are at least."""
    held: Held = ([], [], [], [], [])
    for rank in wanted:
        for least in range(1, (count >> 3 * rank & 0b111) + 1):
            held[least].append(rank)
    return held


def best_score(held: Held, shapes: Iterable[tuple[Category, tuple[int, ...]]]) -> int:
    """The score of the first of `shapes` that `held` can fill, with its most wanted ranks."""
    for category, shape in shapes:
        if all(len(held[size]) > place for place, size in enumerate(shape)):
            return score_of(category, _fill(shape, held))
    raise AssertionError("five cards always make a hand")


def _fill(shape: tuple[int, ...], held: Held) -> list[int]:
    """The ranks of five cards of this shape, in the order in which they are compared."""
    groups: list[tuple[int, int]] = []
    taken: set[int] = set()
    for size in shape:
        rank = next(rank for rank in held[size] if rank not in taken)
        taken.add(rank)
        groups.append((size, rank))
    return in_order(groups)


def in_order(groups: Iterable[tuple[int, int]]) -> list[int]:
    """Ranks card by card of (size, rank) groups: the largest group first, then the highest."""
    return [rank for size, rank in sorted(groups, reverse=True) for _ in range(size)]
