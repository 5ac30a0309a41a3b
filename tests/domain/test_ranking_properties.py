"""What holds for every hand, whatever the cards."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import DECK, LOW_RANK, RANK, SUITS
from domain.ranking import (
    Judged,
    board_score,
    high_score,
    judge_board,
    judge_high,
    judge_low8,
    judge_low_any,
    low8_score,
    low_any_score,
)

Score = Callable[[Sequence[str]], int | None]
SCORES = (high_score, low8_score, low_any_score)
Judge = Callable[[Sequence[str]], Judged | None]
NO_LOW = -1

hands = st.lists(st.sampled_from(DECK), min_size=5, max_size=8, unique=True)
boards = st.lists(st.sampled_from(DECK), min_size=1, max_size=5, unique=True)
other_suits = st.permutations(SUITS)
quick = settings(deadline=None, max_examples=120)


def in_suits(cards: Sequence[str], suits: Sequence[str]) -> list[str]:
    return [rank + suits[SUITS.index(suit)] for rank, suit in cards]


@pytest.mark.parametrize("score", SCORES)
@given(cards=hands, suits=other_suits)
@quick
def test_suits_never_decide(score: Score, cards: list[str], suits: list[str]) -> None:
    assert score(in_suits(cards, suits)) == score(cards)


@given(cards=boards, suits=other_suits)
@quick
def test_suits_never_decide_between_boards(cards: list[str], suits: list[str]) -> None:
    assert board_score(in_suits(cards, suits)) == board_score(cards)


@pytest.mark.parametrize("score", SCORES)
@given(cards=hands, data=st.data())
@quick
def test_the_order_of_the_cards_is_no_matter(
    score: Score, cards: list[str], data: st.DataObject
) -> None:
    assert score(data.draw(st.permutations(cards))) == score(cards)


@pytest.mark.parametrize("score", SCORES)
@given(cards=st.lists(st.sampled_from(DECK), min_size=6, max_size=8, unique=True))
@quick
def test_one_more_card_never_makes_a_hand_worse(score: Score, cards: list[str]) -> None:
    fewer, more = score(cards[:-1]), score(cards)
    assert (NO_LOW if more is None else more) >= (NO_LOW if fewer is None else fewer)


@pytest.mark.parametrize("judge", [judge_high, judge_low8, judge_low_any])
@given(cards=hands)
@quick
def test_the_five_cards_that_play_are_worth_the_whole_hand(judge: Judge, cards: list[str]) -> None:
    judged = judge(cards)
    if judged is not None:
        assert len(set(judged.cards)) == 5
        assert set(judged.cards) <= set(cards)
        assert judge(judged.cards) == judged


@pytest.mark.parametrize("judge", [judge_high, judge_low8, judge_low_any])
@given(cards=hands, data=st.data())
@quick
def test_the_same_cards_always_give_the_same_answer(
    judge: Judge, cards: list[str], data: st.DataObject
) -> None:
    assert judge(data.draw(st.permutations(cards))) == judge(cards)


@given(one=hands, other=hands)
@quick
def test_two_hands_have_the_same_words_exactly_when_they_tie(
    one: list[str], other: list[str]
) -> None:
    for judge in (judge_high, judge_low_any):
        assert (judge(one).words == judge(other).words) == (judge(one).score == judge(other).score)


@given(cards=boards)
@quick
def test_a_board_counts_whole(cards: list[str]) -> None:
    assert sorted(judge_board(cards).cards) == sorted(cards)


@given(cards=hands)
@quick
def test_a_low_of_eight_or_better_needs_five_different_ranks_up_to_eight(cards: list[str]) -> None:
    small = {LOW_RANK[card] for card in cards if LOW_RANK[card] <= 8}
    assert (low8_score(cards) is not None) == (len(small) >= 5)


@given(cards=hands)
@quick
def test_a_qualifying_low_ranks_the_same_without_the_qualifier(cards: list[str]) -> None:
    assert low8_score(cards) in (None, low_any_score(cards))


def board_key(cards: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sizes of the groups first, then their ranks: B1 read aloud."""
    ranks = [RANK[card] for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(size for size, _ in groups), tuple(rank for _, rank in groups)


@given(cards=st.lists(st.sampled_from(DECK), min_size=10, max_size=10, unique=True), n=st.data())
@quick
def test_boards_go_by_what_is_alike_then_by_rank(cards: list[str], n: st.DataObject) -> None:
    size = n.draw(st.integers(1, 5))
    one, other = cards[:size], cards[5 : 5 + size]
    assert (board_score(one) > board_score(other)) == (board_key(one) > board_key(other))
    assert (board_score(one) == board_score(other)) == (board_key(one) == board_key(other))
