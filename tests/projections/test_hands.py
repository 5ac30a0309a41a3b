"""One row per hand to search by."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from domain import events as e
from projections.hands import HANDS, HandRow
from tests.support.told_hands import (
    PLAYED_AT,
    RECORDED_AT,
    correction,
    quiet_hand,
    side_pot_hand,
    started,
    table_rows,
    void,
)

BACK = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)


def row(*facts: e.HandEvent) -> HandRow:
    (one,) = table_rows(HANDS, facts)
    assert isinstance(one, HandRow)
    return one


def test_a_started_hand_is_in_progress_and_says_what_is_played() -> None:
    started_row = row(started({1: 500, 2: 500}))
    assert started_row.status == "in_progress"
    assert (started_row.site, started_row.number, started_row.game) == ("here", "1", "stud8")
    assert (started_row.table_id, started_row.table_name) == ("t1", "Aquila")
    assert (started_row.small_bet, started_row.big_bet) == (500, 1000)
    assert (started_row.money_kind, started_row.currency, started_row.exponent) == (
        "real",
        "USD",
        2,
    )
    assert (started_row.house_rules, started_row.source) == ("topspoker 1", "imported")
    assert (started_row.players, started_row.pot, started_row.rake, started_row.steps) == (
        2,
        0,
        0,
        1,
    )


def test_the_day_is_the_utc_day_of_play() -> None:
    late = datetime(2024, 3, 1, 20, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert row(started({1: 1, 2: 1}, played_at=late)).day == date(2024, 3, 2)
    assert row(started({1: 1, 2: 1})).day == date(2024, 3, 1)
    assert row(started({1: 1, 2: 1})).happened_at == PLAYED_AT


def test_a_hand_without_a_time_counts_for_the_day_it_was_recorded() -> None:
    untimed = row(started({1: 1, 2: 1}, played_at=None))
    assert untimed.played_at is None
    assert (untimed.happened_at, untimed.day) == (RECORDED_AT, date(2024, 3, 2))
    assert untimed.happened_at.tzinfo is UTC


@pytest.mark.parametrize(
    ("step", "pot"), [(2, 301), (3, 1304), (4, 1304), (5, 3314), (6, 5414), (7, 5324)]
)
def test_every_fact_that_moves_chips_moves_the_pot(step: int, pot: int) -> None:
    assert row(*side_pot_hand()[:step]).pot == pot


def test_antes_bring_in_and_completion_are_in_the_pot() -> None:
    assert [row(*quiet_hand()[:step]).pot for step in (2, 3, 7, 8)] == [50, 100, 350, 850]


def test_the_rake_is_what_was_taken() -> None:
    assert row(*side_pot_hand()[:7]).rake == 0
    assert row(*side_pot_hand()[:8]).rake == 200


def test_awards_do_not_make_the_matched_pot_smaller() -> None:
    assert row(*side_pot_hand()[:12]).pot == 5324


def test_a_completed_hand_is_completed() -> None:
    assert row(*side_pot_hand()[:-1]).status == "in_progress"
    done = row(*side_pot_hand())
    assert (done.status, done.steps, done.players) == ("completed", 13, 4)


def test_a_correction_changes_the_rake_and_not_the_status() -> None:
    ruled = row(*side_pot_hand(), correction({1: 10}, rake=-10))
    assert (ruled.status, ruled.rake, ruled.pot) == ("completed", 190, 5324)


def test_a_void_hand_has_no_pot_and_no_rake() -> None:
    ruled = row(*side_pot_hand(), BACK)
    assert (ruled.status, ruled.pot, ruled.rake) == ("voided", 0, 0)


def test_facts_that_move_no_chips_only_count_as_steps() -> None:
    before, after = row(*quiet_hand()[:8]), row(*quiet_hand())
    assert (before.steps, after.steps) == (8, 18)
    assert (before.pot, before.status) == (after.pot, after.status)


def test_a_record_that_contradicts_another_is_marked_for_good() -> None:
    noted = e.IncidentNoted(kind="conflict", text="another record tells it differently")
    other = e.IncidentNoted(kind="noise", text="fire alarm")
    assert not row(*side_pot_hand(), other).conflicting
    assert row(*side_pot_hand(), noted, other, BACK).conflicting
