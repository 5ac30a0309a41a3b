"""Small inputs that real software got wrong. The number in a test's name is the row it pins.

Rows that only a reader, a store or a page can get wrong are pinned beside those: 17 to 21, 24, 34
and 35.
"""

from __future__ import annotations

import pytest

from domain import events as e
from domain.errors import CorruptHistory, IllegalAmount, NotAllowedNow
from domain.evolve import evolve, replay
from domain.legal import legal_actions
from domain.verdict import judge
from tests.support.bdd import DOLLARS, Table, amounts, doors, started
from tests.support.told import told

ACES = "Ah As Ad 9c 8h 3c 2d"
KINGS = "Kh Ks Kd 9d 8c 4c 2h"
QUEENS = "Qc Qs Qd 9h 8s 5c 2s"
JACKS = "Jh Js Jd 9s 8d 5d 2c"
THREE = {1: ACES, 2: KINGS, 3: QUEENS}
FOUR = THREE | {4: JACKS}


def test_case_1_three_tie_and_nothing_leaks_between_layers() -> None:
    board = {1: "Ah Kc Qd Js Td 2c 3d", 2: "Ac Kd Qs Jh Ts 2d 3h", 3: "Ad Ks Qh Jc Th 2h 3s"}
    table = told(board, "1 bet 10100", "2 call 10100", "3 call 10100")
    assert table.paid_out() == [(0, "whole", {1: 10100, 2: 10100, 3: 10100})]


def test_case_2_the_contributors_of_the_top_layer_have_all_folded() -> None:
    acts = ("3 bet 180", "4 call 180", "1 call 100", "2 call 100", "3 fold", "4 fold")
    table = told(FOUR, *acts, stacks={1: 100, 2: 100})
    assert table.paid_out() == [(0, "whole", {1: 560})]


def test_case_3_who_went_all_in_earlier_stays_eligible_through_streets_without_bets() -> None:
    acts = ("fifth", "1 bet 40", "2 call 40", "3 call 40", "seventh", "2 check", "3 check")
    table = told(THREE, *acts, stacks={1: 40})
    assert table.paid_out() == [(0, "whole", {1: 120})]


def test_case_4_high_and_low_are_judged_pot_by_pot() -> None:
    low = "Ac 3d 4d 6h 7s Tc Qh"
    acts = ("2 bet 80", "3 call 80", "1 call 30")
    table = told({1: "As Ah Ad Kc 9s 5h 4h", 2: low, 3: KINGS}, *acts, stacks={1: 30}, game="stud8")
    assert table.paid_out() == [
        (0, "high", {1: 45}),
        (0, "low", {2: 45}),
        (1, "high", {3: 50}),
        (1, "low", {2: 50}),
    ]


def test_case_5_what_nobody_matched_goes_back_once() -> None:
    table = told(THREE, "1 bet 40", "2 call 25", "3 fold", stacks={2: 25})
    assert table.returned() == [(1, 15)]
    twice = [*table.log]
    twice.insert(twice.index(table.of(e.UncalledReturned)[0]), table.of(e.UncalledReturned)[0])
    rules = {finding.rule for finding in judge(twice[: len(twice) - 4]).findings}
    assert "B8" in rules


def test_case_6_a_bet_of_254_and_an_all_in_call_of_220() -> None:
    table = told({1: ACES, 2: KINGS}, "1 bet 254", "2 call 220", stacks={2: 220})
    assert table.returned() == [(1, 34)]
    assert [player.paid for player in table.now.seats] == [220, 220]


def test_case_8_the_bet_goes_back_first_and_rake_is_on_what_is_left() -> None:
    acts = ("fourth", "1 bet 1150", "2 call 1150", "seventh", "1 bet 900", "2 fold")
    table = told({1: ACES, 2: KINGS}, *acts, small=200, money=DOLLARS)
    assert table.returned() == [(1, 900)]
    (rake,) = table.of(e.RakeTaken)
    assert (rake.total, rake.step) == (100, "pot of $20.00 or more: $1.00")
    assert table.paid_out() == [(0, "whole", {1: 2200})]


@pytest.mark.parametrize(("ante", "pot"), [(0, []), (5, [(0, "whole", {2: 15})])])
def test_case_9_one_forced_bet_and_nobody_else_plays(
    ante: int, pot: list[tuple[int, str, dict[int, int]]]
) -> None:
    table = Table(started(ante=ante))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 fold", "1 fold")
    assert table.returned() == [(2, 10)]
    assert table.paid_out() == pot
    assert judge(table.log).verdict == "clean"


def test_case_10_an_all_in_for_less_than_the_bet_is_a_call() -> None:
    table = told(THREE, "1 bet 40", "2 call 13", stacks={2: 13})
    assert table.now.betting.price == 40
    assert table.legal() == "3: fold, call 40, raise 80"
    as_a_raise = e.Raised(seat=2, to=13, size="big", all_in=True)
    hand = evolve(replay(table.log[:-2]), as_a_raise)
    assert hand.betting.price == 40, "a raise to less than the bet raises nothing"


def test_case_11_in_a_capped_round_there_is_call_and_fold() -> None:
    table = told(FOUR, "1 bet 40", "2 raise 80", "3 raise 120", "4 raise 160")
    assert [choice.action for choice in legal_actions(table.now)] == ["fold", "call"]


def test_case_12_a_short_all_in_after_bet_and_call_reopens_nothing() -> None:
    table = told(THREE, "1 bet 40", "2 call 40", "3 raise 55", stacks={3: 55})
    assert table.legal() == "1: fold, call 55"
    assert (
        told(THREE, "1 bet 40", "2 call 40", "3 raise 55", "1 call 15", stacks={3: 55}).legal()
        == "2: fold, call 55"
    )


def test_case_13_a_lone_player_with_chips_answers_an_all_in_he_has_not_matched() -> None:
    table = told({1: ACES, 2: KINGS}, "1 bet 40", "2 raise 80", stacks={2: 80})
    assert table.legal() == "1: fold, call 80"
    table.act("1 call")
    assert table.now.completed


def test_case_14_the_ante_is_no_part_of_what_is_owed() -> None:
    table = Table(started(ante=5, small=15, bring_in=8))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete")
    assert table.legal() == "1: fold, call 15, raise 30"
    assert table.now.player(1).paid == 5


def test_case_15_folded_hands_are_never_ranked() -> None:
    table = told({1: ACES, 2: "7c 8d 9h 2s 3d Jc Kc"}, "2 check", "1 fold")
    assert table.now.completed
    table = told({1: ACES, 2: "7c 8d 9h 2s 3d Jc Kc"}, "2 bet 40", "1 call 40", "1 fold")
    assert table.paid_out() == [(0, "whole", {2: 80})]
    assert table.of(e.PotAwarded)[0].reason.rule == "B9"


def test_case_16_all_in_is_not_folded_and_folded_is_not_eligible() -> None:
    table = told(THREE, "1 bet 40", "2 call 40", "3 call 40", "1 fold", stacks={2: 40})
    assert [player.status for player in table.now.seats] == ["folded", "all_in", "active"]
    assert table.paid_out() == [(0, "whole", {2: 120})]


def test_case_22_after_an_all_in_on_fourth_street_the_other_cards_still_come() -> None:
    table = Table(started({1: 30, 2: 30})).passively(4).street()
    table.aggressively()
    assert [dealt.street for dealt in table.of(e.CardsDealt) if dealt.seat == 1] == [3, 4, 5, 6, 7]


def test_case_23_bring_in_complete_and_raise_are_totals() -> None:
    table = Table(started(small=5, bring_in=3))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete", "1 raise")
    acts = table.of(e.BringInPosted, e.Completed, e.Raised)
    assert [getattr(act, "to", getattr(act, "amount", 0)) for act in acts] == [3, 5, 10]
    assert table.now.pot == 18


def award(*shares: tuple[int, int]) -> e.PotAwarded:
    return e.PotAwarded(
        pot=0,
        half="whole",
        amount=sum(amount for _, amount in shares),
        shares=tuple(e.Share(seat=seat, amount=amount, odd=0) for seat, amount in shares),
        reason=e.Reason(rule="G1", compared=()),
    )


def test_case_25_nothing_put_in_and_something_paid_out() -> None:
    hand = replay([started()])
    with pytest.raises(CorruptHistory, match="paid out of a pot of 0"):
        evolve(hand, award((1, 5)))


def test_case_26_the_attribution_sums_to_the_rake_exactly() -> None:
    acts = ("1 bet 700", "2 call 700", "3 call 701")
    for method in ("weighted", "dealt", "contributed", "winner"):
        table = told(THREE, *acts, small=200, money=DOLLARS, rake_attribution=method)
        (rake,) = table.of(e.RakeTaken)
        assert rake.total == 100
        assert sum(amounts(rake.attribution.shares).values()) == 100


def test_case_27_two_winners_who_each_collect_the_whole_pot() -> None:
    table = told({1: ACES, 2: KINGS}, "1 bet 40", "2 call 40")
    before = replay(event for event in table.log[:-2])
    paid = evolve(before, award((1, 80)))
    with pytest.raises(CorruptHistory, match="the pot is paid twice"):
        evolve(paid, award((2, 80)))


def test_case_28_a_timed_out_player_who_owes_nothing_is_checked_where_the_room_does_so() -> None:
    table = Table(started(timeout_outcome="check_or_fold")).passively(4)
    table.deal()
    seat = int(table.legal()[0])
    assert table.act(f"{seat} time_out").log[-1] == e.Checked(seat=seat)
    assert table.now.player(seat).still_in


def test_case_29_who_disconnects_leaves_his_chips_in_the_pot() -> None:
    table = Table(started(ante=5))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "1 disconnect", "3 call", "1 time_out").passively()
    assert sum(table.stacks().values()) == 3000


@pytest.mark.parametrize(
    ("tie", "dealer", "opens"),
    [("suit", 8, 2), ("suit", 2, 2), ("left_of_dealer", 8, 1), ("left_of_dealer", 1, 2)],
)
def test_case_30_two_deuces_for_the_bring_in(tie: str, dealer: int, opens: int) -> None:
    table = Table(started(dealer=dealer, bring_in_tie=tie))
    table.deal(doors(s1="2d", s2="2c", s3="9h"))
    assert table.now.betting.opened is not None
    assert table.now.betting.opened.opener == opens


def test_case_31_a_raise_to_the_opponents_last_chip_is_to_be_a_full_raise() -> None:
    table = told({1: ACES, 2: KINGS}, "1 check", "2 bet 40", stacks={2: 54})
    table.refused("1 raise 54", IllegalAmount, "S6")
    table.act("1 raise 80", "2 call")
    assert table.returned() == [(1, 26)]


def test_case_31_in_an_old_record_it_is_a_finding_and_no_crash() -> None:
    acts = ("1 check", "2 bet 40", "1 raise 54", "2 call 14")
    table = told({1: ACES, 2: KINGS}, *acts, stacks={2: 54})
    step = next(n for n, event in enumerate(table.log, 1) if isinstance(event, e.Raised))
    assert [(f.step, f.rule) for f in judge(table.log).findings if f.step == step] == [(step, "S6")]
    assert table.paid_out() == [(0, "whole", {1: 108})]


def test_case_32_one_community_card_in_every_hand() -> None:
    table = Table(started(dict.fromkeys(range(1, 9), 1000))).passively()
    assert len(table.of(e.CommunityCardDealt)) == 1
    assert all(len(player.cards) == 6 for player in table.now.seats)
    assert judge(table.log).verdict == "clean"


def test_case_33_several_payouts_for_one_player_are_added_up() -> None:
    table = told({1: ACES, 2: KINGS}, "1 check", "2 bet 40", "1 call 40")
    *before, whole, end = table.log
    assert isinstance(whole, e.PotAwarded)
    assert isinstance(end, e.HandCompleted)
    parts = [*before, award((1, 30)), award((1, 50)), end]
    assert judge(parts).hand.player(1).stack == judge(table.log).hand.player(1).stack
    rules = {finding.rule for finding in judge(parts).findings}
    assert rules <= {finding.rule for finding in judge(table.log).findings}


def test_a_capped_round_is_told_to_who_wants_to_raise() -> None:
    table = told(FOUR, "1 bet 40", "2 raise 80", "3 raise 120", "4 raise 160")
    table.refused("1 raise 200", NotAllowedNow, "B3")
