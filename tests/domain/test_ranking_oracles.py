"""The same order as two other evaluators give, over random hands."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random

import pytest

from domain.cards import DECK, RANKS, SUITS
from domain.ranking import high_score, low8_score, low_any_score

FEW, MANY = 5_000, 100_000


def random_hands(number: int) -> list[list[str]]:
    random = Random(7)
    return [random.sample(DECK, 7) for _ in range(number)]


def assert_same_order(scores: Sequence[int], ranks: Sequence[int]) -> None:
    """Scores rise exactly where the other's ranks rise, and tie exactly where they tie."""
    pairs = sorted(set(zip(scores, ranks, strict=True)))
    assert len(pairs) == len(set(scores)) == len(set(ranks))
    others = [rank for _, rank in pairs]
    assert others == sorted(others)


def against_phevaluator(number: int) -> None:
    phevaluator = pytest.importorskip("phevaluator", reason="it has no wheel for this machine")
    hands = random_hands(number)
    ranks = [-phevaluator.evaluate_cards(*cards) for cards in hands]
    assert_same_order([high_score(cards) for cards in hands], ranks)


def high_against_pokerkit(number: int) -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="a development dependency")
    hands = random_hands(number)
    others = [pokerkit.StandardHighHand.from_game("".join(cards)) for cards in hands]
    assert_same_order([high_score(cards) for cards in hands], [hand.entry.index for hand in others])


def low8_against_pokerkit(number: int) -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="a development dependency")
    read = pokerkit.EightOrBetterLowHand.from_game_or_none
    hands = random_hands(number)
    scores = [low8_score(cards) for cards in hands]
    others = [read("".join(cards)) for cards in hands]
    assert [score is None for score in scores] == [hand is None for hand in others]
    assert_same_order(
        [score for score in scores if score is not None],
        [-hand.entry.index for hand in others if hand is not None],
    )


def low_any_against_pokerkit(hands: Sequence[Sequence[str]]) -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="a development dependency")
    others = [pokerkit.RegularLowHand.from_game("".join(cards)) for cards in hands]
    assert_same_order(
        [low_any_score(cards) for cards in hands], [-hand.entry.index for hand in others]
    )


def test_phevaluator_ranks_high_hands_in_the_same_order() -> None:
    against_phevaluator(FEW)


def test_pokerkit_ranks_high_hands_in_the_same_order() -> None:
    high_against_pokerkit(FEW)


def test_pokerkit_ranks_eight_or_better_lows_in_the_same_order() -> None:
    low8_against_pokerkit(FEW)


def test_pokerkit_ranks_lows_without_a_qualifier_in_the_same_order() -> None:
    low_any_against_pokerkit(random_hands(FEW))


def test_pokerkit_ranks_every_low_of_five_cards_in_the_same_order() -> None:
    hands = [
        [rank + SUITS[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
        for ranks in combinations_with_replacement(RANKS, 5)
        if len(set(ranks)) > 1
    ]
    assert len(hands) == 6_175
    low_any_against_pokerkit(hands)


@pytest.mark.slow
def test_phevaluator_agrees_on_a_hundred_thousand_high_hands() -> None:
    against_phevaluator(MANY)


@pytest.mark.slow
def test_pokerkit_agrees_on_a_hundred_thousand_high_hands() -> None:
    high_against_pokerkit(MANY)


@pytest.mark.slow
def test_pokerkit_agrees_on_a_hundred_thousand_eight_or_better_lows() -> None:
    low8_against_pokerkit(MANY)


@pytest.mark.slow
def test_pokerkit_agrees_on_a_hundred_thousand_lows_without_a_qualifier() -> None:
    low_any_against_pokerkit(random_hands(MANY))
