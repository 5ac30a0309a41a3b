"""The books of a hand: every step in balance, every pot back to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events as e
from projections.rake_ledger import RAKE_LEDGER, PostingRow
from tests.support.told_hands import (
    HAND,
    award,
    correction,
    odd_chip_hand,
    quiet_hand,
    rake,
    side_pot_hand,
    started,
    table_rows,
    void,
)

SIDE_POT_SETTLED = {
    "Player:p1:Table": -2010 + 790 + 491,
    "Player:p2:Table": -1003 + 1580,
    "Player:p3:Table": -2010 + 790 + 982 + 491,
    "Player:p4:Table": -301,
    "House:Rake": 200,
}


def balances(rows: Sequence[PostingRow]) -> dict[str, int]:
    """Every account that is not at zero."""
    total = Counter[str]()
    for row in rows:
        total[row.account] += row.amount
    return {account: amount for account, amount in total.items() if amount}


def posted(facts: Sequence[e.HandEvent]) -> list[PostingRow]:
    return table_rows(RAKE_LEDGER, facts)


def entry(facts: Sequence[e.HandEvent], step: int) -> list[tuple[str, int, str]]:
    return [(row.account, row.amount, row.memo) for row in posted(facts) if row.step == step]


def test_nothing_is_booked_before_the_pots_are_formed() -> None:
    assert posted(side_pot_hand()[:7]) == []


def test_the_pots_are_formed_when_the_rake_is_taken_without_what_came_back() -> None:
    assert entry(side_pot_hand(), 8) == [
        ("Player:p1:Table", -1003, "paid in"),
        ("Player:p1:Table", -1007, "paid in"),
        ("Player:p2:Table", -1003, "paid in"),
        ("Player:p3:Table", -1003, "paid in"),
        ("Player:p3:Table", -1007, "paid in"),
        ("Player:p4:Table", -301, "paid in"),
        (f"Pot:{HAND}:0", 3310, "paid in"),
        (f"Pot:{HAND}:1", 2014, "paid in"),
        (f"Pot:{HAND}:0", -150, "rake"),
        (f"Pot:{HAND}:1", -50, "rake"),
        ("House:Rake", 76, "rake"),
        ("House:Rake", 38, "rake"),
        ("House:Rake", 75, "rake"),
        ("House:Rake", 11, "rake"),
    ]


def test_each_part_of_the_rake_names_who_bears_it() -> None:
    bearers = {row.bearer: row.amount for row in posted(side_pot_hand()) if row.bearer}
    assert bearers == {"p1": 76, "p2": 38, "p3": 75, "p4": 11}


def test_an_award_goes_from_its_pot_to_each_winner() -> None:
    assert entry(side_pot_hand(), 10) == [
        (f"Pot:{HAND}:0", -1580, "award"),
        ("Player:p1:Table", 790, "award"),
        ("Player:p3:Table", 790, "award"),
    ]


def test_after_the_hand_only_players_and_rake_have_moved() -> None:
    assert balances(posted(side_pot_hand())) == SIDE_POT_SETTLED


def test_a_hand_ended_without_an_award_books_the_money_as_not_paid_out() -> None:
    facts = (started({1: 500, 2: 500}), e.AntePosted(seat=1, amount=50, all_in=False))
    rows = posted((*facts, e.HandCompleted(stacks=())))
    assert balances(rows) == {"Player:p1:Table": -50, "House:Suspense": 50}


def test_a_record_that_pays_all_from_the_main_pot_is_evened_out_between_the_pots() -> None:
    facts = side_pot_hand()[:7]
    rows = posted((*facts, award(0, "whole", {3: 5324}), e.HandCompleted(stacks=())))
    assert balances(rows) == {
        "Player:p1:Table": -2010,
        "Player:p2:Table": -1003,
        "Player:p3:Table": 3314,
        "Player:p4:Table": -301,
    }
    assert [(r.account, r.amount) for r in rows if r.memo == "left over"] == [
        (f"Pot:{HAND}:0", 2014),
        (f"Pot:{HAND}:1", -2014),
    ]


def test_chips_put_in_after_an_award_are_booked_with_the_next() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.AntePosted(seat=1, amount=50, all_in=False),
        e.AntePosted(seat=2, amount=50, all_in=False),
        award(0, "high", {1: 50}),
        e.Called(seat=2, amount=10, all_in=False),
        award(0, "low", {1: 60}),
        e.HandCompleted(stacks=()),
    )
    assert entry(facts, 6)[:2] == [
        ("Player:p2:Table", -10, "paid in"),
        (f"Pot:{HAND}:1", 10, "paid in"),
    ]
    assert balances(posted(facts)) == {"Player:p1:Table": 60, "Player:p2:Table": -60}


def test_a_void_reverses_every_account_and_leaves_the_old_postings_alone() -> None:
    facts = side_pot_hand()
    back = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
    before, after = posted(facts), posted((*facts, back))
    assert after[: len(before)] == before
    assert set(by_person(after).values()) == {0}
    assert balances([row for row in after if row.bearer]) == {}


def by_person(rows: list[PostingRow]) -> Counter[str]:
    """What stands for everybody, at the table and beside it together."""
    stands = Counter[str]()
    for account, amount in balances(rows).items():
        stands[account.rpartition(":")[0]] += amount
    return stands


def test_a_ruling_on_a_hand_that_is_over_never_touches_chips_at_the_table() -> None:
    back = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
    for ruled in (back, correction({1: 60, 2: -60})):
        facts = (*side_pot_hand(), ruled)
        players = [account for account, _, memo in entry(facts, 14) if account.startswith("Player")]
        assert players
        assert all(account.endswith(":Adjustment") for account in players)


def test_what_is_taken_back_without_a_ruling_goes_back_to_the_table() -> None:
    back = replace(correction({1: 60, 2: -60}), ruling=None)
    assert entry((*side_pot_hand(), back), 14) == [
        ("Player:p1:Table", 60, "correction"),
        ("Player:p2:Table", -60, "correction"),
    ]


def test_a_void_before_the_payout_shows_the_chips_in_and_back() -> None:
    facts = (started({1: 500, 2: 500}), e.AntePosted(seat=1, amount=50, all_in=False))
    assert entry((*facts, void({1: 50})), 3) == [
        ("Player:p1:Table", -50, "paid in"),
        (f"Pot:{HAND}:0", 50, "paid in"),
        (f"Pot:{HAND}:0", -50, "void"),
        ("Player:p1:Table", 50, "void"),
    ]


def test_a_void_takes_back_what_was_in_suspense() -> None:
    facts = (started({1: 500, 2: 500}), e.AntePosted(seat=1, amount=50, all_in=False))
    after = posted((*facts, e.HandCompleted(stacks=()), void({1: 50})))
    assert set(by_person(after).values()) == {0}


def test_a_correction_moves_chips_between_seats_and_rake_with_the_day_of_the_hand() -> None:
    facts = (*side_pot_hand(), correction({1: 60, 2: -50}, rake=-10))
    assert entry(facts, 14) == [
        ("Player:p1:Adjustment", 60, "correction"),
        ("Player:p2:Adjustment", -50, "correction"),
        ("House:Rake", -10, "correction"),
    ]
    assert balances(posted(facts))["House:Rake"] == 190
    assert len({row.day for row in posted(facts)}) == 1


def test_recorded_rake_whose_parts_do_not_add_up_is_still_booked_whole() -> None:
    facts = side_pot_hand()[:7]
    short = e.RakeTaken(
        total=200, pots=(150,), row=None, step=None, attribution=rake((), {1: 120}).attribution
    )
    rows = [row for row in posted((*facts, short)) if row.memo == "rake"]
    assert balances(rows) == {f"Pot:{HAND}:0": -200, "House:Rake": 200}
    assert [(r.bearer, r.amount) for r in rows if r.account == "House:Rake"] == [
        ("p1", 120),
        (None, 80),
    ]


@pytest.mark.parametrize("step", range(2, len(quiet_hand()) + 1))
def test_facts_that_settle_nothing_book_nothing(step: int) -> None:
    assert posted(quiet_hand()[:step]) == []


def test_postings_are_numbered_within_their_step() -> None:
    keys = [(row.step, row.line) for row in posted(side_pot_hand())]
    assert keys == sorted(set(keys))
    assert {line for step, line in keys if step == 10} == {1, 2, 3}


@given(st.lists(st.integers(0, 400), min_size=3, max_size=3), st.data())
def test_every_step_of_every_hand_balances(paid: list[int], data: st.DataObject) -> None:
    """Any money in, any part of it awarded from any pots, ended, corrected, perhaps voided."""
    facts: list[e.HandEvent] = [started({1: 400, 2: 400, 3: 400})]
    facts += [e.Called(seat=s, amount=c, all_in=c == 400) for s, c in enumerate(paid, 1)]
    if data.draw(st.booleans()):
        facts.append(e.Folded(seat=data.draw(st.integers(1, 3))))
    pot = sum(paid)
    raked = data.draw(st.integers(0, pot))
    facts.append(rake((raked,), {1: raked}))
    paid_out = data.draw(st.integers(0, pot - raked))
    facts.append(award(data.draw(st.integers(0, 2)), "whole", {2: paid_out}))
    facts.append(e.HandCompleted(stacks=()))
    rows = posted(facts)
    by_step = Counter[int]()
    for row in rows:
        by_step[row.step] += row.amount
    assert not any(by_step.values())
    assert not any(account.startswith("Pot:") for account in balances(rows))
    assert balances(rows).get("House:Rake", 0) == raked


def test_no_posting_is_of_nothing() -> None:
    assert all(row.amount for row in posted(odd_chip_hand()))
