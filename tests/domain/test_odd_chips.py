"""Halves, equal shares, and whose the odd chip is (P4-P7)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.hand import Hand
from domain.rules.odd_chips import OddChips, divide, divides, halves, odd_chip_order
from domain.rules.settlement import settle
from domain.units import Chips, Half, Seat
from tests.support.tables import DOLLARS, amounts, cards, folded, paid_to, player, rules, table


def split_game(**about: Any) -> Hand:
    seats = (player(seat, 10) for seat in (1, 2, 3, 5))
    return table(*seats, game="stud8", **about)


def order(hand: Hand, half: Half, **held: str) -> OddChips:
    """The order among seats 1, 2, … holding the cards of `s1`, `s2`, …, clockwise."""
    by_seat = {int(name[1:]): cards(text) for name, text in held.items()}
    tied = tuple(p.seat for p in hand.clockwise() if p.seat in by_seat)
    return odd_chip_order(hand, tied, half, by_seat)


@pytest.mark.parametrize(
    ("pot", "chip", "high", "low"),
    [
        (73, 1, 37, 36),  # example 2: pot 76, rake 3
        (1025, 25, 525, 500),  # example 3
        (1001, 1, 501, 500),  # example 4
        (1225, 50, 625, 600),  # example 22
        (1037, 25, 537, 500),  # example 22
        (465, 1, 233, 232),
        (0, 25, 0, 0),
        (25, 25, 25, 0),
        (24, 25, 24, 0),
    ],
)
def test_the_low_half_is_whole_chips_and_high_has_the_rest(
    pot: Chips, chip: Chips, high: Chips, low: Chips
) -> None:
    assert halves(pot, chip=chip) == (high, low)


def test_odd_chips_go_one_each_in_order() -> None:
    shares = divide(110, (3, 1, 5, 2), chip=5)
    assert {share.seat: (share.amount, share.odd) for share in shares} == {
        3: (30, 5),
        1: (30, 5),
        5: (25, 0),
        2: (25, 0),
    }


def test_what_is_less_than_a_chip_stays_with_the_first() -> None:
    shares = divide(625, (2, 1), chip=50)
    assert {share.seat: (share.amount, share.odd) for share in shares} == {
        2: (325, 25),
        1: (300, 0),
    }


def test_a_lone_winner_has_no_odd_chip() -> None:
    (share,) = divide(101, (4,), chip=25)
    assert (share.amount, share.odd) == (101, 0)


def test_a_pot_of_fewer_chips_than_winners_leaves_the_last_without() -> None:
    assert [share.amount for share in divide(2, (1, 2, 3), chip=1)] == [1, 1, 0]


@given(st.integers(0, 10**9), st.integers(1, 1000), st.permutations([1, 2, 3, 5, 8]))
def test_shares_and_halves_sum_exactly_and_differ_by_a_chip_and_dust_at_most(
    pot: Chips, chip: Chips, seats: list[Seat]
) -> None:
    high, low = halves(pot, chip=chip)
    assert high + low == pot
    assert 0 <= high - low < 2 * chip
    shares = divide(pot, tuple(seats), chip=chip)
    got = [share.amount for share in shares]
    assert sum(got) == pot
    assert got == sorted(got, reverse=True)
    assert max(got) - min(got) < 2 * chip
    assert {share.amount - share.odd for share in shares} == {pot // chip // len(seats) * chip}
    assert divides(pot, len(seats), chip=chip) == (not any(share.odd for share in shares))


def test_in_stud_odd_chips_go_clockwise_from_the_dealer() -> None:
    # Example 7: dealer 3, seats 1 and 5 tie for 101.
    hand = table(
        player(1, 50, "Ah Kd Qc Js Th 2c 3d"),
        player(5, 50, "As Kc Qd Jh Td 2h 3s"),
        folded(3, 1),
        dealer=3,
    )
    (award,) = settle(hand).awards
    assert amounts(award) == {5: 51, 1: 50}
    assert award.reason.rule == "P5"


def test_the_dealer_himself_is_last() -> None:
    hand = table(player(1, 10), player(2, 10), player(5, 11), dealer=2)
    assert order(hand, "whole", s1="", s2="", s5="").order == (5, 1, 2)


def test_high_s_odd_chip_goes_to_the_highest_card() -> None:
    # Example 3: chip 25, pot 1025; neither the king nor the queen plays.
    hand = table(
        player(1, 341, "Kh Th 9d 8c 7s 6h 2c"),
        player(2, 341, "Qs Tc 9s 8d 7c 6d 2d"),
        player(3, 341, "As 2h 3d 4c 5s Kc Qd"),
        folded(4, 2),
        game="stud8",
        chip=25,
        dealer=1,
    )
    high, low = settle(hand).awards
    assert (high.amount, low.amount) == (525, 500)
    assert amounts(high) == {1: 275, 2: 250}
    assert high.reason.rule == "P6"
    decided = [c for c in high.reason.compared if c.rule == "P6"]
    assert [(c.seat, c.cards, c.words) for c in decided] == [
        (1, ("Kh",), "king of hearts"),
        (2, ("Qs",), "queen of spades"),
    ]


def test_three_tie_for_low_and_position_decides() -> None:
    # Example 4: pot 1001, all three have an ace for lowest card.
    hand = table(
        player(1, 333, "Ah 2d 4h 6s 7h Qs Jd"),
        player(2, 333, "As 2h 4s 6d 7c Js Kd"),
        player(3, 333, "Ac 2s 4c 6c 7d Kc Kh"),
        folded(5, 2),
        game="stud8",
        dealer=1,
    )
    high, low = settle(hand).awards
    assert (high.amount, low.amount) == (501, 500)
    assert amounts(low) == {2: 167, 3: 167, 1: 166}


def test_low_s_odd_chip_goes_to_the_lowest_card_with_the_ace_low() -> None:
    assert order(split_game(), "low", s2="Kh 2c 9d", s3="As Kd Qd").order == (3, 2)


@pytest.mark.parametrize(("half", "first"), [("high", 3), ("low", 2)])
def test_by_suit_spades_are_highest_and_clubs_lowest(half: Half, first: Seat) -> None:
    hand = split_game(house=rules(odd_chip_tie="suit"))
    assert order(hand, half, s2="Ac 9h", s3="As 9d").order[0] == first


def test_by_suit_a_player_counts_the_better_of_two_like_cards() -> None:
    hand = split_game(house=rules(odd_chip_tie="suit"))
    assert order(hand, "high", s2="Ad Ah", s3="Ac As").order == (3, 2)
    assert order(hand, "low", s2="Ad Ah", s3="Ac As").order == (3, 2)


def test_without_suits_equal_cards_are_decided_left_of_the_dealer() -> None:
    assert order(split_game(dealer=2), "high", s2="As 9h", s3="Ac 9d", s5="Ad 2h").order == (
        3,
        5,
        2,
    )


def test_only_cards_that_are_equal_are_decided_by_position() -> None:
    chips = order(split_game(dealer=1), "high", s1="Kd", s2="Kc", s3="Ah")
    assert chips.order == (3, 2, 1)
    assert [c.words for c in chips.compared if not c.cards] == [
        "first clockwise from the dealer",
        "fourth clockwise from the dealer",
    ]


@pytest.mark.parametrize(("policy", "first"), [("all_seven", 1), ("five", 2)])
def test_the_room_says_whether_seven_or_five_cards_are_looked_at(policy: str, first: Seat) -> None:
    # The king of seat 1 does not play; seat 2 is left of the dealer.
    hand = table(
        player(1, 25, "Kh 9h 8d 7c 6s 5h Tc"),
        player(2, 25, "Qh 9s 8c 7d 6h 5s Td"),
        folded(3, 3),
        game="stud8",
        dealer=1,
        house=rules(odd_chip_cards=policy),
    )
    (whole,) = settle(hand).awards
    assert amounts(whole) == {first: 27, 3 - first: 26}


@pytest.mark.parametrize(("policy", "first"), [("all_seven", 1), ("five", 2)])
def test_the_community_card_is_nobody_s_own(policy: str, first: Seat) -> None:
    # Seat 1 has an ace of his own, seat 2 plays the community card and is left of the dealer.
    hand = table(
        player(1, 25, "Ah Kd Qc Js Th 2h"),
        player(2, 25, "3s Kh Qd Jc Td 2s"),
        folded(3, 1),
        dealer=1,
        community="As",
        house=rules(stud_odd_chip="card", odd_chip_cards=policy),
    )
    (whole,) = settle(hand).awards
    assert amounts(whole) == {first: 26, 3 - first: 25}


def test_the_same_two_may_tie_for_both_halves_which_are_split_apart() -> None:
    # Example 23: pot 1002; one holds the highest card and is first left of the dealer.
    def paid(dealer: Seat) -> dict[Seat, Chips]:
        hand = table(
            player(1, 501, "Ah 2d 4h 6s 7h Ks Jd"),
            player(2, 501, "Ac 2h 4s 6d 7c Kd Js"),
            game="stud8",
            dealer=dealer,
        )
        return paid_to(settle(hand).awards)

    assert paid(dealer=2) == {1: 502, 2: 500}
    assert paid(dealer=1) == {1: 500, 2: 502}


def test_each_may_have_the_odd_chip_of_one_half() -> None:
    # Example 23, the other way: seat 2 has the highest card, seat 1 is left of the dealer.
    hand = table(
        player(1, 501, "2h 3d 4h 6s 7h Js Jd"),
        player(2, 501, "2c 3h 4s 6d 7c Jc Jh"),
        game="stud8",
        dealer=2,
        house=rules(odd_chip_tie="suit"),
    )
    high, low = settle(hand).awards
    assert (amounts(high), amounts(low)) == ({1: 251, 2: 250}, {2: 251, 1: 250})
    assert paid_to((high, low)) == {1: 501, 2: 501}


def test_any_tied_seat_may_have_it_where_the_room_says_so() -> None:
    chips = order(split_game(house=rules(hi_lo_odd_chip="any")), "high", s2="Ah", s3="2h", s5="3h")
    assert set(chips.orders()) == set(permutations((2, 3, 5)))
    assert not chips.hidden


def test_unknown_cards_decide_nothing() -> None:
    chips = order(split_game(), "high", s2="Ah ??", s3="2h 3h")
    assert set(chips.orders()) == {(2, 3), (3, 2)}
    assert chips.hidden


def test_an_unknown_dealer_leaves_only_equal_cards_open() -> None:
    chips = order(split_game(dealer=None), "high", s1="Kd", s2="Kc", s3="Ah")
    assert set(chips.orders()) == {(3, 1, 2), (3, 2, 1)}
    assert chips.hidden
    apart = order(split_game(dealer=None), "high", s1="Qd", s2="Kc", s3="Ah")
    assert (apart.order, apart.hidden) == ((3, 2, 1), False)


def test_an_unknown_dealer_leaves_the_odd_chip_of_stud_open() -> None:
    hand = table(
        player(1, 50, "Ah Kd Qc Js Th 2c 3d"),
        player(5, 50, "As Kc Qd Jh Td 2h 3s"),
        folded(6, 1),
        dealer=None,
    )
    (question,) = settle(hand).undetermined
    assert (question.pot, question.rule, question.seats) == (0, "P5", (1, 5))


def test_an_unknown_dealer_matters_only_to_a_chip_that_is_odd() -> None:
    even = table(
        player(1, 50, "Ah Kd Qc Js Th 2c 3d"),
        player(5, 50, "As Kc Qd Jh Td 2h 3s"),
        dealer=None,
    )
    assert settle(even).undetermined == ()


def test_odd_chips_of_different_pots_are_never_joined() -> None:
    hand = table(
        player(1, 150, "Ah Kd Qc Js Th 2c 3d"),
        player(2, 150, "As Kc Qd Jh Td 2h 3s"),
        player(3, 75, "2d 2s 4c 5c 7d 9h 9s", status="all_in"),
        chip=50,
        dealer=3,
        money=DOLLARS,
    )
    main, side = settle(hand).awards
    assert (amounts(main), amounts(side)) == ({1: 125, 2: 100}, {1: 100, 2: 50})
