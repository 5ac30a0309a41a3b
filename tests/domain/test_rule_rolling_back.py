"""Rolling a hand back (D6): what came later goes back, the pots of the step are shared alike."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.disputes import commands as q
from domain.disputes.rolling_back import rolled_back, with_amounts
from domain.errors import Refused
from domain.evolve import replay
from tests.support import disputes as s
from tests.support.bdd import DOLLARS, Table, started

HANDS = {
    1: "Ah As Ad 9c 8h 3c 2d",
    2: "Kh Ks Kd 9d 8c 4c 2h",
    3: "Qh Qs 7d 9h 8s 5c Jc",
    4: "Jh Js 6d Th 7s 5d 4h",
}
STACKS = {1: 1000, 2: 61, 3: 1000, 4: 1000}


def quarrelled(**terms: Any) -> Table:
    """Seat 4 folds 16 on fourth; on fifth seat 1 bets 40, seat 2 is all-in for 25, seat 3 folds."""
    table = Table(started(STACKS, ante=6, **terms), HANDS).passively(4)
    table.street("1 bet", "2 call", "3 call", "4 fold")
    return table.street("1 bet", "2 call", "3 fold").passively()


PLAYED = quarrelled()


def step_of(table: Table, event: e.HandEvent) -> int:
    """The last step at which this happened."""
    return max(step for step, one in enumerate(table.log, 1) if one == event)


def stacks(table: Table, step: int) -> dict[int, int]:
    """What everybody has once the hand is rolled back to the step."""
    moves, rake = rolled_back(table.now, replay(table.log[:step]))
    assert sum(move.amount for move in moves) + rake == 0
    return {
        seat: stack + sum(move.amount for move in moves if move.seat == seat)
        for seat, stack in table.stacks().items()
    }


def rolling(step: int | None, **changes: Any) -> q.ProposeRuling:
    return s.proposing(
        **{"remedy": "roll_back", "step": step, "moves": (), "rule": "D6", **changes}
    )


# Seats 1 to 3 have 36 in each and seat 4 left 16: 124, 41 each and the odd chip left of the dealer.
AFTER_FOURTH = {1: 1006, 2: 66, 3: 1005, 4: 984}


def test_d6_what_was_put_in_later_goes_back_and_the_pot_is_shared_by_those_still_in() -> None:
    assert stacks(PLAYED, step_of(PLAYED, e.Folded(seat=4))) == AFTER_FOURTH


def test_d6_what_nobody_had_matched_at_the_step_goes_back_too() -> None:
    bet = e.BetPlaced(seat=1, to=40, size="big", all_in=False)
    assert stacks(PLAYED, step_of(PLAYED, bet)) == AFTER_FOURTH


def test_d6_who_folded_later_than_the_step_is_still_in_and_each_pot_has_its_own_claimants() -> None:
    # 25 of seat 1's 40 are matched: a side pot of 50 that seat 3 has no part in.
    all_in = e.Called(seat=2, amount=25, all_in=True)
    assert stacks(PLAYED, step_of(PLAYED, all_in)) == AFTER_FOURTH
    # 61 + 61 + 36 + 16 for two.
    folded = e.Folded(seat=3)
    assert stacks(PLAYED, step_of(PLAYED, folded)) == {1: 1026, 2: 87, 3: 964, 4: 984}


def test_d6_before_anything_was_put_in_everybody_has_what_he_came_with() -> None:
    assert stacks(PLAYED, 1) == STACKS


def test_d6_no_rake_is_kept_and_odd_chips_go_by_the_chip_of_the_table() -> None:
    table = Table(
        started({1: 20000, 2: 20000, 3: 20000}, small=1000, ante=25, bring_in=500, chip=25,
                money=DOLLARS),
        {seat: HANDS[seat] for seat in (1, 2, 3)},
    ).passively(4)  # fmt: skip
    table.street("1 bet", "2 call", "3 fold").passively()
    assert table.now.rake > 0
    # 1525, 1525 and 525 are 143 chips of 25: one more for seat 1.
    assert stacks(table, step_of(table, e.Folded(seat=3))) == {1: 20275, 2: 20250, 3: 19475}


def test_d6_a_hand_is_not_rolled_back_to_where_its_pots_were_paid_out() -> None:
    awarded = next(n for n, one in enumerate(PLAYED.log, 1) if isinstance(one, e.PotAwarded))
    for step in range(awarded, len(PLAYED.log) + 1):
        with pytest.raises(Refused) as no:
            with_amounts(rolling(step), PLAYED.log)
        assert no.value.rule == "D6"


def test_d6_a_record_that_never_paid_out_all_of_a_pot_is_not_rolled_back() -> None:
    unpaid = [event for event in PLAYED.log if not isinstance(event, e.PotAwarded)]
    with pytest.raises(Refused) as no:
        with_amounts(rolling(step_of(PLAYED, e.Folded(seat=4))), unpaid)
    assert no.value.rule == "D6"


def test_d6_amounts_that_are_named_are_those_of_whoever_names_them() -> None:
    step = step_of(PLAYED, e.Folded(seat=4))
    computed = with_amounts(rolling(step), PLAYED.log)
    assert (computed.moves, computed.rake) != ((), 0)
    for left in (
        rolling(step, moves=s.moves(s1=-5, s2=5)),
        rolling(step, evidence=s.KEPT),
        rolling(None),
        rolling(len(PLAYED.log) + 1),
        rolling(step, remedy=None),
        rolling(step, kind="uphold", moves=()),
    ):
        assert with_amounts(left, PLAYED.log) == left


def test_d6_a_hand_in_play_or_void_is_refused_for_that() -> None:
    playing = PLAYED.log[: step_of(PLAYED, e.Folded(seat=4))]
    assert with_amounts(rolling(3), playing) == rolling(3)
    assert s.opened(replay(playing)).refused(rolling(3)) == "D1"
    table = Table.of_facts(PLAYED.log)
    table.issue(c.Void(reason="a card too many"))
    assert with_amounts(rolling(3), table.log) == rolling(3)


def test_d6_every_step_before_the_payout_gives_a_ruling_that_is_in_sum_nothing() -> None:
    first, *rest = PLAYED.log
    assert isinstance(first, e.HandStarted)
    without_dealer = Table.of_facts([replace(first, dealer=None), *rest])
    for table in (PLAYED, s.RAKED, without_dealer):
        for step in range(1, len(table.log)):
            try:
                asked = with_amounts(rolling(step), table.log)
            except Refused:
                continue
            (ruling,) = s.opened(table.now).ask(asked).now.rulings
            after = dict(table.stacks())
            for move in ruling.proposed.moves:
                after[move.seat] += move.amount
            assert sum(after.values()) == sum(p.started_with for p in table.now.seats)
            assert min(after.values()) >= 0
