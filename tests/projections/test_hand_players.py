"""What the hand did to each seat."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain import events as e
from projections.hand_players import HAND_PLAYERS, HandPlayerRow
from tests.support.told_hands import correction, quiet_hand, side_pot_hand, table_rows, void


def seats(facts: Sequence[e.HandEvent]) -> dict[int, HandPlayerRow]:
    return {row.seat: row for row in table_rows(HAND_PLAYERS, facts)}


def test_everyone_dealt_in_has_a_row_under_an_opaque_id() -> None:
    rows = seats(side_pot_hand()[:1])
    assert {seat: (row.player, row.start_stack, row.net) for seat, row in rows.items()} == {
        1: ("p1", 5000, 0),
        2: ("p2", 1003, 0),
        3: ("p3", 5000, 0),
        4: ("p4", 5000, 0),
    }


@pytest.mark.parametrize(
    ("step", "seat", "contributed"), [(2, 4, 301), (3, 2, 1003), (5, 1, 2010), (6, 3, 2100)]
)
def test_chips_put_in_are_contributed(step: int, seat: int, contributed: int) -> None:
    row = seats(side_pot_hand()[:step])[seat]
    assert (row.contributed, row.stack_after) == (contributed, row.start_stack - contributed)


@pytest.mark.parametrize(
    ("step", "seat", "contributed"), [(2, 1, 50), (3, 2, 50), (7, 2, 300), (8, 1, 550)]
)
def test_antes_bring_in_and_completion_are_contributed(
    step: int, seat: int, contributed: int
) -> None:
    assert seats(quiet_hand()[:step])[seat].contributed == contributed


def test_what_nobody_matched_is_returned_and_not_contributed() -> None:
    row = seats(side_pot_hand()[:7])[3]
    assert (row.contributed, row.returned, row.stack_after) == (2010, 90, 2990)


def test_all_in_folded_and_timed_out_are_told_apart() -> None:
    rows = seats(side_pot_hand())
    assert [rows[seat].status for seat in (1, 2, 4)] == ["active", "all_in", "folded"]
    assert seats(quiet_hand())[2].status == "timed_out"


def test_the_rake_is_borne_as_it_was_attributed() -> None:
    assert {s: row.rake for s, row in seats(side_pot_hand()[:8]).items()} == {
        1: 76,
        2: 38,
        3: 75,
        4: 11,
    }


def test_awards_of_several_pots_and_halves_add_up() -> None:
    rows = seats(side_pot_hand())
    assert {seat: row.won for seat, row in rows.items()} == {1: 1281, 2: 1580, 3: 2263, 4: 0}
    assert {seat: row.net for seat, row in rows.items()} == {1: -729, 2: 577, 3: 253, 4: -301}
    assert sum(row.net for row in rows.values()) == -200


def test_a_correction_is_kept_apart_from_what_was_won() -> None:
    rows = seats((*side_pot_hand(), correction({1: 60, 2: -50}, rake=-10)))
    assert (rows[1].won, rows[1].corrected, rows[1].net) == (1281, 60, -669)
    assert (rows[2].corrected, rows[2].stack_after) == (-50, 1530)


def test_a_void_returns_everything() -> None:
    rows = seats((*side_pot_hand(), void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)))
    assert {seat: row.returned for seat, row in rows.items()} == {1: 2010, 2: 1003, 3: 2100, 4: 301}
    for row in rows.values():
        assert (row.contributed, row.won, row.rake, row.net) == (0, 0, 0, 0)
        assert row.stack_after == row.start_stack


def test_a_void_that_does_not_give_everyone_his_own_back_shows_as_corrected() -> None:
    rows = seats((*side_pot_hand(), void({1: 700, 2: -577, 3: -224, 4: 301}, rake=-200)))
    assert {seat: row.corrected for seat, row in rows.items()} == {1: -29, 2: 0, 3: 29, 4: 0}
    assert rows[1].net == -29


def test_facts_that_move_no_chips_change_no_amount() -> None:
    before, after = seats(quiet_hand()[:8]), seats(quiet_hand())
    assert {s: (r.contributed, r.net) for s, r in before.items()} == {
        s: (r.contributed, r.net) for s, r in after.items()
    }
