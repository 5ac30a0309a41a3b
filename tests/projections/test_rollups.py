"""What a hand adds to the sums of rake: never anything but what its books and its row say."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any

import pytest

from domain import events as e
from projections.hand_players import HAND_PLAYERS
from projections.hands import HANDS
from projections.rake_ledger import RAKE_LEDGER
from projections.rollups import (
    NOBODY,
    ROLLUPS,
    PlayerDayRow,
    PlayerMonthRow,
    TableDayRow,
    TableHourRow,
)
from projections.shape import SumRow
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from tests.support.told_hands import (
    TOLD,
    award,
    correction,
    fold,
    odd_chip_hand,
    quiet_hand,
    rake,
    side_pot_hand,
    started,
    table_rows,
    void,
)

BACK = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
OVER = e.HandCompleted(stacks=())

PLAYED = {hand.number: hand.events for hand in (*arranged_hands(), *table_hands(24))}
RULED = {
    "void": (*side_pot_hand(), BACK),
    "void with rake kept": (*side_pot_hand(), void({1: 679, 2: -577, 3: -253, 4: 301}, rake=-150)),
    "correction": (*side_pot_hand(), correction({1: 60, 2: -50}, rake=-10)),
    "correction, then void": (
        *side_pot_hand(),
        correction({1: 10}, rake=-10),
        void({1: 719, 2: -577, 3: -253, 4: 301}, rake=-190),
    ),
    "in play": side_pot_hand()[:8],
}
HANDS_TOLD = PLAYED | RULED | {"odd chips": odd_chip_hand()}

each_hand = pytest.mark.parametrize("facts", HANDS_TOLD.values(), ids=HANDS_TOLD.keys())


def added(facts: tuple[e.HandEvent, ...], kind: type[SumRow]) -> list[Any]:
    return [row for row in ROLLUPS.adds(fold(ROLLUPS, facts), TOLD) if isinstance(row, kind)]


def by_player(facts: tuple[e.HandEvent, ...], kind: type[SumRow]) -> dict[str, tuple[int, ...]]:
    """Hands, pot and rake of each player who adds anything."""
    found = {row.player: (row.hands, row.pot, row.rake) for row in added(facts, kind)}
    return {player: amounts for player, amounts in found.items() if any(amounts)}


@each_hand
def test_the_day_and_the_hour_of_a_table_are_the_hand_and_its_books(
    facts: tuple[e.HandEvent, ...],
) -> None:
    (hand,) = table_rows(HANDS, facts)
    posted = sum(p.amount for p in table_rows(RAKE_LEDGER, facts) if p.account == "House:Rake")
    over = hand.status == "completed"
    for kind in (TableDayRow, TableHourRow):
        (row,) = added(facts, kind)
        assert (row.hands, row.pot, row.rake) == (int(over), hand.pot if over else 0, posted)
    assert hand.rake == posted


@each_hand
def test_the_days_and_months_of_players_are_their_seats_and_the_books(
    facts: tuple[e.HandEvent, ...],
) -> None:
    (hand,) = table_rows(HANDS, facts)
    over = hand.status == "completed"
    borne = Counter[str]()
    for posting in table_rows(RAKE_LEDGER, facts):
        if posting.account == "House:Rake":
            borne[posting.bearer or NOBODY] += posting.amount
    seats = {
        seat.player: (int(over), seat.contributed if over else 0)
        for seat in table_rows(HAND_PLAYERS, facts)
    }
    expected = {player: (*seats.get(player, (0, 0)), borne[player]) for player in {*seats, *borne}}
    expected = {player: amounts for player, amounts in expected.items() if any(amounts)}
    assert by_player(facts, PlayerDayRow) == by_player(facts, PlayerMonthRow) == expected


@pytest.mark.parametrize("kind", ["play", "tournament"])
def test_play_money_and_tournaments_add_nothing(kind: Any) -> None:
    chips = e.Money(kind=kind, currency="chips", exponent=0)
    facts = (started({1: 500, 2: 500}, money=chips), e.AntePosted(seat=1, amount=5, all_in=False))
    assert added((*facts, OVER), SumRow) == []


def test_a_hand_counts_for_the_day_hour_and_month_it_was_played_in() -> None:
    at = datetime(2024, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    facts = (started({1: 500, 2: 500}, played_at=at), OVER)
    assert [row.day for row in added(facts, TableDayRow)] == [date(2024, 2, 29)]
    assert [row.hour for row in added(facts, TableHourRow)] == [
        datetime(2024, 2, 29, 23, tzinfo=UTC)
    ]
    assert {row.month for row in added(facts, PlayerMonthRow)} == {date(2024, 2, 1)}


def test_rake_nobody_is_said_to_bear_is_added_under_nobody() -> None:
    facts = (
        started({1: 500, 2: 500}),
        e.AntePosted(seat=1, amount=50, all_in=False),
        rake((5,), {}),
    )
    assert by_player(facts, PlayerDayRow) == {NOBODY: (0, 0, 5)}


@pytest.mark.parametrize("step", range(2, len(quiet_hand()) + 1))
def test_a_hand_nobody_ended_or_raked_adds_nothing(step: int) -> None:
    real = e.Money(kind="real", currency="EUR", exponent=2)
    facts = (started({1: 1000, 2: 1000}, money=real), *quiet_hand()[1:step])
    assert not any(row.hands or row.pot or row.rake for row in added(facts, TableDayRow))
    assert by_player(facts, PlayerDayRow) == {}


def test_awards_alone_add_no_hand() -> None:
    facts = (*side_pot_hand()[:8], award(0, "whole", {2: 10}))
    (row,) = added(facts, TableDayRow)
    assert (row.hands, row.pot, row.rake) == (0, 0, 200)
