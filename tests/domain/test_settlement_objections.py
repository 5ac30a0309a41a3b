"""What is wrong with a recorded award, and what is not (P0-P8)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.events import Attribution, PotAwarded, RakeTaken, Reason, Share
from domain.hand import Awarded, Hand
from domain.house_rules import POKERSTARS
from domain.rules.objections import object_to_awards
from domain.rules.settlement import settle
from domain.units import Chips, Half, Seat
from tests.support.tables import DOLLARS, folded, player, rules, table

HIGH_ONLY = "Kh Ks Kd Qc Qh Jd 9s"
LOW_ONLY = "Ah 2d 3h 4s 7h Ts Jd"
WORSE = "Tc 9d 8s Jc 3c 3d Qs"
STRAIGHT = "Ac Kc Qd Jh Td 2h 3s"
SAME_STRAIGHT = "As Kd Qs Js Th 2c 4h"

Line = tuple[int, Half, dict[Seat, Chips]]


def paid(hand: Hand, *lines: Line) -> Hand:
    """The hand with those awards recorded, one event after the other."""
    awards = tuple(
        Awarded(
            step=20 + n,
            award=PotAwarded(
                pot=pot,
                half=half,
                amount=sum(shares.values()),
                shares=tuple(
                    Share(seat=seat, amount=amount, odd=0) for seat, amount in shares.items()
                ),
                reason=Reason(rule="", compared=()),
            ),
        )
        for n, (pot, half, shares) in enumerate(lines)
    )
    return replace(hand, step=20 + len(lines), awards=awards)


def rules_broken(hand: Hand, *lines: Line) -> list[tuple[int, str]]:
    return [(found.step, found.rule) for found in object_to_awards(paid(hand, *lines))]


def side_pot_hand(**about: Any) -> Hand:
    """Main pot 300 of three, side pot 400 of seats 2 and 3."""
    return table(
        player(1, 100, LOW_ONLY, status="all_in"),
        player(2, 300, HIGH_ONLY),
        player(3, 300, WORSE),
        **about,
    )


def tied_hand(odd: Chips = 1, dealer: Seat | None = 2, **about: Any) -> Hand:
    """Seats 1 and 2 tie for 100 and something odd; seat 1 is left of the dealer."""
    return table(
        player(1, 50, STRAIGHT),
        player(2, 50, SAME_STRAIGHT),
        folded(3, odd),
        dealer=dealer,
        **about,
    )


def test_what_the_rules_award_is_never_objected_to() -> None:
    for game in ("stud", "stud8", "stud_hilo"):
        for hand in (side_pot_hand(game=game), tied_hand(game=game), tied_hand(chip=25, game=game)):
            awards = tuple(Awarded(step=9, award=award) for award in settle(hand).awards)
            assert object_to_awards(replace(hand, awards=awards)) == ()


@pytest.mark.parametrize("chip", [60, 101, 200])
def test_a_pot_of_fewer_chips_than_winners_leaves_some_with_nothing(chip: int) -> None:
    hand = tied_hand(chip=chip)
    (award,) = settle(hand).awards
    assert [share.amount for share in award.shares] == [101, 0]
    assert object_to_awards(replace(hand, awards=(Awarded(step=9, award=award),))) == ()
    assert rules_broken(hand, (0, "whole", {2: 101})) == [(20, "P5")]


def test_the_worse_hand_was_paid() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE))
    (found,) = object_to_awards(paid(hand, (0, "whole", {2: 100})))
    assert (found.step, found.rule) == (20, "G1")
    assert found.expected == "seat 1 (full house, kings full of queens)"
    assert found.recorded == "seat 2 (straight, eight to queen)"
    assert found.text == f"The main pot went to {found.recorded}; it belongs to {found.expected}."


def test_a_winner_who_ties_was_left_out() -> None:
    assert rules_broken(tied_hand(), (0, "whole", {1: 101})) == [(20, "G1")]


def test_a_loser_was_paid_beside_the_winner() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE))
    assert rules_broken(hand, (0, "whole", {1: 50, 2: 50})) == [(20, "G1")]


def test_the_wrong_low_was_paid() -> None:
    hand = table(
        player(1, 50, LOW_ONLY), player(2, 50, HIGH_ONLY), player(3, 50, "As 2s 3c 5d 8c 8d Ts"),
        game="stud8",
    )  # fmt: skip
    assert rules_broken(hand, (0, "high", {2: 75}), (0, "low", {3: 75})) == [(21, "G2")]


def test_a_low_that_does_not_qualify_was_paid() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE), game="stud8")
    (found,) = object_to_awards(paid(hand, (0, "high", {1: 50}), (0, "low", {2: 50})))
    assert (found.step, found.rule) == (21, "G2")
    assert found.text == (
        "The low half of the main pot went to seat 2 (no low), but no low qualifies."
    )


def test_high_alone_may_be_named_where_no_low_qualifies() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE), game="stud8")
    assert rules_broken(hand, (0, "high", {1: 100})) == []


def test_a_game_without_a_low_has_no_low_half() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE))
    assert rules_broken(hand, (0, "high", {1: 50}), (0, "low", {1: 50})) == [(21, "G1")]


def test_a_player_without_a_claim_took_the_side_pot() -> None:
    hand = table(
        player(1, 100, HIGH_ONLY, status="all_in"),
        player(2, 300, WORSE),
        player(3, 300, LOW_ONLY),
    )
    assert rules_broken(hand, (0, "whole", {1: 300}), (1, "whole", {1: 400})) == [(21, "P1")]


def test_a_folded_player_was_paid() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE), folded(3, 10))
    assert rules_broken(hand, (0, "whole", {3: 110})) == [(20, "P1")]


def test_the_last_player_was_not_paid() -> None:
    hand = table(player(1, 50), folded(2, 50))
    (found,) = object_to_awards(paid(hand, (0, "whole", {2: 100})))
    assert (found.rule, found.expected, found.recorded) == (
        "B9",
        "seat 1 (alone still in)",
        "seat 2 (folded)",
    )


def test_a_mucked_hand_was_paid() -> None:
    hand = table(player(1, 50, WORSE, mucked=True), player(2, 50, HIGH_ONLY))
    assert rules_broken(hand, (0, "whole", {1: 100})) == [(20, "P0")]


def test_a_mucked_hand_would_have_won() -> None:
    hand = table(player(1, 50, HIGH_ONLY, mucked=True), player(2, 50, WORSE))
    (found,) = object_to_awards(paid(hand, (0, "whole", {2: 100})))
    assert (found.step, found.rule) == (22, "P0")
    assert found.text == (
        "Seat 1 (full house, kings full of queens, mucked) would have won the main pot."
    )


def test_the_odd_chip_went_to_the_wrong_seat() -> None:
    (found,) = object_to_awards(paid(tied_hand(), (0, "whole", {1: 50, 2: 51})))
    assert found.rule == "P5"
    assert (found.expected, found.recorded) == ("seat 1 51, seat 2 50", "seat 1 50, seat 2 51")
    assert "seat 1 second clockwise from the dealer" in found.text


def test_the_odd_chip_of_a_tied_high_went_to_the_lower_card() -> None:
    hand = table(
        player(1, 50, "Kh Th 9d 8c 7s 6h 2c"),
        player(2, 50, "Qs Tc 9s 8d 7c 6d 2d"),
        folded(3, 1),
        game="stud8",
    )
    assert rules_broken(hand, (0, "whole", {1: 50, 2: 51})) == [(20, "P6")]


@pytest.mark.parametrize("shares", [{1: 50, 2: 51}, {1: 51, 2: 50}])
@pytest.mark.parametrize(
    "open_to",
    [tied_hand(house=rules(stud_odd_chip="any")), tied_hand(dealer=None)],
    ids=["the room's policy", "an unknown dealer"],
)
def test_either_tied_seat_may_have_the_odd_chip(open_to: Hand, shares: dict[Seat, Chips]) -> None:
    assert rules_broken(open_to, (0, "whole", shares)) == []


def test_an_open_odd_chip_is_still_one_chip() -> None:
    hand = tied_hand(house=rules(stud_odd_chip="any"))
    assert rules_broken(hand, (0, "whole", {1: 52, 2: 49})) == [(20, "P5")]


def test_chips_are_not_broken_between_tied_players() -> None:
    hand = tied_hand(odd=25, chip=25)
    assert rules_broken(hand, (0, "whole", {1: 63, 2: 62})) == [(20, "P5")]
    assert rules_broken(hand, (0, "whole", {1: 75, 2: 50})) == []


def test_the_odd_chip_of_the_halves_went_to_low() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, LOW_ONLY), folded(3, 1), game="stud8")
    (found,) = object_to_awards(paid(hand, (0, "high", {1: 50}), (0, "low", {2: 51})))
    assert (found.step, found.rule) == (21, "P4")
    assert found.text == "The main pot is halved 50 high, 51 low; after rake it is 51 high, 50 low."


def test_a_record_that_does_not_name_the_halves_is_judged_by_seat() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, LOW_ONLY), folded(3, 1), game="stud8")
    assert rules_broken(hand, (0, "whole", {1: 51, 2: 50})) == []
    assert rules_broken(hand, (0, "whole", {1: 50, 2: 51})) == [(20, "P4")]
    assert rules_broken(hand, (0, "whole", {1: 101})) == [(20, "P2")]
    assert rules_broken(hand, (0, "whole", {3: 101})) == [(20, "P1")]


def test_two_lines_for_a_pot_are_added_up() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, LOW_ONLY), game="stud8")
    assert rules_broken(hand, (0, "whole", {1: 50}), (0, "whole", {2: 50})) == []


def test_open_odd_chips_of_both_halves_leave_any_sum_of_them_open() -> None:
    hand = table(
        player(1, 501, "Ah 2d 4h 6s 7h Ks Jd"),
        player(2, 501, "Ac 2h 4s 6d 7c Kd Js"),
        game="stud8",
        house=rules(hi_lo_odd_chip="any"),
    )
    for shares in ({1: 502, 2: 500}, {1: 501, 2: 501}, {1: 500, 2: 502}):
        assert rules_broken(hand, (0, "whole", shares)) == []
    assert rules_broken(hand, (0, "whole", {1: 503, 2: 499})) == [(20, "P6")]


def test_a_site_may_name_halves_of_a_pot_won_without_comparing() -> None:
    hand = table(player(1, 51), folded(2, 50), game="stud8")
    assert rules_broken(hand, (0, "high", {1: 51}), (0, "low", {1: 50})) == []


def test_a_pot_was_paid_twice() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE))
    found = rules_broken(hand, (0, "whole", {1: 100}), (0, "whole", {2: 100}))
    assert (21, "P3") in found


def test_a_pot_there_is_not_was_paid() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, WORSE))
    assert rules_broken(hand, (0, "whole", {1: 100}), (1, "whole", {1: 7})) == [(21, "P1")]


def test_somebody_was_paid_though_nobody_put_anything_in() -> None:
    hand = table(player(1, 0), folded(2, 0))
    (found,) = object_to_awards(paid(hand, (0, "whole", {1: 5})))
    assert (found.rule, found.expected, found.recorded) == ("P1", "0 pots", "the main pot")


def test_a_pot_was_not_paid() -> None:
    (found,) = object_to_awards(paid(side_pot_hand(), (0, "whole", {2: 300})))
    assert (found.step, found.rule, found.recorded) == (22, "P2", "no award")
    assert found.text == "Side pot 1 of 400 was not awarded."


def test_a_low_half_was_not_paid() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, LOW_ONLY), game="stud8")
    assert rules_broken(hand, (0, "high", {1: 50})) == [(22, "P2")]


def raked(hand: Hand, total: Chips, *pots: Chips) -> Hand:
    nobody = Attribution(method="weighted", version=1, shares=())
    rake = RakeTaken(total=total, pots=pots, row=None, step=None, attribution=nobody)
    return replace(hand, rake_taken=rake)


def test_awards_are_judged_with_the_rake_that_was_taken() -> None:
    hand = raked(side_pot_hand(money=DOLLARS, house=POKERSTARS), 5, 2, 3)
    assert rules_broken(hand, (0, "whole", {2: 298}), (1, "whole", {2: 397})) == []
    assert rules_broken(hand, (0, "whole", {2: 297}), (1, "whole", {2: 398})) == [
        (20, "P3"),
        (21, "P3"),
    ]


def test_unseen_cards_may_have_won() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, "?? ?? 8s Jc 3c 3d ??"))
    for shares in ({1: 100}, {2: 100}, {1: 50, 2: 50}):
        assert rules_broken(hand, (0, "whole", shares)) == []


def test_a_hand_beaten_by_one_that_is_seen_has_not_won_whatever_is_unseen() -> None:
    hand = table(
        player(1, 50, HIGH_ONLY), player(2, 50, WORSE), player(3, 50, "?? ?? 8h Jd 4c 4d ??")
    )
    assert rules_broken(hand, (0, "whole", {2: 150})) == [(20, "G1")]
    assert rules_broken(hand, (0, "whole", {3: 150})) == []


def test_of_a_seen_tie_all_share_or_none_whatever_is_unseen() -> None:
    hand = table(
        player(1, 50, STRAIGHT), player(2, 50, SAME_STRAIGHT), player(3, 50, "?? ?? 8h 8d 4c 4d ??")
    )
    assert rules_broken(hand, (0, "whole", {1: 150})) == [(20, "G1")]
    assert rules_broken(hand, (0, "whole", {1: 75, 2: 75})) == []


def test_winners_share_equally_even_if_their_cards_are_unseen() -> None:
    hand = table(player(1, 50, "?? ?? Ks Qd 2h 2d ??"), player(2, 50, "?? ?? 8h 8d 4c 4d ??"))
    assert rules_broken(hand, (0, "whole", {1: 70, 2: 30})) == [(20, "P5")]
    assert rules_broken(hand, (0, "whole", {1: 50, 2: 50})) == []


def test_a_low_nobody_has_seen_may_be_there_or_not() -> None:
    hand = table(player(1, 50, HIGH_ONLY), player(2, 50, "?? ?? 2s 3c Kc Qd ??"), game="stud8")
    assert rules_broken(hand, (0, "whole", {1: 100})) == []
    assert rules_broken(hand, (0, "high", {1: 100})) == []
    assert rules_broken(hand, (0, "high", {1: 50}), (0, "low", {2: 50})) == []
    assert rules_broken(hand, (0, "high", {1: 50}), (0, "low", {1: 50})) == [(21, "G2")]


def test_all_who_mucked_may_have_won_where_nobody_showed() -> None:
    hand = table(player(1, 5, HIGH_ONLY, mucked=True), player(2, 5, WORSE, mucked=True))
    assert rules_broken(hand, (0, "whole", {2: 10})) == []
