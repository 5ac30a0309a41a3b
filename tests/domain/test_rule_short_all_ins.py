"""What a short all-in opens and what nobody matched (B7, B8), made to run."""

from __future__ import annotations

import pytest

from domain import events as e
from domain.errors import IllegalAmount, NotAllowedNow
from domain.house_rules import FULLTILT, POKERSTARS
from tests.support.bdd import Table, doors, started

BOARDS = {
    1: "2h 3d Kc Qd",
    2: "4h 5d 9s Jc",
    3: "6h 7d Tc 8h",
    4: "8d 9d Qs Jd",
    5: "2s 3c Th 8c",
    6: "2d 3s Ts 7c",
}
PAIR = BOARDS | {1: "2h 3d Kc Kd"}


def fourth(
    all_in: dict[int, int], hands: dict[int, str] = BOARDS, *, small: int = 20, players: int = 6
) -> Table:
    """Fourth street, seat 1 opens for 20; `all_in` says what a seat has for this street."""
    half = small // 2
    seats = {seat: hand for seat, hand in hands.items() if seat <= players}
    stacks = {seat: half + all_in.get(seat, 100 * small) for seat in seats}
    table = Table(started(stacks, small=small, bring_in=half), seats).passively(4)
    table.deal()
    return table


# -- B7: short all-ins ---------------------------------------------------------------------------


def test_b7_less_than_half_a_bet_raises_only_the_price() -> None:
    table = fourth({2: 28}).act("1 bet")
    table.when("2 raise 28").then(e.Raised(seat=2, to=28, size="small", all_in=True))
    assert table.now.betting.bets == 1
    assert table.legal() == "3: fold, call 28, raise 40"


def test_b7_it_reopens_nothing_to_who_has_acted_the_bettor_included() -> None:
    table = fourth({3: 28}, players=4).act("1 bet", "2 call", "3 raise 28", "4 call")
    assert table.legal() == "1: fold, call 28"
    table.refused("1 raise 40", NotAllowedNow, "B7")
    table.act("1 call").refused("2 raise 40", NotAllowedNow, "B7")


def test_b7_a_full_raise_behind_it_reopens_the_betting() -> None:
    table = fourth({2: 28}, players=3).act("1 bet", "2 raise 28", "3 raise 40")
    assert table.legal() == "1: fold, call 40, raise 60"


def test_b7_half_a_bet_counts_as_a_whole_one() -> None:
    table = fourth({2: 30}).act("1 bet", "2 raise 30")
    assert table.now.betting.bets == 2
    assert table.legal() == "3: fold, call 30, raise 50"


def test_b7_several_short_ones_are_measured_together() -> None:
    table = fourth({2: 26, 3: 34}, players=4).act("1 bet", "2 raise 26", "3 raise 34")
    assert table.legal() == "4: fold, call 34, raise 54"
    assert table.act("4 call").legal() == "1: fold, call 34, raise 54"


def test_b7_several_that_stay_under_half_a_bet_together_count_nothing() -> None:
    table = fourth({2: 24, 3: 29}, players=4).act("1 bet", "2 raise 24", "3 raise 29")
    assert table.legal() == "4: fold, call 29, raise 40"
    assert table.act("4 call").legal() == "1: fold, call 29"


def test_b7_an_all_in_of_half_a_bet_as_the_bet() -> None:
    table = fourth({1: 15}).act("1 bet 15")
    assert table.legal() == "2: fold, call 15, raise 35"


def test_b7_an_all_in_of_less_as_the_bet_is_to_be_raised_to_the_full_bet() -> None:
    table = fourth({2: 9}, players=3).act("1 check", "2 bet 9")
    assert table.now.betting.bets == 0
    assert table.legal() == "3: fold, call 9, raise 20"
    assert table.act("3 call").legal() == "1: fold, call 9"


@pytest.mark.parametrize(
    ("all_in", "who_has_not_acted", "who_has"),
    [(68, "fold, call 68, raise 80", "fold, call 68"), (70, "fold, call 70", "fold, call 70")],
)
def test_b7_the_last_raise_may_be_a_short_one(
    all_in: int, who_has_not_acted: str, who_has: str
) -> None:
    table = fourth({4: all_in}, players=5)
    table.act("1 bet", "2 raise", "3 raise", f"4 raise {all_in}")
    for seat in (5, 1, 2):
        assert table.legal() == f"{seat}: {who_has_not_acted}"
        table.act(f"{seat} call")
    assert table.legal() == f"3: {who_has}", "he made the last wager that counted"


@pytest.mark.parametrize(("all_in", "to"), [(4, 10), (5, 15)])
def test_b7_the_bring_in_does_not_count(all_in: int, to: int) -> None:
    stacks = {1: 1000, 2: 1000, 3: all_in}
    table = Table(started(stacks, small=10, bring_in=2, house=POKERSTARS))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete")
    name = "complete" if to == 10 else "raise"
    assert table.legal() == f"1: fold, call {all_in}, {name} {to}"


def test_b7_who_brought_it_in_has_acted() -> None:
    stacks = {1: 1000, 2: 1000, 3: 4}
    table = Table(started(stacks, small=10, bring_in=2, house=POKERSTARS))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete", "1 call")
    assert table.legal() == "2: fold, call 4"


@pytest.mark.parametrize(
    ("wagers", "all_in", "left"),
    [
        ((200,), 300, [500, 700]),
        ((200,), 250, [400, 600]),
        ((200,), 500, [900]),
        ((), 300, [700]),
    ],
)
def test_b7_with_an_open_pair_more_than_the_small_bet_is_a_big_wager(
    wagers: tuple[int, ...], all_in: int, left: list[int]
) -> None:
    seat = 2 if wagers else 1
    table = fourth({seat: all_in}, PAIR, small=200)
    table.act(*(f"1 bet {to}" for to in wagers))
    table.act(f"{seat} {'raise' if wagers else 'bet'} {all_in}")
    words = table.legal().split(", ")
    assert [int(word.split()[1]) for word in words if word.startswith("raise")] == left


def test_b7_a_player_with_chips_may_not_raise_to_less_than_a_full_raise() -> None:
    # He could put the other one all-in with 34, but owes the table a full raise.
    table = fourth({2: 34}, players=2).act("1 bet", "2 raise 34")
    assert table.legal() == "1: fold, call 34"
    table = fourth({1: 34}, players=2).act("1 check", "2 bet")
    assert table.legal() == "1: fold, call 20, raise 34+"
    table = fourth({1: 34}, players=2).act("1 bet")
    table.refused("2 raise 34", IllegalAmount, "S6")
    table.act("2 raise 40", "1 call")
    assert table.of(e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=6)]


def test_b7_an_all_in_for_less_than_the_bet_is_a_call() -> None:
    table = fourth({2: 13}, players=3).act("1 bet")
    assert table.legal() == "2: fold, call 13+"
    table.refused("2 raise 13", NotAllowedNow, "B5")


# -- B8: what nobody matched ---------------------------------------------------------------------


def returned(table: Table) -> list[tuple[int, int]]:
    return [(back.seat, back.amount) for back in table.of(e.UncalledReturned)]


def test_b8_a_bet_nobody_calls_goes_back_before_the_pot_is_paid() -> None:
    table = fourth({}, players=2).act("1 bet", "2 fold")
    kinds = [type(event) for event in table.log[-4:]]
    assert kinds == [e.Folded, e.UncalledReturned, e.PotAwarded, e.HandCompleted]
    assert returned(table) == [(1, 20)]
    assert table.of(e.PotAwarded)[0].amount == 20


def test_b8_folded_players_count_as_having_matched() -> None:
    table = fourth({}, players=3).act("1 bet", "2 raise", "3 raise", "1 fold", "2 fold")
    assert returned(table) == [(3, 20)]
    assert table.now.player(3).paid == 10 + 40


def test_b8_what_an_all_in_call_does_not_reach_goes_back() -> None:
    table = fourth({2: 220}, small=254, players=2).act("1 bet", "2 call")
    assert returned(table) == [(1, 34)]
    assert table.now.player(1).street_total == 220


def test_b8_it_goes_back_before_the_next_street() -> None:
    table = fourth({2: 13}, players=2).act("1 bet", "2 call")
    table.deal()
    kinds = [type(event) for event in table.log]
    fifth = [i for i, event in enumerate(table.log) if getattr(event, "street", 0) == 5]
    assert kinds.index(e.UncalledReturned) < fifth[0]


def test_b8_who_gets_back_his_last_chips_has_chips_again() -> None:
    table = fourth({1: 20, 2: 13}, players=2).act("1 bet", "2 call")
    assert (table.now.player(1).stack, table.now.player(1).status) == (7, "active")
    assert table.passively().now.completed


def test_b8_a_lone_bring_in_goes_back_and_the_antes_do_not() -> None:
    table = Table(started({1: 100, 2: 100, 3: 100}, ante=5))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 fold", "1 fold")
    assert returned(table) == [(2, 10)]
    assert table.stacks() == {1: 95, 2: 110, 3: 95}


def test_b8_a_full_bring_in_on_top_of_a_short_one_goes_back_in_part() -> None:
    table = Table(started({1: 100, 2: 1}, small=4, bring_in=2))
    table.deal(doors(s1="Kd", s2="2c"))
    table.act("2 bring_in", "1 call")
    assert returned(table) == [(1, 1)]


@pytest.mark.parametrize("house", [POKERSTARS, FULLTILT])
def test_b8_an_unmatched_ante_stays_or_is_returned(house: object) -> None:
    table = Table(started({1: 100, 2: 6}, ante=10, house=house))  # type: ignore[arg-type]
    table.passively()
    if house == POKERSTARS:
        assert returned(table) == []
        assert [pot.amount for pot in table.of(e.PotAwarded)] == [12, 4]
    else:
        assert returned(table) == [(1, 4)]
        assert [pot.amount for pot in table.of(e.PotAwarded)] == [12]


def test_b8_ante_and_bet_are_returned_together() -> None:
    stacks = {1: 100, 2: 6, 3: 100}
    table = Table(started(stacks, ante=10, house=FULLTILT))
    table.deal(doors(s1="Kd", s2="9c", s3="2h"))
    table.act("3 bring_in", "1 complete", "3 fold")
    # Seat 3 has 10 + 10 in, seat 1 has 10 + 20: only the completion is above it.
    assert returned(table) == [(1, 10)]
    assert table.now.player(1).paid == 20


def test_b8_a_timed_out_players_chips_do_not_go_back_to_him() -> None:
    table = fourth({}, players=2).act("1 bet", "2 raise", "1 time_out")
    assert returned(table) == [(2, 20)]
    assert table.now.player(1).paid == 30
