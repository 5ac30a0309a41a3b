"""Hands ranked by the rulebook, one sentence at a time (G1, G2, G3, G7, G8, B1)."""

import pytest

from domain.ranking import (
    board_score,
    high_score,
    judge_board,
    judge_high,
    judge_low8,
    judge_low_any,
    low8_score,
    low_any_score,
)


def dealt(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def high(text: str) -> int:
    return high_score(dealt(text))


def low8(text: str) -> int | None:
    return low8_score(dealt(text))


def low(text: str) -> int:
    return low_any_score(dealt(text))


def board(text: str) -> int:
    return board_score(dealt(text))


# G1, G8: the best five of seven, the standard order.


def test_every_kind_of_high_hand_beats_the_kinds_below_it() -> None:
    rising = [
        "Ah Kd Qc Js 9h 8d 7c",
        "2h 2d 3c 4s 7h 8d 9c",
        "2h 2d 3c 3s 6h 8d 9c",
        "2h 2d 2c 4s 6h 8d 9c",
        "Ah 2d 3c 4s 5h 9d Tc",
        "2h 3h 4h 5h 7h Kd Kc",
        "2h 2d 2c 3s 3h Ad Kc",
        "2h 2d 2c 2s 4h 6d 8c",
        "Ah 2h 3h 4h 5h 9d Tc",
    ]
    scores = [high(hand) for hand in rising]
    assert scores == sorted(set(scores))


def test_the_ace_is_low_in_ace_to_five_and_that_straight_is_the_lowest() -> None:
    assert high("Ah 2d 3c 4s 5h") < high("2h 3d 4c 5s 6h") < high("Ah Kd Qc Js Th")


def test_a_straight_does_not_go_around_the_corner() -> None:
    assert judge_high(dealt("Kh Ad 2c 3s 4h")).words == "ace high, king-four-three-two kickers"


def test_a_pair_inside_a_straight_does_not_spoil_it() -> None:
    assert judge_high(dealt("9h 8d 7c 6s 5h 9c 8c")).words == "straight, five to nine"


def test_the_longer_run_plays_from_its_top() -> None:
    assert judge_high(dealt("Ah 2d 3c 4s 5h 6d 7c")).words == "straight, three to seven"


def test_the_highest_five_of_a_suit_play() -> None:
    judged = judge_high(dealt("2h 4h 6h 9h Jh Ah Kd"))
    assert judged.cards == ("Ah", "Jh", "9h", "6h", "4h")


def test_a_straight_and_a_flush_in_different_cards_are_a_flush() -> None:
    assert judge_high(dealt("9h 8h 7h 6d 5h 2h Kc")).words == "flush, nine-eight-seven-five-two"


def test_two_trips_are_a_full_house_of_the_higher() -> None:
    assert judge_high(dealt("7h 7d 7c Qh Qd Qc Ah")).words == "full house, queens full of sevens"


def test_of_two_pairs_the_higher_fills_the_house() -> None:
    assert judge_high(dealt("2h 2d 2c Ks Kd As Ac")).words == "full house, twos full of aces"


def test_the_third_pair_gives_way_to_a_higher_kicker() -> None:
    assert judge_high(dealt("Qh Qd 7c 7s 2h 2d Ac")).words == (
        "two pair, queens and sevens, ace kicker"
    )


def test_the_third_pair_may_be_the_kicker() -> None:
    assert judge_high(dealt("Qh Qd 7c 7s 4h 4d 2c")).words == (
        "two pair, queens and sevens, four kicker"
    )


def test_beside_quads_the_highest_other_card_plays() -> None:
    assert high("9h 9d 9c 9s 2h 2d Kc") == high("9h 9d 9c 9s Kh 3d 4c")


def test_of_eight_cards_a_full_house_beats_the_flush_it_shares_cards_with() -> None:
    hand = dealt("Ah Kh Qh 9h 2h As Ac Kd")
    assert judge_high(hand).words == "full house, aces full of kings"


def test_of_eight_cards_quads_beat_the_flush_they_share_a_card_with() -> None:
    assert judge_high(dealt("Ah Kh Qh 9h 2h As Ac Ad")).words == "four aces, king kicker"


# G7: suits never decide, sixth and seventh cards never matter.


def test_the_same_five_ranks_in_other_suits_tie() -> None:
    assert high("Ah Kd Qc Js 9h 3d 2c") == high("As Kc Qd Jh 9c 3h 2s")


def test_flushes_of_the_same_ranks_tie() -> None:
    assert high("Ah Jh 9h 5h 3h Kd Qc") == high("As Js 9s 5s 3s 2d 4c")


def test_the_sixth_and_seventh_cards_never_break_a_tie() -> None:
    assert high("Ah Ad Kc Qs Jh 9d 2c") == high("As Ac Kd Qh Jd 3c 2d")


def test_a_kicker_inside_the_five_decides() -> None:
    assert high("Ah Ad Kc Qs Jh 2d 3c") > high("As Ac Kd Qh Td 9c 8d")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ah Kd Qc Js 9h", "Ah Kd Qc Js 8h"),
        ("3h 3d 4c 5s 6h", "2h 2d Ac Ks Qh"),
        ("Kh Kd 2c 2s 3h", "Qh Qd Jc Js Ah"),
        ("Kh Kd 3c 3s 2h", "Kc Ks 2c 2d Ah"),
        ("3h 3d 3c 4s 5h", "2h 2d 2c As Kh"),
        ("3h 3d 3c 2s 2h", "2d 2c 2s As Ah"),
        ("3h 3d 3c As Ah", "3h 3d 3c Ks Kh"),
        ("3h 3d 3c 3s 2h", "2d 2c 2s 2h Ah"),
        ("Ah 6h 5h 4h 2h", "Kh Qh Jh Th 8h"),
        ("6h 5h 4h 3h 2h", "Ah 2h 3h 4h 5h"),
    ],
)
def test_hands_of_one_kind_compare_from_the_most_important_card_down(
    better: str, worse: str
) -> None:
    assert high(better) > high(worse)


# G2: eight or better.


def test_five_different_ranks_of_eight_or_lower_are_a_low() -> None:
    assert judge_low8(dealt("8h 7d 6c 5s 4h Kd Kc")).words == "8-7-6-5-4 low"


def test_a_nine_is_no_low() -> None:
    assert low8("9h 7d 6c 5s 4h Kd Kc") is None


def test_a_pair_leaves_four_different_ranks_and_no_low() -> None:
    assert low8("8h 7d 6c 5s 5h Kd Kc") is None
    assert judge_low8(dealt("8h 7d 6c 5s 5h Kd Kc")) is None


def test_the_ace_is_low() -> None:
    assert judge_low8(dealt("Ah 7d 6c 5s 2h Ad Kc")).words == "7-6-5-2-A low"


def test_lows_compare_from_the_highest_card_down() -> None:
    assert low8("7h 6d 5c 4s 3h") > low8("8h 4d 3c 2s Ah")
    assert low8("8h 6d 3c 2s Ah") > low8("8h 7d 3c 2s Ah")
    assert low8("8h 6d 4c 3s Ah") > low8("8h 6d 4c 3s 2h")


def test_a_straight_and_a_flush_do_not_count_against_a_low() -> None:
    assert low8("Ah 2h 3h 4h 5h Kd Kc") > low8("Ah 2d 3c 4s 6h Kd Kc")
    assert low8("Ah 2h 3h 4h 5h Kd Kc") == low8("As 2d 3c 4s 5d Qd Qc")


def test_the_same_cards_may_serve_high_and_low() -> None:
    wheel = dealt("Ah 2d 3c 4s 5h Kd Kc")
    assert set(judge_high(wheel).cards) == set(judge_low8(wheel).cards)


# G3: a low without a qualifier.


def test_every_kind_of_low_beats_the_kinds_with_more_cards_alike() -> None:
    falling = [
        "Kh Qd Jc Ts 9h",
        "Ah Ad 2c 3s 4h",
        "Ah Ad 2c 2s 3h",
        "Ah Ad Ac 2s 3h",
        "Ah Ad Ac 2s 2h",
        "Ah Ad Ac As 2h",
    ]
    scores = [low(hand) for hand in falling]
    assert scores == sorted(set(scores), reverse=True)


def test_straights_and_flushes_are_no_matter_to_a_low() -> None:
    assert low("5h 4h 3h 2h Ah") == low("5d 4h 3s 2c Ah")
    assert low("5h 4h 3h 2h Ah") > low("6h 4d 3c 2s Ah")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9h 8d 7c 6s 5h", "Th 4d 3c 2s Ah"),
        ("Ah Ad Kc Qs Jh", "2h 2d 3c 4s 5h"),
        ("Ah Ad Qc Js Th", "Ah Ad Kc 3s 2h"),
        ("3h 3d 2c 2s Kh", "4h 4d Ac As 2h"),
        ("4h 4d Ac As Kh", "4h 4d 2c 2s Ah"),
        ("Ah Ad Ac Ks Qh", "2h 2d 2c As 3h"),
        ("Ah Ad Ac Ks Kh", "2h 2d 2c As Ah"),
        ("Ah Ad Ac As Kh", "2h 2d 2c 2s Ah"),
    ],
)
def test_lows_of_one_kind_compare_from_the_highest_card_of_each_group_down(
    better: str, worse: str
) -> None:
    assert low(better) > low(worse)


def test_the_five_lowest_different_ranks_play() -> None:
    assert judge_low_any(dealt("Kh Kd Qc 9s 4h 2d Ac")).words == "Q-9-4-2-A low"


def test_of_four_different_ranks_the_lowest_pair_plays() -> None:
    assert judge_low_any(dealt("Kh Kd Qc Qs 2h 2d Ac")).words == (
        "pair of twos, king-queen-ace kickers, for low"
    )


def test_of_three_ranks_the_two_lowest_pairs_play() -> None:
    assert judge_low_any(dealt("Kh Kd Qc Qs 2h 2d 2c")).words == (
        "two pair, queens and twos, king kicker, for low"
    )


def test_two_ranks_make_the_lower_of_two_full_houses() -> None:
    assert judge_low_any(dealt("Kh Kd Kc Ks 2h 2d 2c")).words == (
        "full house, twos full of kings, for low"
    )


def test_a_qualifying_low_is_the_same_hand_with_and_without_the_qualifier() -> None:
    hand = dealt("8h 6d 4c 3s Ah Kd Kc")
    assert judge_low8(hand) == judge_low_any(hand)


# B1: exposed boards.


def test_every_kind_of_board_beats_the_kinds_below_it() -> None:
    rising = ["Ah Kd Qc Js", "2h 2d Ac Ks", "3h 3d 2c 2s", "2h 2d 2c 3s", "2h 2d 2c 2s"]
    scores = [board(cards) for cards in rising]
    assert scores == sorted(set(scores))


def test_a_straight_and_a_flush_are_nothing_on_a_board() -> None:
    assert board("Kh Qh Jh Th") < board("2h 2d 3c 4s")


def test_with_a_community_card_a_full_house_stands_between_trips_and_quads() -> None:
    assert board("Ah Ad Ac Ks Qh") < board("2h 2d 2c 3s 3h") < board("2h 2d 2c 2s 3h")


def test_five_cards_in_a_row_and_of_a_suit_are_only_a_high_card_on_a_board() -> None:
    assert judge_board(dealt("Ah Kh Qh Jh Th")).words == ("ace high, king-queen-jack-ten kickers")


def test_queens_and_sevens_with_a_common_seven_open_before_three_kings() -> None:
    assert board("Qh Qd 7c 7s 7h") > board("Kh Kd Kc 2s 7h")


def test_the_ace_is_high_on_a_board() -> None:
    assert board("Ah") > board("Kh")
    assert board("Ah Ad") > board("Kh Kd")


def test_equal_pairs_go_by_the_kickers() -> None:
    assert board("9h 9d Ac 3s") > board("9c 9s Ac 2s")
    assert board("9h 9d Kc 3s") < board("9c 9s Ac 2s")


def test_boards_of_equal_ranks_tie_whatever_their_suits() -> None:
    assert board("9h 9d Ac 3s") == board("9c 9s Ah 3d")


# Which cards play, and what they are called.


@pytest.mark.parametrize(
    ("hand", "words", "cards"),
    [
        ("Ah Qd Jc 9s 4h 3d 2c", "ace high, queen-jack-nine-four kickers", "Ah Qd Jc 9s 4h"),
        ("Qh Qd Kc 9s 4h 3d 2c", "pair of queens, king-nine-four kickers", "Qh Qd Kc 9s 4h"),
        ("6h 6d Ac As Kh 3d 2c", "two pair, aces and sixes, king kicker", "As Ac 6h 6d Kh"),
        ("6h 6d 6c As Jh 3d 2c", "three sixes, ace-jack kickers", "6h 6d 6c As Jh"),
        ("Ah Kd Qc Js Th 3d 2c", "straight, ten to ace", "Ah Kd Qc Js Th"),
        ("Ah 5d 4c 3s 2h Kd Kc", "straight, ace to five", "5d 4c 3s 2h Ah"),
        ("Ah Jh 9h 5h 3h Kd Qc", "flush, ace-jack-nine-five-three", "Ah Jh 9h 5h 3h"),
        ("Kh Kd Kc 2s 2h Ad 3c", "full house, kings full of twos", "Kh Kd Kc 2s 2h"),
        ("2h 2d 2c 2s Ah Kd 3c", "four twos, ace kicker", "2s 2h 2d 2c Ah"),
        ("9h 8h 7h 6h 5h Kd Kc", "straight flush, five to nine", "9h 8h 7h 6h 5h"),
        ("Ah 5h 4h 3h 2h Kd Kc", "straight flush, ace to five", "5h 4h 3h 2h Ah"),
        ("Ah Kh Qh Jh Th 9h Kc", "royal flush", "Ah Kh Qh Jh Th"),
    ],
)
def test_a_high_hand_names_its_five_cards(hand: str, words: str, cards: str) -> None:
    judged = judge_high(dealt(hand))
    assert judged.words == words
    assert judged.cards == dealt(cards)
    assert judged.score == high(hand)


@pytest.mark.parametrize(
    ("hand", "words", "cards"),
    [
        ("8h 6d 4c 3s Ah Kd Kc", "8-6-4-3-A low", "8h 6d 4c 3s Ah"),
        ("Th 9d 4c 3s Ah Kd Kc", "T-9-4-3-A low", "Th 9d 4c 3s Ah"),
        ("Ah Ad 4c 4s 9h 9d 2c", "pair of aces, nine-four-two kickers, for low", "Ad Ah 9d 4c 2c"),
    ],
)
def test_a_low_hand_names_its_five_cards(hand: str, words: str, cards: str) -> None:
    judged = judge_low_any(dealt(hand))
    assert judged.words == words
    assert judged.cards == dealt(cards)
    assert judged.score == low(hand)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Kd", "king high"),
        ("9c Kd", "king high, nine kicker"),
        ("9c Kd 9h 2s", "pair of nines, king-two kickers"),
        ("7s Qh 7c Qd", "two pair, queens and sevens"),
        ("7s Qh 7c Qd 7d", "full house, sevens full of queens"),
        ("6s 6h 6c 2d", "three sixes, two kicker"),
        ("6s 6h 6c 6d", "four sixes"),
    ],
)
def test_a_board_is_called_by_what_it_shows(cards: str, words: str) -> None:
    judged = judge_board(dealt(cards))
    assert judged.words == words
    assert sorted(judged.cards) == sorted(dealt(cards))
    assert judged.score == board(cards)


def test_the_highest_suit_plays_in_a_high_hand_where_several_could() -> None:
    assert judge_high(dealt("Ac As Kd Kh Qd Qs 2c")).cards == ("As", "Ac", "Kh", "Kd", "Qs")
    assert judge_high(dealt("Ah Kd Qc Jd Th Ts Td")).cards == ("Ah", "Kd", "Qc", "Jd", "Ts")


def test_the_lowest_suit_plays_in_a_low_hand_where_several_could() -> None:
    assert judge_low8(dealt("8h 6d 4c 3s Ah Ac Ad")).cards == ("8h", "6d", "4c", "3s", "Ac")


def test_an_unknown_card_is_never_ranked() -> None:
    hand = dealt("Ah Kd Qc Js 9h 3d ??")
    for judge in (judge_high, judge_low8, judge_low_any, judge_board):
        with pytest.raises(KeyError):
            judge(hand)


def test_four_cards_are_no_hand() -> None:
    for judge in (judge_high, judge_low8, judge_low_any):
        with pytest.raises(AssertionError, match="five cards"):
            judge(dealt("Ah Kd Qc Js"))
