"""Every odd chip, who got it and why."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from domain import events as e
from projections.odd_chips import ODD_CHIPS, OddChipRow
from tests.support.told_hands import (
    award,
    correction,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
    started,
    table_rows,
    void,
)

CHIP_25 = e.Stakes(small_bet=500, big_bet=1000, ante=50, bring_in=250, chip_unit=25)


def chips(facts: Sequence[e.HandEvent]) -> list[OddChipRow]:
    return table_rows(ODD_CHIPS, facts)


def test_halves_that_divide_have_no_odd_chip() -> None:
    assert chips(side_pot_hand()) == []


def test_the_odd_chip_of_the_halves_goes_to_the_high_half() -> None:
    halves, *_ = chips(odd_chip_hand())
    assert (halves.rule, halves.half, halves.seat, halves.amount) == ("P4", "high", 2, 1)
    assert (halves.step, halves.pot) == (9, 0)
    assert halves.words == "$10.01 does not halve evenly: high $5.01, low $5.00"


def test_each_odd_chip_of_a_tie_names_its_seat_and_rule() -> None:
    ties = chips(odd_chip_hand())[1:]
    assert [(t.rule, t.half, t.seat, t.amount, t.step) for t in ties] == [
        ("P6", "low", 5, 1, 10),
        ("P6", "low", 1, 1, 10),
    ]
    assert [t.words for t in ties] == [
        "number 1 clockwise from the dealer",
        "number 2 clockwise from the dealer",
    ]


def test_the_whole_comparison_is_kept_with_each_odd_chip() -> None:
    compared = msgspec.json.decode(chips(odd_chip_hand())[1].compared)
    assert [one["seat"] for one in compared] == [5, 1, 3]


def test_the_deciding_cards_are_listed_first_and_the_hands_left_out() -> None:
    told = (
        e.Compared(seat=1, rule="G1", cards=("Ah", "Kh"), words="ace high"),
        e.Compared(seat=1, rule="P6", cards=("Ah",), words="ace of hearts"),
        e.Compared(seat=2, rule="P6", cards=("Kd",), words="king of diamonds"),
    )
    facts = (
        started({1: 500, 2: 500}, stakes=CHIP_25),
        e.Called(seat=1, amount=75, all_in=False),
        award(0, "high", {1: 50, 2: 25}, odd={1: 25}, compared=told),
    )
    (chip,) = chips(facts)
    assert (chip.amount, msgspec.json.decode(chip.cards)) == (25, ["Ah"])
    assert chip.words == "ace of hearts"
    assert [one["seat"] for one in msgspec.json.decode(chip.compared)] == [1, 2]


@pytest.mark.parametrize(("game", "rule"), [("stud", "P5"), ("stud8", "P6"), ("stud_hilo", "P6")])
def test_a_record_that_gives_no_reason_is_taken_at_its_word(game: str, rule: str) -> None:
    facts = (
        started({1: 500, 2: 500}, game=game),
        e.Called(seat=1, amount=101, all_in=False),
        award(0, "whole", {1: 51, 2: 50}, odd={1: 1}),
    )
    (chip,) = chips(facts)
    assert (chip.rule, chip.seat, chip.words) == (rule, 1, "the record gives it to seat 1")


def test_the_odd_chip_of_the_halves_has_no_seat_where_several_share_the_half() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.Called(seat=1, amount=101, all_in=False),
        award(0, "high", {1: 26, 2: 25}, odd={1: 1}),
        award(0, "low", {1: 25, 2: 25}),
    )
    assert [(chip.rule, chip.seat) for chip in chips(facts)] == [("P4", None), ("P6", 1)]


def test_a_record_that_gives_it_to_the_low_half_is_shown_so() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.Called(seat=1, amount=101, all_in=False),
        award(0, "high", {1: 50}),
        award(0, "low", {2: 51}),
    )
    (chip,) = chips(facts)
    assert (chip.half, chip.seat, chip.amount) == ("low", 2, 1)


def test_halves_two_chips_apart_are_no_odd_chip() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.Called(seat=1, amount=102, all_in=False),
        award(0, "high", {1: 52}),
        award(0, "low", {2: 50}),
    )
    assert chips(facts) == []


def test_less_than_a_chip_stays_with_the_odd_chip() -> None:
    facts = (
        started({1: 2000, 2: 2000}, stakes=CHIP_25),
        e.Called(seat=1, amount=1037, all_in=False),
        award(0, "high", {1: 537}),
        award(0, "low", {2: 500}),
    )
    (chip,) = chips(facts)
    assert chip.amount == 37


def test_odd_chips_of_different_pots_stay_apart() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.Called(seat=1, amount=202, all_in=False),
        award(1, "whole", {1: 51, 2: 50}, odd={1: 1}),
        award(0, "whole", {1: 51, 2: 50}, odd={1: 1}),
    )
    assert [(chip.pot, chip.step) for chip in chips(facts)] == [(0, 4), (1, 3)]


def test_a_void_hand_has_no_odd_chips() -> None:
    back = void({1: 83, 2: -251, 3: 84, 4: 1, 5: 83})
    assert chips((*odd_chip_hand(), back)) == []


def test_a_correction_leaves_the_odd_chips_as_they_fell() -> None:
    assert chips((*odd_chip_hand(), correction({1: 1, 2: -1}))) == chips(odd_chip_hand())


def test_no_other_fact_makes_an_odd_chip() -> None:
    assert chips(quiet_hand()) == []
    assert chips(odd_chip_hand()[:8]) == []
