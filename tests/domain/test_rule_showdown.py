"""Showdown, pots, odd chips and conservation (P0 to P8), one whole hand at least for each id."""

from __future__ import annotations

import pytest

from domain import events as e
from domain.errors import BadTable
from domain.verdict import judge
from tests.support.bdd import DOLLARS, Table, doors, started

ACES = "Ah As Ad 9c 8h 3c 2d"
KINGS = "Kh Ks Kd 9d 8c 4c 2h"
QUEENS = "Qh Qs Qd 9h 8s 5c 2s"


def three(stacks: dict[int, int], hands: dict[int, str], **about: object) -> Table:
    """Everybody is all-in before the end: each calls and raises as far as the chips go."""
    return Table(started(stacks, **about), hands).aggressively()  # type: ignore[arg-type]


# -- P0: showing ---------------------------------------------------------------------------------


def test_p0_all_hands_still_in_are_turned_up_after_the_last_betting() -> None:
    hands = {1: ACES, 2: KINGS, 3: QUEENS}
    table = Table(started(dict.fromkeys(hands, 1000), dealer=1), hands).passively(7)
    table.deal()
    table.act("1 bet", "2 fold", "3 call")
    shown = table.of(e.CardsShown)
    assert [one.seat for one in shown] == [3, 1]
    assert " ".join(shown[1].cards) == ACES


def test_p0_the_order_of_showing_changes_nothing() -> None:
    table = three({1: 100, 2: 100}, {1: ACES, 2: KINGS})
    first = next(i for i, event in enumerate(table.log) if isinstance(event, e.CardsShown))
    swapped = [*table.log]
    swapped[first], swapped[first + 1] = swapped[first + 1], swapped[first]
    verdict = judge(swapped)
    assert verdict.verdict == "clean"
    assert {p.seat: p.stack for p in verdict.hand.seats} == table.stacks()


# -- P1: pots ------------------------------------------------------------------------------------


def test_p1_a_layer_for_each_total_main_pot_first() -> None:
    table = three({1: 50, 2: 90, 3: 200}, {1: ACES, 2: KINGS, 3: QUEENS})
    assert table.paid_out() == [(0, "whole", {1: 150}), (1, "whole", {2: 80})]
    assert table.stacks() == {1: 150, 2: 80, 3: 110}


def test_p1_folded_money_falls_into_the_layers_it_reaches() -> None:
    stacks = {1: 30, 2: 1000, 3: 1000}
    table = Table(started(stacks), {1: ACES, 2: KINGS, 3: QUEENS})
    # Seat 1 is all-in for 30 altogether, seat 2 folds with 50 in, seat 3 stays with 50.
    table.passively(4).street("1 bet", "2 raise", "3 call")
    table.street("2 bet", "3 raise", "2 fold").passively()
    assert table.now.player(2).paid == 90
    assert table.paid_out() == [(0, "whole", {1: 90}), (1, "whole", {3: 120})]


def test_p1_a_layer_no_live_player_reached_joins_the_one_below() -> None:
    stacks = {1: 30, 2: 1000, 3: 30}
    table = Table(started(stacks), {1: ACES, 2: QUEENS, 3: KINGS}).passively(4)
    table.street("1 bet", "2 raise", "3 call")
    assert table.of(e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=20)]
    assert table.passively().paid_out() == [(0, "whole", {1: 90})]


def test_p1_a_pot_with_one_claimant_is_his_without_comparing() -> None:
    table = Table(started({1: 1000, 2: 3, 3: 3}, ante=5), {1: QUEENS, 2: ACES, 3: KINGS})
    assert table.passively().paid_out() == [(0, "whole", {2: 9}), (1, "whole", {1: 2})]
    side = table.of(e.PotAwarded)[1]
    assert side.reason == e.Reason(rule="P1", compared=())


def test_p1_who_is_all_in_stays_eligible_when_later_streets_have_no_bets() -> None:
    table = Table(started({1: 10, 2: 1000, 3: 1000}), {1: ACES, 2: KINGS, 3: QUEENS}).passively()
    assert table.paid_out() == [(0, "whole", {1: 30})]


# -- P2: every pot is judged alone ---------------------------------------------------------------


def test_p2_high_and_low_of_every_pot_go_to_its_own_claimants() -> None:
    scoops, high, low = "Ah As Ac 2d 3h 4s 5d", KINGS, "8s 7d 6h 3c 2s Qc Jd"
    table = three({1: 50, 2: 90, 3: 200}, {1: scoops, 2: high, 3: low}, game="stud8")
    assert table.paid_out() == [
        (0, "high", {1: 75}),
        (0, "low", {1: 75}),
        (1, "high", {2: 40}),
        (1, "low", {3: 40}),
    ]


def test_p2_a_side_pot_may_have_no_low_where_the_main_pot_has() -> None:
    low = "Ah 2c 3d 5d 7h Jc Td"
    table = three({1: 50, 2: 90, 3: 200}, {1: low, 2: KINGS, 3: QUEENS}, game="stud8")
    assert table.paid_out() == [
        (0, "high", {2: 75}),
        (0, "low", {1: 75}),
        (1, "whole", {2: 80}),
    ]


# -- P3, P4: rake, halves, ties ------------------------------------------------------------------


def test_p3_rake_is_taken_before_the_pot_is_halved_and_shared() -> None:
    one, other = "Ah 2c 3d 4s 7h Kc Jd", "Ac 2h 3s 4d 7c Qd Js"
    stacks = dict.fromkeys((1, 2, 3), 100_00)
    start = started(stacks, game="stud8", small=100, ante=25, bring_in=50, money=DOLLARS)
    table = Table(start, {1: one, 2: other, 3: "9h 9s Th Ts Jc Qs 5d"}).aggressively()
    (rake,) = table.of(e.RakeTaken)
    matched = sum(player.paid for player in table.now.seats)
    low = (matched - rake.total) // 2
    shares = (low // 2 + low % 2, low // 2)
    assert rake.total == 100
    assert table.paid_out() == [
        (0, "high", {3: matched - rake.total - low}),
        (0, "low", dict(zip((1, 2), shares, strict=True))),
    ]


def test_p4_the_odd_chip_of_a_pot_goes_to_the_high_half() -> None:
    low = "Ah 2c 3d 5d 7h Jc Td"
    table = Table(started({1: 100, 2: 5, 3: 100}, game="stud8"), {1: low, 2: KINGS, 3: QUEENS})
    # Short bring-in of 5, the others stay in for 10: a main pot of 15.
    table.passively()
    assert table.now.player(2).paid == 5
    assert table.paid_out()[:2] == [(0, "high", {2: 8}), (0, "low", {1: 7})]


def test_p4_halves_are_split_apart_even_if_the_same_players_tie_for_both() -> None:
    one, other = "Ah 2c 3d 4s 5h Kc 9d", "Ac 2h 3s 4d 5c Qd Jd"
    table = Table(started({1: 100, 2: 100, 3: 5}, game="stud8"), {1: one, 2: other, 3: QUEENS_LOW})
    table.passively()
    main = [award for award in table.of(e.PotAwarded) if award.pot == 0]
    assert [(a.half, a.amount) for a in main] == [("high", 8), ("low", 7)]
    assert [[s.amount for s in a.shares] for a in main] == [[4, 4], [4, 3]]


QUEENS_LOW = "Qh Qs 2d 9h 8s 5d Ts"


# -- P5, P6: ties --------------------------------------------------------------------------------

TIE_ONE, TIE_OTHER = "As Ac Kd Qs Jh 3c 2d", "Ah Ad Ks Qc Jd 4c 5d"


def tied(dealer: int, **about: object) -> Table:
    """Seats 1 and 5 tie for a pot of 15, seat 3 is all-in for 5 of it and loses."""
    hands = {1: TIE_ONE, 3: "Kh Kc 2s 9h 8s 5c 7d", 5: TIE_OTHER}
    start = started({1: 100, 3: 5, 5: 100}, dealer=dealer, ante=5, **about)  # type: ignore[arg-type]
    table = Table(start, hands).passively(4)
    return table.passively()


@pytest.mark.parametrize(("dealer", "first"), [(3, 5), (4, 5), (5, 1), (1, 5), (8, 1)])
def test_p5_in_stud_odd_chips_go_clockwise_from_the_dealer(dealer: int, first: int) -> None:
    main = tied(dealer).of(e.PotAwarded)[0]
    assert main.amount == 15
    assert {share.seat: share.odd for share in main.shares} == {first: 1, 6 - first: 0}
    assert main.reason.rule == "P5"


@pytest.mark.parametrize("dealer", [3, 8])
def test_p6_in_split_games_the_odd_chip_of_the_high_goes_to_the_highest_card(dealer: int) -> None:
    lower = {1: "Ts 9c 8d 7s 6h 3c 3d", 5: "Th 9d 8s 7c 6d Kc Kh"}
    hands = lower | {3: "Qh Qd Jh 9s 2s Jc 5d"}
    start = started({1: 100, 3: 9, 5: 100}, game="stud8", dealer=dealer, ante=9)
    table = Table(start, hands).passively()
    main = table.of(e.PotAwarded)[0]
    assert (main.half, main.amount) == ("whole", 27)
    assert {share.seat: share.odd for share in main.shares} == {1: 0, 5: 1}
    assert main.reason.rule == "P6"
    cards = [one.cards for one in main.reason.compared if one.rule == "P6"]
    assert cards == [("Kh",), ("Ts",)]


def test_p6_by_policy_among_the_five_that_play_and_by_suit() -> None:
    hands = {1: "Ts 9c 8d 7s 6h 3c 3d", 5: "Th 9d 8s 7c 6d Kc Kh", 3: "Qh Qd Jh 9s 2s Jc 5d"}
    about = {"odd_chip_cards": "five", "odd_chip_tie": "suit"}
    start = started({1: 100, 3: 9, 5: 100}, game="stud8", dealer=3, ante=9, **about)
    main = Table(start, hands).passively().of(e.PotAwarded)[0]
    assert {share.seat: share.odd for share in main.shares} == {1: 1, 5: 0}, "spades before hearts"


def test_p6_tied_lows_share_their_lowest_card_so_position_decides() -> None:
    hands = {1: "Ah 2c 3d 4s 7h Kc Kd", 5: "Ac 2h 3s 4d 7c Qd Jd", 3: "9h 9s Th Ts Jc Qs 5d"}
    for dealer, first in ((3, 5), (8, 1)):
        start = started({1: 100, 3: 7, 5: 100}, game="stud8", dealer=dealer, ante=7)
        table = Table(start, hands).passively()
        low = table.of(e.PotAwarded)[1]
        assert (low.half, low.amount) == ("low", 10)
        assert {share.seat: share.amount for share in low.shares} == {1: 5, 5: 5}
        low = next(a for a in odd_low(dealer).of(e.PotAwarded) if a.half == "low")
        assert (low.amount, low.shares[0].seat, low.shares[0].odd) == (13, first, 1)


def odd_low(dealer: int) -> Table:
    """The same with 9 each: 27, high 14 and low 13."""
    hands = {1: "Ah 2c 3d 4s 7h Kc Kd", 5: "Ac 2h 3s 4d 7c Qd Jd", 3: "9h 9s Th Ts Jc Qs 5d"}
    start = started({1: 100, 3: 9, 5: 100}, game="stud8", dealer=dealer, ante=9)
    return Table(start, hands).passively()


# -- P7: chips -----------------------------------------------------------------------------------


def test_p7_less_than_a_chip_stays_with_the_first_in_order() -> None:
    hands = {1: TIE_ONE, 3: "Kh Kc 2s 9h 8s 5c 7d", 5: TIE_OTHER}
    start = started({1: 1000, 3: 27, 5: 1000}, small=50, ante=50, bring_in=25, chip=25, dealer=3)
    main = Table(start, hands).passively().of(e.PotAwarded)[0]
    # 81 is three chips of 25 and 6: seat 5 has two chips and the 6, seat 1 one chip.
    assert main.shares == (
        e.Share(seat=5, amount=56, odd=31),
        e.Share(seat=1, amount=25, odd=0),
    )


def test_p7_odd_chips_of_different_pots_are_never_joined() -> None:
    hands = {1: TIE_ONE, 2: "Kh Kc 2s 9h 8s 5c 7d", 3: "Td Th 9s 8d 4h 6c 2h", 5: TIE_OTHER}
    start = started({1: 100, 2: 5, 3: 6, 5: 100}, ante=7, dealer=3)
    table = Table(start, hands).passively()
    assert [a.amount for a in table.of(e.PotAwarded)] == [20, 3, 22]
    side = table.of(e.PotAwarded)[1]
    assert [(share.seat, share.amount) for share in side.shares] == [(5, 2), (1, 1)]


def test_p7_a_chip_is_worth_something() -> None:
    with pytest.raises(BadTable) as refusal:
        Table(started(chip=0))
    assert refusal.value.rule == "P7"


# -- P8: conservation ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["stud", "stud8", "stud_hilo"])
def test_p8_stacks_pots_and_rake_are_constant_at_every_event(game: str) -> None:
    table = three({1: 50, 2: 91, 3: 203}, {1: ACES, 2: KINGS, 3: QUEENS}, game=game)
    assert sum(table.stacks().values()) == 50 + 91 + 203
    assert table.now.pot == 0


def test_p8_no_stack_can_grow_beyond_what_can_be_stored() -> None:
    most = 2**53 - 1
    winner = Table(started({1: most - 10, 2: 10}), {1: ACES, 2: KINGS}).passively()
    assert winner.stacks() == {1: most, 2: 0}
    assert e.decode(e.encode(winner.log[-1])) == winner.log[-1]
    with pytest.raises(BadTable) as refusal:
        Table(started({1: most - 10, 2: 11}))
    assert refusal.value.rule == "P8"


def test_p8_chips_stay_in_the_pot_when_their_owner_disconnects() -> None:
    table = Table(started(ante=5))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "2 disconnect", "3 call", "1 call")
    assert table.now.pot == 45
    table.passively()
    assert sum(table.stacks().values()) == 3000
