"""The rulebook's chapter on forced bets (S1 to S7), made to run."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.errors import BadTable, NotAllowedNow, OutOfTurn
from domain.evolve import evolve
from domain.house_rules import POKERSTARS
from domain.legal import legal_actions, limits
from domain.starting import default_bring_in
from tests.support.bdd import DOLLARS, Table, doors, started

THREE = {1: 1000, 2: 1000, 3: 1000}
SEAT_2_OPENS = doors(s1="Kd", s2="2c", s3="9h")


def third(stacks: dict[int, int] | None = None, **about: object) -> Table:
    """Third street is dealt, seat 2 shows the lowest card; bring-in 10, bets of 20."""
    table = Table(started(stacks or THREE, **about))  # type: ignore[arg-type]
    table.deal(SEAT_2_OPENS)
    return table


def opener(tie: str, *, dealer: int = 8, **up: str) -> int:
    """Who brings it in with these door cards."""
    stacks = {int(seat[1:]): 1000 for seat in up}
    table = Table(started(stacks, dealer=dealer, bring_in_tie=tie))
    table.deal(doors(**up))
    (opened,) = table.of(e.BettingOpened)
    return opened.opener


# -- S1, S2: antes -------------------------------------------------------------------------------


def test_s1_everyone_antes_clockwise_before_the_cards() -> None:
    start = started({1: 1000, 4: 1000, 7: 1000}, dealer=4, ante=5)
    table = Table(start)
    assert table.log == [
        start,
        e.AntePosted(seat=7, amount=5, all_in=False),
        e.AntePosted(seat=1, amount=5, all_in=False),
        e.AntePosted(seat=4, amount=5, all_in=False),
    ]
    assert table.now.pot == 15


def test_s1_an_ante_told_late_takes_nothing_from_what_is_in_on_the_street() -> None:
    table = third().act("2 bring_in")
    late = evolve(table.now, e.AntePosted(seat=2, amount=5, all_in=False))
    assert (late.player(2).street_total, late.player(2).ante, late.pot) == (10, 5, 15)


def test_s1_a_table_may_have_no_ante() -> None:
    assert len(Table(started(THREE, ante=0)).log) == 1


def test_s1_an_ante_is_whole_chips() -> None:
    with pytest.raises(BadTable) as refusal:
        Table(started(THREE, ante=3, small=20, bring_in=10, chip=5))
    assert refusal.value.rule == "S1"


def test_s1_a_hand_starts_once_and_before_anything_else() -> None:
    Table(started()).refused(c.StartHand(hand=started()), NotAllowedNow, "S1")


def test_s1_the_ante_is_not_part_of_what_is_owed_on_the_street() -> None:
    table = third(ante=5).act("2 bring_in", "3 complete")
    assert table.legal() == "1: fold, call 20, raise 40"


def test_s2_too_few_chips_for_the_ante_are_all_posted() -> None:
    table = Table(started({1: 1000, 2: 3, 3: 5}, ante=5))
    assert table.log[1:] == [
        e.AntePosted(seat=1, amount=5, all_in=False),
        e.AntePosted(seat=2, amount=3, all_in=True),
        e.AntePosted(seat=3, amount=5, all_in=True),
    ]
    assert [p.status for p in table.now.seats] == ["active", "all_in", "all_in"]


# -- S3: who brings it in ------------------------------------------------------------------------


def test_s3_the_lowest_door_card_brings_it_in() -> None:
    table = Table(started(THREE))
    opened = table.deal(SEAT_2_OPENS)[-1]
    assert isinstance(opened, e.BettingOpened)
    assert (opened.street, opened.opener, opened.double_bet) == (3, 2, False)
    assert opened.reason.rule == "S3"
    shown = [(one.seat, one.cards, one.words) for one in opened.reason.compared]
    assert shown == [(2, ("2c",), "two"), (3, ("9h",), "nine"), (1, ("Kd",), "king")]


@pytest.mark.parametrize("tie", ["left_of_dealer", "suit"])
def test_s3_no_tie_no_tie_rule(tie: str) -> None:
    assert opener(tie, s1="3c", s2="2s", s3="3d") == 2


@pytest.mark.parametrize(("dealer", "opens"), [(8, 2), (2, 5), (3, 5), (5, 2), (7, 2)])
def test_s3_a_tie_goes_to_the_first_left_of_the_dealer(dealer: int, opens: int) -> None:
    assert opener("left_of_dealer", dealer=dealer, s1="9h", s2="2d", s5="2c") == opens


@pytest.mark.parametrize(
    ("one", "other", "opens"), [("2c", "2d", 2), ("2h", "2d", 5), ("2h", "2s", 2)]
)
def test_s3_or_by_suit_clubs_diamonds_hearts_spades(one: str, other: str, opens: int) -> None:
    for dealer in (1, 2, 5, 8):
        assert opener("suit", dealer=dealer, s1="9h", s2=one, s5=other) == opens


def test_s3_only_the_opener_may_bring_it_in() -> None:
    refusal = third().refused("3 bring_in", OutOfTurn, "S3")
    assert [choice.action for choice in refusal.legal] == ["bring_in", "bet"]


# -- S4: what the opener may do ------------------------------------------------------------------


def test_s4_the_opener_posts_or_opens_for_the_full_small_bet() -> None:
    assert third().legal() == "2: bring_in 10, bet 20"


def test_s4_posting_is_his_action() -> None:
    third().when("2 bring_in").then(e.BringInPosted(seat=2, amount=10, all_in=False))


def test_s4_a_bring_in_that_is_only_called_ends_the_round() -> None:
    table = third().act("2 bring_in", "3 call", "1 call")
    assert table.legal() == "nobody"
    assert table.now.pot == 30


def test_s4_opening_for_the_small_bet() -> None:
    table = third()
    table.when("2 bet").then(e.BetPlaced(seat=2, to=20, size="small", all_in=False))
    assert table.legal() == "3: fold, call 20, raise 40"


def test_s4_completing_and_betting_are_the_same_to_the_opener() -> None:
    third().when("2 complete").then(e.BetPlaced(seat=2, to=20, size="small", all_in=False))


@pytest.mark.parametrize("act", ["check", "fold", "call", "raise 20"])
def test_s4_the_opener_may_do_nothing_else(act: str) -> None:
    third().refused(f"2 {act}", NotAllowedNow, "S4")


def test_s4_nobody_checks_on_third_street() -> None:
    table = third().act("2 bring_in")
    table.refused("3 check", NotAllowedNow, "B5")
    table.refused("3 bring_in", NotAllowedNow, "S4")


@pytest.mark.parametrize(
    ("stack", "choices"),
    [
        (4, "bring_in 4+"),
        (10, "bring_in 10+"),
        (14, "bring_in 10, bet 14+"),
        (20, "bring_in 10, bet 20+"),
        (21, "bring_in 10, bet 20"),
    ],
)
def test_s4_a_short_opener_may_go_all_in_for_less(stack: int, choices: str) -> None:
    assert third({1: 1000, 2: stack, 3: 1000}).legal() == f"2: {choices}"


def test_s4_the_bring_in_is_by_default_half_the_small_bet_rounded_up() -> None:
    assert [default_bring_in(small, 1) for small in (20, 25, 1)] == [10, 13, 1]
    assert default_bring_in(75, 25) == 50


@pytest.mark.parametrize("bring_in", [0, 9, 21])
def test_s4_the_sources_ask_for_half_the_small_bet_at_least(bring_in: int) -> None:
    with pytest.raises(BadTable) as refusal:
        Table(started(THREE, bring_in=bring_in))
    assert refusal.value.rule == "S4"


def test_s4_a_site_may_ask_for_less() -> None:
    assert third(bring_in=3, house=POKERSTARS).legal() == "2: bring_in 3, bet 20"


# -- S5: the duty passes -------------------------------------------------------------------------


def broke_opener(**about: object) -> Table:
    """Seat 2 is to bring it in but has anted his last chips; seat 3 sits next."""
    return third({1: 1000, 2: 5, 3: 1000, 4: 1000}, ante=5, **about)


def test_s5_the_duty_passes_to_the_next_active_player_who_may_also_fold() -> None:
    table = broke_opener()
    (opened,) = table.of(e.BettingOpened)
    assert opened.opener == 2, "by the cards it is still seat 2"
    assert table.legal() == "3: fold, bring_in 10, bet 20"
    table.refused("4 bring_in", OutOfTurn, "S5")
    table.refused("3 check", NotAllowedNow, "S4")


def test_s5_he_may_bring_it_in() -> None:
    table = broke_opener()
    table.when("3 bring_in").then(e.BringInPosted(seat=3, amount=10, all_in=False))
    assert table.legal() == "4: fold, call 10, complete 20"


def test_s5_if_he_folds_it_passes_on() -> None:
    table = broke_opener().act("3 fold")
    assert table.legal() == "4: fold, bring_in 10, bet 20"
    table.refused("1 bring_in", OutOfTurn, "S5")


def test_s5_if_he_is_timed_out_it_passes_on() -> None:
    table = broke_opener().act("3 time_out")
    assert table.now.player(3).status == "timed_out"
    assert table.legal() == "4: fold, bring_in 10, bet 20"


def test_s5_an_opener_who_is_timed_out_passes_it_on_too() -> None:
    table = third(ante=5).act("2 time_out")
    assert table.legal() == "3: fold, bring_in 10, bet 20"


def test_s5_when_one_player_could_act_nobody_brings_it_in() -> None:
    table = broke_opener().act("3 fold", "4 fold")
    assert table.legal() == "nobody"
    assert not table.of(e.BringInPosted)


def test_s5_an_opener_with_less_posts_it_all_in_and_the_others_owe_all_of_it() -> None:
    table = third({1: 1000, 2: 4, 3: 1000})
    table.when("2 bring_in").then(e.BringInPosted(seat=2, amount=4, all_in=True))
    assert table.legal() == "3: fold, call 10, complete 20"


def test_s5_the_duty_falls_on_a_short_stack_as_well() -> None:
    table = third({1: 1000, 2: 5, 3: 12, 4: 1000}, ante=5)
    assert table.legal() == "3: fold, bring_in 7+"
    table.act("3 bring_in")
    assert table.legal() == "4: fold, call 10, complete 20"


# -- S6, S7: what a bet is -----------------------------------------------------------------------


def test_s6_small_bet_on_third_and_fourth_big_bet_from_fifth_on() -> None:
    hands = {1: "Kd Kh 9s 7c 8c Tc", 2: "Ad Qs 2c 6d Jd 4d"}
    table = Table(started({1: 1000, 2: 1000}), hands)
    sizes = {}
    for street in (3, 4, 5, 6, 7):
        table.passively(street).deal()
        (sizes[street],) = [a.to for a in legal_actions(table.now) if a.action == "bet"]
    assert sizes == {3: 20, 4: 20, 5: 40, 6: 40, 7: 40}


def test_s6_the_big_bet_is_twice_the_small_one() -> None:
    start = started(THREE)
    stakes = e.Stakes(small_bet=20, big_bet=50, ante=0, bring_in=10, chip_unit=1)
    with pytest.raises(BadTable) as refusal:
        Table(replace(start, stakes=stakes))
    assert refusal.value.rule == "S6"


def test_s6_a_bet_may_be_a_single_chip() -> None:
    table = third(small=1, bring_in=1)
    assert table.legal() == "2: bring_in 1, bet 1"
    assert table.act("2 bring_in").legal() == "3: fold, call 1, complete 2"


def test_s6_a_bet_is_whole_chips() -> None:
    with pytest.raises(BadTable) as refusal:
        Table(started(THREE, small=20, chip=25))
    assert refusal.value.rule == "S6"


def test_s7_completing_is_the_first_bet_of_the_round_not_a_raise() -> None:
    table = third().act("2 bring_in")
    table.when("3 complete").then(e.Completed(seat=3, to=20, size="small", all_in=False))
    assert table.now.betting.bets == 1
    assert table.legal() == "1: fold, call 20, raise 40"


def test_s7_opening_for_the_small_bet_counts_alike() -> None:
    assert third().act("2 bet").now.betting.bets == 1


def test_s7_opening_for_a_small_bet_no_larger_than_the_bring_in_is_bet_one_as_well() -> None:
    table = third(small=10, bring_in=10)
    assert table.legal() == "2: bring_in 10, bet 10"
    assert table.act("2 bet").now.betting.bets == 1
    assert table.legal() == "3: fold, call 10, raise 20"


def test_s7_there_are_three_raises_after_a_completion() -> None:
    table = third().act("2 bring_in", "3 complete", "1 raise", "2 raise", "3 raise")
    assert table.legal() == "1: fold, call 80"


def test_s7_a_bring_in_is_completed_and_not_raised() -> None:
    table = third().act("2 bring_in")
    table.refused("3 raise 20", NotAllowedNow, "S7")
    table.act("3 complete")
    table.refused("1 complete", NotAllowedNow, "S7")


def test_s7_nothing_is_completed_after_third_street() -> None:
    table = third().passively(4)
    table.deal()
    table.refused(f"{table.legal()[0]} complete", NotAllowedNow, "S7")


def test_s1_to_s4_hold_for_real_money_as_well() -> None:
    table = Table(started(THREE, small=100, ante=25, bring_in=50, money=DOLLARS))
    table.deal(SEAT_2_OPENS)
    assert table.now.pot == 75
    assert table.legal() == "2: bring_in 50, bet 100"


def test_s5_what_limits_a_seat_can_be_asked_when_nobody_is_left_to_bring_it_in() -> None:
    table = third({1: 3, 2: 3, 3: 3}, ante=5)
    assert table.legal() == "nobody"
    assert "B10" in [rule for rule, _ in limits(table.now, 1)]
