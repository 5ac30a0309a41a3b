"""The pots of a hand, once they stand."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from domain import events as e
from projections.pots import POTS, PotRow
from tests.support.told_hands import (
    award,
    correction,
    quiet_hand,
    side_pot_hand,
    started,
    table_rows,
    void,
)


def pots(facts: Sequence[e.HandEvent]) -> list[PotRow]:
    return table_rows(POTS, facts)


def read(text: str) -> object:
    return msgspec.json.decode(text)


@pytest.mark.parametrize("step", range(1, 8))
def test_there_are_no_pots_while_there_is_betting(step: int) -> None:
    assert pots(side_pot_hand()[:step]) == []


def test_main_pot_and_side_pot_stand_when_the_rake_is_taken() -> None:
    main, side = pots(side_pot_hand()[:8])
    assert (main.pot, main.gross, main.rake, main.awarded) == (0, 3310, 150, 0)
    assert (side.pot, side.gross, side.rake, side.awarded) == (1, 2014, 50, 0)
    assert read(main.claimants) == [1, 2, 3]
    assert read(side.claimants) == [1, 3]


def test_folded_money_is_a_contribution_without_a_claim() -> None:
    main, side = pots(side_pot_hand())
    assert read(main.contributions) == {"1": 1003, "2": 1003, "3": 1003, "4": 301}
    assert read(side.contributions) == {"1": 1007, "3": 1007}


def test_awards_are_listed_by_half_as_recorded() -> None:
    main, side = pots(side_pot_hand())
    assert read(main.halves) == [
        {
            "half": "high",
            "amount": 1580,
            "shares": [{"seat": 2, "amount": 1580, "odd": 0}],
            "rule": "G1",
        },
        {
            "half": "low",
            "amount": 1580,
            "shares": [{"seat": 1, "amount": 790, "odd": 0}, {"seat": 3, "amount": 790, "odd": 0}],
            "rule": "G2",
        },
    ]
    assert (main.awarded, side.awarded) == (3160, 1964)
    assert all(pot.gross == pot.rake + pot.awarded for pot in (main, side))


def test_unraked_pots_stand_with_the_first_award() -> None:
    (main, side) = pots((*side_pot_hand()[:7], award(1, "whole", {1: 2014})))
    assert (main.rake, side.rake, side.awarded) == (0, 0, 2014)


def test_an_award_from_a_pot_the_money_does_not_make_is_still_listed() -> None:
    third = pots((*side_pot_hand()[:7], award(2, "whole", {1: 10})))[2]
    assert (third.gross, third.awarded, read(third.claimants)) == (0, 10, [])


def test_a_hand_ended_without_money_has_no_pot() -> None:
    assert pots((started({1: 5, 2: 5}), e.HandCompleted(stacks=()))) == []


def test_a_hand_ended_without_award_shows_the_pot_nobody_got() -> None:
    ante = e.AntePosted(seat=1, amount=50, all_in=False)
    (main,) = pots((started({1: 500, 2: 500}), ante, e.HandCompleted(stacks=())))
    assert (main.gross, main.awarded) == (50, 0)


def test_a_void_hand_has_no_pots() -> None:
    back = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
    assert pots((*side_pot_hand(), back)) == []


def test_a_correction_leaves_the_pots_as_they_were() -> None:
    ruled = (*side_pot_hand(), correction({1: 50, 2: -50}))
    assert pots(ruled) == pots(side_pot_hand())


def test_no_other_fact_makes_a_pot() -> None:
    assert pots(quiet_hand()) == []
