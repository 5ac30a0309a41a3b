"""The rulebook's worked examples, each as a hand: seats 1, 2, 3, 4 for its A, B, C, D.

Examples whose bets no limit game would allow are told fact by fact; the others are decided.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain import commands as c
from domain import events as e
from domain.evolve import replay
from domain.house_rules import POKERSTARS
from domain.rules.settlement import settle
from tests.support.bdd import DOLLARS, Table, amounts, doors, started
from tests.support.told import told

ACES = "Ah As Ad 9c 8h 3c 2d"
KINGS = "Kh Ks Kd 9d 8c 4c 2h"
QUEENS = "Qc Qs Qd 9h 8s 5c 2s"
JACKS = "Jh Js Jd 9s 8d 5d 2c"
FOUR = {1: ACES, 2: KINGS, 3: QUEENS, 4: JACKS}
SIX = FOUR | {5: "Th Ts 4d 7c 6d 3h 5h", 6: "Td Tc 4h 7d 6c 3s 5s"}
LOW = "Ac 3d 4d 6h 7s Tc Qh"
TIE_ONE, TIE_OTHER = "As Ac Kd Qs Jh 3c 2d", "Ah Ad Ks Qc Jd 4c 5d"


def test_example_1_main_and_side_pot_after_the_unmatched_chips_went_back() -> None:
    acts = ("3 bet 500", "4 call 60", "4 fold", "1 call 100", "2 call 300")
    table = told(FOUR, *acts, stacks={1: 100, 2: 300})
    assert table.returned() == [(3, 200)]
    assert table.paid_out() == [(0, "whole", {1: 360}), (1, "whole", {2: 400})]


def test_example_1_in_stud8_the_side_pot_has_no_low_if_only_the_short_stack_has_one() -> None:
    acts = ("3 bet 500", "4 call 60", "4 fold", "1 call 100", "2 call 300")
    table = told(FOUR | {1: LOW}, *acts, stacks={1: 100, 2: 300}, game="stud8")
    assert table.paid_out() == [
        (0, "high", {2: 180}),
        (0, "low", {1: 180}),
        (1, "whole", {2: 400}),
    ]


def test_example_2_rake_comes_before_halves_and_the_odd_chip_is_highs() -> None:
    table = told({1: LOW, 2: KINGS}, "1 bet 38", "2 call 38", game="stud8")
    betting_over = replay(event for event in table.log if not isinstance(event, PAYOUT))
    shares = (e.SeatAmount(seat=1, amount=2), e.SeatAmount(seat=2, amount=1))
    rake = e.RakeTaken(
        total=3,
        pots=(3,),
        row=None,
        step=None,
        attribution=e.Attribution(method="weighted", version=1, shares=shares),
    )
    awards = settle(betting_over, recorded=rake).awards
    assert [(a.half, amounts(a.shares)) for a in awards] == [("high", {2: 37}), ("low", {1: 36})]


PAYOUT = e.CardsShown | e.PotAwarded | e.HandCompleted


def test_example_3_whole_chips_and_the_odd_one_to_the_highest_card() -> None:
    hands = {
        1: "Ts 9c 8d 7s 6h 3c 3d",
        2: "Th 9d 8s 7c 6d Kc Kh",
        3: "Ah 2c 4d 5h 7d Qc Qs",
        4: "Js Jd 2s 2d 5s 5d Jc",
    }
    acts = ("4 bet 50", "1 raise 325", "2 call 325", "3 call 325", "4 fold")
    table = told(hands, *acts, game="stud8", chip=25)
    assert table.paid_out() == [(0, "high", {2: 275, 1: 250}), (0, "low", {3: 500})]


def test_example_4_three_tie_for_low() -> None:
    hands = {
        1: "Ah 2c 3d 5s 7h Kc Jd",
        2: "Ac 2d 3h 5c 7s Qd Js",
        3: "Ad 2h 3s 5d 7c Kd Jh",
        4: "Ts Td Tc 9h 9s Qc Qs",
        5: "4c 4d 4h 6c 6d 6h 8c",
    }
    acts = ("5 bet 1", *(f"{seat} call 250" for seat in (1, 2, 3, 4)), "5 fold")
    table = told(hands, *acts, game="stud8", dealer=1)
    assert table.paid_out() == [(0, "high", {4: 501}), (0, "low", {2: 167, 3: 167, 1: 166})]


def test_example_5_folded_players_make_no_pot_of_their_own() -> None:
    acts = ("1 bet 100", "2 call 100", "3 raise 180", "4 call 180", "3 fold", "4 fold")
    table = told(FOUR, *acts, stacks={1: 100, 2: 100})
    assert table.paid_out() == [(0, "whole", {1: 560})]
    assert not table.returned()


@pytest.mark.parametrize(("pot", "rake"), [(5500, 150), (5499, 100), (3999, 0)])
def test_example_6_a_step_applies_from_its_pot_size_on(pot: int, rake: int) -> None:
    five = {seat: SIX[seat] for seat in range(1, 6)}
    each = -(-pot // 5)
    calls = (f"{seat} call {each}" for seat in (1, 2, 3, 5))
    table = told(five, f"4 bet {pot - 4 * each}", "4 fold", *calls, small=1500, money=DOLLARS)
    assert sum(player.paid for player in table.now.seats) == pot
    assert table.now.rake == rake


def test_example_7_the_odd_chip_goes_left_of_the_dealer() -> None:
    hands = {1: TIE_ONE, 3: "Kh Kc 2s 9h 8s 5c 7d", 5: TIE_OTHER}
    table = told(hands, "3 bet 1", "3 fold", "1 call 50", "5 call 50", dealer=3)
    assert table.paid_out() == [(0, "whole", {5: 51, 1: 50})]


EXAMPLE_8 = {
    1: "Ah 2d 4h 6s 7h Qs Jd",
    2: "Ts Td Tc 5s 5d 9h 8c",
    3: "Ac 2h 4s 6d 7c 7d Ks",
    4: "Kh Kd 3c 3d Jc Jh Qh",
}
EXAMPLE_8_ACTS = ("4 bet 301", "2 call 1003", "4 fold", "1 call 2010", "3 call 2010")


def example_8(**about: Any) -> Table:
    """Main pot and side pot, each halved, and both lows tied."""
    about = {"game": "stud8", "dealer": 4, "stacks": {2: 1003}} | about
    return told(EXAMPLE_8, *EXAMPLE_8_ACTS, **about)


def won(table: Table) -> dict[int, int]:
    """What each seat got of all pots, without those who got nothing."""
    totals: dict[int, int] = {}
    for _, _, shares in table.paid_out():
        for seat, amount in shares.items():
            totals[seat] = totals.get(seat, 0) + amount
    return totals


def test_example_8_odd_chips_of_two_pots_are_never_joined() -> None:
    table = example_8()
    assert table.paid_out() == [
        (0, "high", {2: 1655}),
        (0, "low", {1: 828, 3: 827}),
        (1, "high", {3: 1007}),
        (1, "low", {1: 504, 3: 503}),
    ]
    assert won(table) == {1: 1332, 2: 1655, 3: 2337}
    assert won(example_8(odd_chip_tie="suit")) == {1: 1330, 2: 1655, 3: 2339}


@pytest.mark.parametrize(
    ("method", "shares"),
    [
        ("weighted", {1: 76, 2: 38, 3: 75, 4: 11}),
        ("dealt", {1: 50, 2: 50, 3: 50, 4: 50}),
        ("winner", {1: 50, 2: 62, 3: 88, 4: 0}),
    ],
)
def test_example_9_the_same_for_real_money(method: str, shares: dict[int, int]) -> None:
    table = example_8(money=DOLLARS, small=500, rake_attribution=method)
    (rake,) = table.of(e.RakeTaken)
    assert rake.pots == (150, 50)
    assert won(table) == {1: 1281, 2: 1580, 3: 2263}
    assert amounts(rake.attribution.shares) == shares


def test_example_10_two_time_outs_on_different_streets() -> None:
    hands = {1: ACES, 2: KINGS, 3: QUEENS, 4: JACKS}
    stacks = dict.fromkeys(hands, 100_00)
    start = started(stacks, small=200, ante=50, bring_in=100, money=DOLLARS, dealer=4)
    table = Table(start)
    table.deal(doors(s1="2c", s2="Kd", s3="Qd", s4="Jd"))
    table.act("1 bet", "2 call", "3 call", "4 fold")
    table.deal({1: "As", 2: "5c", 3: "6c"})
    table.act("1 bet", "2 call", "3 time_out").deal({1: "Ad"})
    table.act("1 bet", "2 raise", "1 time_out").passively()
    assert table.returned() == [(2, 400)]
    (rake,) = table.of(e.RakeTaken)
    assert rake.pots == (0, 100)
    assert [pot.amount for pot in table.of(e.PotAwarded)] == [800, 1200 - 100]
    assert [p.paid for p in table.now.seats] == [850, 850, 250, 50]


def test_example_11_a_short_all_in_and_a_time_out() -> None:
    acts = ("3 bet 60", "1 raise 100", "2 raise 160", "3 time_out")
    table = told({1: ACES, 2: KINGS, 3: QUEENS}, *acts, stacks={1: 100})
    assert table.returned() == [(2, 60)]
    assert table.paid_out() == [(0, "whole", {1: 180}), (1, "whole", {1: 80})]
    main, side = settle(table.now).pots
    assert (main.claimants, side.claimants) == ((1, 2, 3), (1, 2))


def test_example_12_a_time_out_behind_a_raise() -> None:
    acts = ("1 bet 20", "2 call 12", "3 raise 40")
    hands = {1: QUEENS, 2: ACES, 3: JACKS, 4: KINGS}
    table = told(hands, *acts, "4 call 40", "1 time_out", stacks={2: 12})
    assert [pot.amount for pot in table.of(e.PotAwarded)] == [48, 24, 40]
    table = told(hands, *acts, "4 fold", "1 time_out", stacks={2: 12})
    assert table.returned() == [(3, 20)]
    assert [pot.amount for pot in table.of(e.PotAwarded)] == [36, 16]


@pytest.mark.parametrize(
    ("acts", "next_seat", "bettor"),
    [
        (("1 bet 20", "2 raise 28"), "call 28, raise 40", "call 28"),
        (("1 bet 20", "2 raise 30"), "call 30, raise 50", "call 30, raise 50"),
        (("1 bet 20", "2 raise 26", "3 raise 34"), "call 34, raise 54", "call 34, raise 54"),
        (("1 bet 15",), "call 15, raise 35", None),
        (("1 bet 20", "2 raise 40", "3 raise 60", "4 raise 68"), "call 68, raise 80", None),
        (("1 bet 20", "2 raise 40", "3 raise 60", "4 raise 70"), "call 70", None),
    ],
)
def test_examples_13_and_14_short_all_ins(
    acts: tuple[str, ...], next_seat: str, bettor: str | None
) -> None:
    last = acts[-1].split()
    others = {int(act.split()[0]): int(act.split()[2]) for act in acts[1:-1] if len(acts) == 3}
    about: Any = {"small": 10, "stacks": others | {int(last[0]): int(last[2])}}
    seat = int(last[0]) + 1
    table = told(SIX, *acts, **about)
    assert table.legal() == f"{seat}: fold, {next_seat}"
    behind = [f"{other} call {last[2]}" for other in range(seat, 7)]
    if bettor is not None:
        assert told(SIX, *acts, *behind, **about).legal() == f"1: fold, {bettor}"


def test_example_14_the_maker_of_the_last_full_raise_may_only_call_or_fold() -> None:
    acts = ("1 bet 20", "2 raise 40", "3 raise 60", "4 raise 68", "5 fold", "6 fold")
    about: Any = {"small": 10, "stacks": {4: 68}}
    assert told(SIX, *acts, **about).legal() == "1: fold, call 68, raise 80"
    assert told(SIX, *acts, "1 call 48", "2 call 28", **about).legal() == "3: fold, call 68"


@pytest.mark.parametrize(("all_in", "to"), [(4, "complete 10"), (5, "raise 15")])
def test_example_15_a_short_all_in_over_the_bring_in(all_in: int, to: str) -> None:
    stacks = {1: 1000, 2: 1000, 3: all_in}
    table = Table(started(stacks, small=10, bring_in=2, house=POKERSTARS))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete")
    assert table.legal() == f"1: fold, call {all_in}, {to}"


def test_example_16_a_bring_in_of_half_and_a_call_of_the_whole() -> None:
    table = Table(started({1: 100, 2: 1}, small=4, bring_in=2))
    table.deal(doors(s1="Kd", s2="2c"))
    table.act("2 bring_in").when("1 call").then(
        e.Called(seat=1, amount=2, all_in=False), e.UncalledReturned(seat=1, amount=1)
    )


@pytest.mark.parametrize(
    ("acts", "left"),
    [
        (("1 bet 200", "2 raise 300"), "raise 500, raise 700"),
        (("1 bet 200", "2 raise 250"), "raise 400, raise 600"),
        (("1 bet 200", "2 raise 500"), "raise 900"),
        (("1 bet 300",), "raise 700"),
    ],
)
def test_example_17_an_open_pair_and_an_all_in(acts: tuple[str, ...], left: str) -> None:
    seat, _, to = acts[-1].split()
    pair = FOUR | {1: "4h 3d Ac Ad", 4: "Jh Js Jd Tc"}
    table = told(pair, "fourth", *acts, small=200, stacks={int(seat): int(to)})
    assert table.legal() == f"{int(seat) + 1}: fold, call {to}, {left}"


def test_example_18_one_bet_and_three_raises_on_third_street() -> None:
    stacks = dict.fromkeys(range(1, 6), 100_00)
    table = Table(started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS))
    table.deal(doors(s1="2c", s2="Kd", s3="Qd", s4="Jd", s5="Td"))
    table.act("1 bring_in", "2 complete", "3 raise", "4 raise", "5 raise")
    assert table.legal() == "1: fold, call 800"
    table.act("1 call", "2 call", "3 call", "4 call")
    assert table.now.pot == 4125


@pytest.mark.parametrize(
    ("small", "acts", "stacks", "pots", "rake"),
    [
        (500, ("1 call 500", "4 call 500", "5 call 500", "2 call 1500"),
         {1: 500, 4: 500, 5: 500}, [2500, 2000], (100, 100)),
        (500, ("1 call 650", "2 call 680"), {1: 650}, [1950, 60], (40, 60)),
        (1000, ("1 call 300", "4 call 300", "5 call 900", "6 call 900", "2 call 2400"),
         {1: 300, 4: 300, 5: 900, 6: 900}, [1800, 2400, 3000], (0, 200, 100)),
    ],
)  # fmt: skip
def test_example_19_each_pot_bears_what_its_money_adds(
    small: int, acts: tuple[str, ...], stacks: dict[int, int], pots: list[int], rake: Any
) -> None:
    bet = acts[-1].split()[-1]
    folds = [f"{seat} fold" for seat in SIX if seat > 3 and seat not in stacks]
    about: Any = {"small": small, "stacks": stacks, "money": DOLLARS}
    table = told(SIX, f"3 bet {bet}", *acts, *folds, **about)
    (taken,) = table.of(e.RakeTaken)
    assert taken.pots == rake
    paid = [award.amount + rake[award.pot] for award in table.of(e.PotAwarded)]
    assert paid == pots


def test_example_20_the_unmatched_bet_is_neither_pot_nor_rake() -> None:
    table = told(
        {1: ACES, 2: KINGS, 3: QUEENS}, "fourth", "1 bet 550", "2 call 550", "3 fold", "fifth",
        "1 bet 200", "2 fold", small=100, money=DOLLARS,
    )  # fmt: skip
    assert table.returned() == [(1, 200)]
    assert table.now.rake == 50
    assert table.paid_out() == [(0, "whole", {1: 1050})]


def test_example_21_a_side_pot_of_one_player_after_the_other_folded() -> None:
    acts = ("sixth", "1 bet 100", "3 raise 180", "4 call 180", "seventh", "4 fold")
    table = told({1: ACES, 3: QUEENS, 4: JACKS}, *acts, stacks={1: 100})
    assert table.paid_out() == [(0, "whole", {1: 300}), (1, "whole", {3: 160})]


@pytest.mark.parametrize(
    ("chip", "bets", "high", "low"), [(50, (410, 405), 625, 600), (25, (350, 337), 537, 500)]
)
def test_example_22_what_is_less_than_a_chip_stays_with_high(
    chip: int, bets: tuple[int, int], high: int, low: int
) -> None:
    each, folded = bets
    acts = (f"3 bet {folded}", f"1 call {each}", f"2 call {each}", "3 fold")
    table = told({1: LOW, 2: KINGS, 3: QUEENS}, *acts, game="stud8", chip=chip)
    assert table.paid_out() == [(0, "high", {2: high}), (0, "low", {1: low})]


@pytest.mark.parametrize(("dealer", "gets"), [(8, {1: 502, 2: 500}), (1, {1: 501, 2: 501})])
def test_example_23_two_tie_for_both_halves(dealer: int, gets: dict[int, int]) -> None:
    hands = {1: "2h 3c 4d 5s 6h Kc Th", 2: "2d 3h 4s 5d 6c Qd Jc"}
    table = told(hands, "1 bet 501", "2 call 501", game="stud8", dealer=dealer)
    assert won(table) == gets


def test_example_24_with_a_community_card_the_full_house_opens() -> None:
    hands = {2: "3h 4d Qs Qc 7d 7h", 5: "5h 6d Ks Kc Kd 2c", 10: "7s"}
    table = Table(started(dict.fromkeys(range(1, 9), 1000)), hands).passively(7)
    table.issue(c.Deal(cards=("7s",)))
    seventh = table.of(e.BettingOpened)[-1]
    assert (seventh.street, seventh.opener) == (7, 2)
    assert seventh.reason.compared[0].words.startswith("full house")
