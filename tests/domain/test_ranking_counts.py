"""How many hands there are of every kind: counts known from combinatorics, not from us.

Hands that differ only by an exchange of suits are counted together, which suits allow (G7; the
property tests hold it). That leaves six million of the 133,784,560 hands of seven cards.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, groupby, product
from math import comb, factorial, prod

import pytest

from domain.cards import RANKS, SUITS
from domain.ranking import board_score, high_score, low8_score, low_any_score
from domain.ranking.score import Category, category_of

HANDS_OF_FIVE = {
    Category.STRAIGHT_FLUSH: 40,
    Category.QUADS: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.TRIPS: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}
HANDS_OF_SEVEN = {
    Category.STRAIGHT_FLUSH: 41_584,
    Category.QUADS: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.TRIPS: 6_461_620,
    Category.TWO_PAIR: 31_433_400,
    Category.PAIR: 58_627_800,
    Category.HIGH_CARD: 23_294_460,
}
EIGHT_OR_BETTER_OF_SEVEN = 24_530_944

ranks_of_a_suit = {
    number: ["".join(ranks) for ranks in combinations(RANKS, number)] for number in range(8)
}
cards_of_a_suit = {
    suit: {
        ranks: [rank + suit for rank in ranks]
        for each in ranks_of_a_suit.values()
        for ranks in each
    }
    for suit in SUITS
}


def hands_and_how_many(size: int) -> Iterator[tuple[list[str], int]]:
    """One hand of `size` cards for all that are the same up to suits, and how many they are."""
    clubs, diamonds, hearts, spades = (cards_of_a_suit[suit] for suit in SUITS)
    for numbers in product(range(size, -1, -1), repeat=len(SUITS)):
        if sum(numbers) != size or list(numbers) != sorted(numbers, reverse=True):
            continue
        choices = [
            combinations_with_replacement(ranks_of_a_suit[number], len(list(suits)))
            for number, suits in groupby(numbers)
        ]
        for chosen in product(*choices):
            c, d, h, s = suits = [ranks for group in chosen for ranks in group]
            yield clubs[c] + diamonds[d] + hearts[h] + spades[s], exchanges(suits)


def exchanges(suits: list[str]) -> int:
    """How many different hands come from exchanging the suits of one."""
    if len(set(suits)) == len(SUITS):
        return factorial(len(SUITS))
    return factorial(len(SUITS)) // prod(factorial(n) for n in Counter(suits).values())


def in_suits(ranks: tuple[str, ...]) -> list[str]:
    """A hand of these ranks, in as few suits as can be."""
    return [rank + SUITS[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]


def rank_multisets(size: int) -> list[tuple[str, ...]]:
    """Every choice of `size` ranks of which no more than four are alike."""
    return [
        ranks
        for ranks in combinations_with_replacement(RANKS, size)
        if max(Counter(ranks).values()) <= len(SUITS)
    ]


def test_five_cards_make_as_many_high_hands_of_each_kind_as_combinatorics_says() -> None:
    found: Counter[Category] = Counter()
    scores = set()
    for cards, how_many in hands_and_how_many(5):
        score = high_score(cards)
        scores.add(score)
        found[category_of(score)] += how_many
    assert found == HANDS_OF_FIVE
    assert found.total() == comb(52, 5)
    assert len(scores) == 7_462


def test_there_are_fifty_six_lows_of_eight_or_better() -> None:
    scores = {low8_score(in_suits(ranks)) for ranks in rank_multisets(5)}
    assert len(scores - {None}) == comb(8, 5) == 56


def test_every_five_ranks_are_a_different_low_without_a_qualifier() -> None:
    multisets = rank_multisets(5)
    assert len({low_any_score(in_suits(ranks)) for ranks in multisets}) == len(multisets) == 6_175


def test_every_board_of_one_to_four_cards_has_its_own_place() -> None:
    multisets = [ranks for size in range(1, 5) for ranks in rank_multisets(size)]
    assert len({board_score(in_suits(ranks)) for ranks in multisets}) == len(multisets) == 2_379


def test_every_board_of_five_cards_has_its_own_place() -> None:
    assert len({board_score(in_suits(ranks)) for ranks in rank_multisets(5)}) == 6_175


@pytest.mark.parametrize("size", [6, 7])
def test_a_hand_of_few_ranks_is_as_low_as_its_lowest_five_cards(size: int) -> None:
    few = [ranks for ranks in rank_multisets(size) if len(set(ranks)) < 5]
    for cards in map(in_suits, few):
        assert low_any_score(cards) == max(map(low_any_score, combinations(cards, 5)))


@pytest.mark.slow
@pytest.mark.parametrize("score", [high_score, low_any_score])
def test_seven_ranks_are_as_good_as_their_best_five(score: Callable[[Sequence[str]], int]) -> None:
    for cards in map(in_suits, rank_multisets(7)):
        assert score(cards) == max(map(score, combinations(cards, 5)))


@pytest.mark.slow
def test_seven_cards_make_as_many_hands_of_each_kind_as_combinatorics_says() -> None:
    found: Counter[Category] = Counter()
    lows = 0
    for cards, how_many in hands_and_how_many(7):
        found[category_of(high_score(cards))] += how_many
        if low8_score(cards) is not None:
            lows += how_many
    assert found == HANDS_OF_SEVEN
    assert found.total() == comb(52, 7)
    assert lows == EIGHT_OR_BETTER_OF_SEVEN
