"""After the last betting: pots, rake, halves and ties, with the reasons (P0-P4, B9, R5)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.hand import Hand
from domain.house_rules import HouseRules
from domain.rules.mucked import would_have_won
from domain.rules.settlement import settle
from domain.units import Chips, Game, Seat
from tests.support.tables import (
    DOLLARS,
    amounts,
    folded,
    paid_to,
    player,
    rules,
    table,
)

HIGH_ONLY = "Kh Ks Kd Qc Qh Jd 9s"
LOW_ONLY = "Ah 2d 3h 4s 7h Ts Jd"
WORSE = "Tc 9d 8s Jc 3c 3d Qs"


def prizes(hand: Hand) -> list[tuple[int, str, Chips, dict[Seat, Chips]]]:
    return [(a.pot, a.half, a.amount, amounts(a)) for a in settle(hand).awards]


def test_high_and_low_are_judged_pot_by_pot_among_its_own_claimants() -> None:
    # Example 1: only A has a low, and A has no claim to the side pot.
    hand = table(
        player(1, 100, LOW_ONLY, status="all_in"),
        player(2, 300, HIGH_ONLY),
        player(3, 300, WORSE),
        folded(4, 60),
        game="stud8",
    )
    assert prizes(hand) == [
        (0, "high", 180, {2: 180}),
        (0, "low", 180, {1: 180}),
        (1, "whole", 400, {2: 400}),
    ]
    assert [award.reason.rule for award in settle(hand).awards] == ["G1", "G2", "G2"]


def test_a_short_all_in_may_take_the_main_pot_and_a_deeper_stack_half_of_the_side_pot() -> None:
    hand = table(
        player(1, 50, "As 2s 3s 4s 5s Kd Qd", status="all_in"),
        player(2, 150, HIGH_ONLY),
        player(3, 150, "2h 3d 4d 6c 8h Tc Jh"),
        game="stud8",
    )
    assert prizes(hand) == [
        (0, "high", 75, {1: 75}),
        (0, "low", 75, {1: 75}),
        (1, "high", 100, {2: 100}),
        (1, "low", 100, {3: 100}),
    ]


def example_8(house: HouseRules, **about: Any) -> Hand:
    return table(
        player(1, 2010, "Ah 2d 4h 6s 7h Qs Jd"),
        player(2, 1003, "Ts Td Tc 5s 5d 9h 8c", status="all_in"),
        player(3, 2010, "Ac 2h 4s 6d 7c 7d Ks"),
        folded(4, 301),
        game="stud8",
        dealer=4,
        house=house,
        **about,
    )


def test_two_pots_two_halves_and_two_tied_lows() -> None:
    hand = example_8(rules())
    assert prizes(hand) == [
        (0, "high", 1655, {2: 1655}),
        (0, "low", 1655, {1: 828, 3: 827}),
        (1, "high", 1007, {3: 1007}),
        (1, "low", 1007, {1: 504, 3: 503}),
    ]
    settled = settle(hand)
    assert settled.rake is None
    assert settled.undetermined == ()
    assert paid_to(settled.awards) == {1: 1332, 2: 1655, 3: 2337}


def test_the_same_by_suit() -> None:
    settled = settle(example_8(rules(odd_chip_tie="suit")))
    assert paid_to(settled.awards) == {1: 1330, 2: 1655, 3: 2339}


def test_the_same_for_money_with_each_pot_bearing_its_rake() -> None:
    settled = settle(example_8(rules(), money=DOLLARS))
    assert settled.rake is not None
    assert (settled.rake.total, settled.rake.pots) == (200, (150, 50))
    assert paid_to(settled.awards) == {1: 1281, 2: 1580, 3: 2263}


def test_a_real_hand_of_a_pot_of_76_and_a_rake_of_3() -> None:
    # Example 2, at 4 cents and 8 cents with the rake as recorded; the cards are ours.
    hand = table(
        player(1, 38, HIGH_ONLY),
        player(2, 38, LOW_ONLY),
        game="stud8",
        money=DOLLARS,
        bets=(4, 8),
        house=rules(rake="as_recorded"),
    )
    nothing = settle(hand).rake
    assert nothing is not None
    recorded = type(nothing)(
        total=3, pots=(3,), row=None, step=None, attribution=nothing.attribution
    )
    settled = settle(hand, recorded)
    assert [(a.half, a.amount) for a in settled.awards] == [("high", 37), ("low", 36)]
    assert settled.rake == recorded


def test_a_player_who_timed_out_plays_for_what_he_matched() -> None:
    # Example 10, in cents.
    hand = table(
        player(1, 850, WORSE, status="timed_out"),
        player(2, 850, "Ah Kc Qh Jh 9c 7d 2s"),
        player(3, 250, HIGH_ONLY, status="timed_out"),
        folded(4, 50),
        money=DOLLARS,
        bets=(200, 400),
        dealer=4,
    )
    settled = settle(hand)
    assert [(p.amount, p.claimants) for p in settled.pots] == [(800, (1, 2, 3)), (1200, (1, 2))]
    assert settled.rake is not None
    assert settled.rake.pots == (0, 100)
    assert prizes(hand) == [(0, "whole", 800, {3: 800}), (1, "whole", 1100, {1: 1100})]


@pytest.mark.parametrize(
    ("chip", "net", "high", "low"), [(50, 1225, 625, 600), (25, 1037, 537, 500)]
)
def test_chips_are_whole_but_for_the_dust_that_high_keeps(
    chip: Chips, net: Chips, high: Chips, low: Chips
) -> None:
    # Example 22.
    hand = table(
        player(1, 500, HIGH_ONLY),
        player(2, 500, LOW_ONLY),
        folded(3, net - 1000),
        game="stud8",
        chip=chip,
    )
    assert prizes(hand) == [(0, "high", high, {1: high}), (0, "low", low, {2: low})]


def test_three_tie_for_one_pot_and_nothing_leaks() -> None:
    straight = ("Ah Kd Qc Js Th 2c 3d", "As Kc Qd Jh Td 2h 3s", "Ac Kh Qh Jc Tc 2s 4d")
    hand = table(*(player(seat, 10_100, held) for seat, held in enumerate(straight, start=1)))
    assert prizes(hand) == [(0, "whole", 30_300, {1: 10_100, 2: 10_100, 3: 10_100})]
    (award,) = settle(hand).awards
    assert not any(share.odd for share in award.shares)


@pytest.mark.parametrize("game", ["stud", "stud8", "stud_hilo"])
def test_the_last_player_takes_the_pot_without_showing(game: Game) -> None:
    hand = table(folded(1, 40), player(2, 60, "?? ?? 2c"), folded(3, 60), game=game)
    (award,) = settle(hand).awards
    assert (award.half, amounts(award)) == ("whole", {2: 160})
    assert (award.reason.rule, award.reason.compared) == ("B9", ())


def test_folded_hands_are_never_ranked() -> None:
    hand = table(
        player(1, 20, "As Ks Qs Js Ts 2c 2d", status="folded"),
        player(2, 20, WORSE),
        player(3, 20, "2h 3h 4h 5c 7c 9c Jd"),
    )
    (award,) = settle(hand).awards
    assert amounts(award) == {2: 60}
    assert {one.seat for one in award.reason.compared} == {2, 3}


def test_a_side_pot_with_one_claimant_is_his_without_comparing() -> None:
    # Example 21: 300 for A and C, 160 for C alone.
    hand = table(player(1, 100, HIGH_ONLY, status="all_in"), player(3, 180, WORSE), folded(4, 180))
    main, side = settle(hand).awards
    assert (amounts(main), amounts(side)) == ({1: 300}, {3: 160})
    assert (side.half, side.reason.rule, side.reason.compared) == ("whole", "P1", ())


def test_a_pot_with_one_claimant_is_raked() -> None:
    hand = table(
        player(1, 1500, HIGH_ONLY, status="all_in"),
        player(3, 2000, WORSE),
        folded(4, 2000),
        money=DOLLARS,
    )
    rake = settle(hand).rake
    assert rake is not None
    assert rake.pots == (100, 0)


def test_a_bring_in_nobody_called_leaves_no_pot_and_no_award() -> None:
    hand = table(player(1, 0), folded(2, 0), folded(3, 0))
    settled = settle(hand)
    assert (settled.pots, settled.awards, settled.undetermined) == ((), (), ())


def test_without_a_qualifier_every_showdown_has_a_low() -> None:
    pair_of_kings = "Kc Kh Qs Jd 9h 9c Th"
    hand = table(player(1, 30, HIGH_ONLY), player(2, 30, pair_of_kings), game="stud_hilo")
    assert prizes(hand) == [(0, "high", 30, {1: 30}), (0, "low", 30, {2: 30})]


def test_the_community_card_plays_in_every_hand() -> None:
    hand = table(
        player(1, 40, "Ah Kd Qc Js 9h 9d"),
        player(2, 40, "As Kc Qd Jh 8d 2h"),
        community="Ts",
    )
    (award,) = settle(hand).awards
    assert amounts(award) == {1: 40, 2: 40}
    assert all("Ts" in compared.cards for compared in award.reason.compared)


def test_the_reason_tells_every_hand_in_words_best_first() -> None:
    hand = table(player(1, 10, WORSE), player(2, 10, HIGH_ONLY))
    (award,) = settle(hand).awards
    assert award.reason.rule == "G1"
    assert [one.seat for one in award.reason.compared] == [2, 1]
    assert award.reason.compared[0].cards == ("Ks", "Kh", "Kd", "Qh", "Qc")
    assert award.reason.compared[0].words == "full house, kings full of queens"


def test_for_want_of_a_low_the_reason_says_that_nobody_has_one() -> None:
    hand = table(player(1, 10, WORSE), player(2, 10, HIGH_ONLY), game="stud8")
    (award,) = settle(hand).awards
    assert (award.half, award.reason.rule) == ("whole", "G2")
    assert [(one.seat, one.rule) for one in award.reason.compared] == [
        (2, "G1"),
        (1, "G1"),
        (2, "G2"),
        (1, "G2"),
    ]
    assert [one.words for one in award.reason.compared if one.rule == "G2"] == ["no low", "no low"]


def test_a_mucked_hand_is_not_ranked() -> None:
    hand = table(player(1, 10, HIGH_ONLY, mucked=True), player(2, 10, WORSE))
    (award,) = settle(hand).awards
    assert (amounts(award), award.reason.rule, award.reason.compared) == ({2: 20}, "P0", ())


def test_the_only_claimant_takes_his_pot_whether_he_mucks_or_not() -> None:
    hand = table(player(1, 10, HIGH_ONLY, mucked=True), folded(2, 10))
    assert prizes(hand) == [(0, "whole", 20, {1: 20})]


def test_a_mucked_hand_that_would_have_won_is_named() -> None:
    hand = table(
        player(1, 10, HIGH_ONLY, mucked=True),
        player(2, 10, WORSE),
        player(3, 10, LOW_ONLY, mucked=True),
        game="stud8",
    )
    assert [(m.seat, m.pot, m.half, m.shared) for m in would_have_won(hand)] == [
        (1, 0, "high", False),
        (3, 0, "low", False),
    ]


def test_a_mucked_hand_that_would_have_shared_is_named() -> None:
    hand = table(
        player(1, 10, "Ah Kd Qc Js Th 2c 3d", mucked=True),
        player(2, 10, "As Kc Qd Jh Td 2h 3s"),
    )
    assert [(m.seat, m.half, m.shared) for m in would_have_won(hand)] == [(1, "whole", True)]


@pytest.mark.parametrize(
    ("mucked", "showing"),
    [
        (WORSE, HIGH_ONLY),
        ("?? ?? Kd Qc Qh Jd 9s", WORSE),
        (HIGH_ONLY, "?? ?? 8s Jc 3c 3d ??"),
    ],
    ids=["beaten", "its cards unseen", "the winner's cards unseen"],
)
def test_of_other_mucked_hands_nothing_is_said(mucked: str, showing: str) -> None:
    assert would_have_won(table(player(1, 9, mucked, mucked=True), player(2, 9, showing))) == ()


def test_unseen_cards_leave_the_pot_open() -> None:
    hand = table(player(1, 10, HIGH_ONLY), player(2, 10, "?? ?? 8s Jc 3c 3d ??"))
    settled = settle(hand)
    assert settled.awards == ()
    (question,) = settled.undetermined
    assert (question.pot, question.half, question.rule, question.seats) == (
        0,
        "whole",
        "G1",
        (1, 2),
    )


def test_unseen_cards_that_cannot_make_a_low_leave_the_low_decided() -> None:
    hand = table(player(1, 10, LOW_ONLY), player(2, 10, "?? ?? 9s Jc Kc Qd ??"), game="stud8")
    settled = settle(hand)
    assert [(a.half, amounts(a)) for a in settled.awards] == [("low", {1: 10})]
    assert [question.half for question in settled.undetermined] == ["high"]


def test_unseen_cards_that_may_make_a_low_leave_both_halves_open() -> None:
    hand = table(player(1, 10, HIGH_ONLY), player(2, 10, "?? ?? 2s 3c Kc Qd ??"), game="stud8")
    settled = settle(hand)
    assert settled.awards == ()
    assert [question.half for question in settled.undetermined] == ["high", "low"]


def test_unseen_cards_matter_only_to_pots_their_owner_may_win() -> None:
    hand = table(
        player(1, 5, "?? ?? 8s Jc 3c 3d ??", status="all_in"),
        player(2, 10, WORSE),
        player(3, 10, HIGH_ONLY),
    )
    settled = settle(hand)
    assert [(a.pot, amounts(a)) for a in settled.awards] == [(1, {3: 10})]
    assert [question.pot for question in settled.undetermined] == [0]


def test_cards_turned_up_at_the_showdown_are_seen() -> None:
    shown = tuple(HIGH_ONLY.split())
    hand = table(player(1, 10, "?? ?? Kd Qc Qh Jd ??", shown=shown), player(2, 10, WORSE))
    assert prizes(hand) == [(0, "whole", 20, {1: 20})]


def test_where_everybody_mucked_the_pot_is_open() -> None:
    hand = table(player(1, 5, HIGH_ONLY, mucked=True), player(2, 5, WORSE, mucked=True))
    settled = settle(hand)
    assert settled.awards == ()
    assert [(q.rule, q.seats) for q in settled.undetermined] == [("P0", (2, 1))]


def test_where_everybody_folded_the_pot_is_nobody_s() -> None:
    settled = settle(table(folded(1, 5), folded(2, 5)))
    assert [pot.amount for pot in settled.pots] == [10]
    assert (settled.awards, [q.seats for q in settled.undetermined]) == ((), [()])
