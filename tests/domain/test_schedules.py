"""Published rake schedules: the chart, figure by figure, and what lies outside it (R2, R3)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from domain.errors import BadTable
from domain.events import HandStarted, Money, ScheduleRef
from domain.house_rules import POKERSTARS
from domain.schedules import (
    DEFAULT_SCHEDULE,
    SCHEDULES,
    TOPSPOKER_CHART,
    require_band,
    row_for,
    schedule_for,
)
from domain.units import Chips
from tests.support.tables import DOLLARS, PLAY, player, started

LOW = ((500, 50), (1200, 75), (2000, 100))
MIDDLE = ((2000, 100), (3000, 150), (4000, 200), (5000, 250), (6000, 300))
HIGH = ((4000, 100), (5500, 150), (7000, 200), (8500, 250), (10000, 300))


def opened(bets: tuple[Chips, Chips], players: int = 5, money: Money = DOLLARS) -> HandStarted:
    return started([player(seat, 0) for seat in range(1, players + 1)], bets=bets, money=money)


@dataclass
class ChartRow:
    bets: tuple[Chips, Chips]
    players: int
    steps: tuple[tuple[Chips, Chips], ...]


CHART = [
    *(ChartRow((50, 100), players, LOW) for players in range(2, 9)),
    *(ChartRow((100, 200), players, LOW) for players in range(2, 9)),
    *(
        ChartRow(bets, players, steps[: 1 if players < 4 else 3 if players < 6 else 5])
        for stakes, steps in (
            (((200, 400), (300, 600), (500, 1000), (1000, 2000)), MIDDLE),
            (((1500, 3000), (2000, 4000), (3000, 6000)), HIGH),
        )
        for bets in stakes
        for players in range(2, 9)
    ),
]


@pytest.mark.parametrize("line", CHART, ids=lambda line: f"{line.bets}-{line.players}")
def test_the_chart_says_of_every_step_what_it_takes_and_a_cent_less_does_not(
    line: ChartRow,
) -> None:
    found = row_for(opened(line.bets, line.players))
    assert found is not None
    _, row = found
    before = 0
    for pot, rake in line.steps:
        assert (row.rake(pot - 1), row.rake(pot)) == (before, rake)
        before = rake
    assert row.rake(1_000_000) == before, "there is no step after the last"


@pytest.mark.parametrize(
    "bets",
    [(25, 50), (75, 150), (150, 300), (1200, 2400), (4000, 8000), (100, 400), (4, 8)],
)
def test_stakes_outside_every_band_are_refused(bets: tuple[Chips, Chips]) -> None:
    with pytest.raises(BadTable) as refusal:
        require_band(opened(bets))
    assert refusal.value.rule == "R3"


@pytest.mark.parametrize(
    "money",
    [
        Money(kind="real", currency="EUR", exponent=2),
        Money(kind="real", currency="USD", exponent=3),
    ],
)
def test_another_currency_or_unit_is_refused(money: Money) -> None:
    with pytest.raises(BadTable) as refusal:
        require_band(opened((500, 1000), money=money))
    assert refusal.value.rule == "R3"


@pytest.mark.parametrize("ref", [None, ScheduleRef(id="topspoker", version=99)])
def test_a_raked_table_without_a_published_schedule_is_refused(ref: ScheduleRef | None) -> None:
    with pytest.raises(BadTable) as refusal:
        require_band(replace(opened((500, 1000)), rake_schedule=ref))
    assert refusal.value.rule == "R3"


def test_more_players_than_the_chart_knows_have_no_row() -> None:
    band = require_band(opened((500, 1000)))
    assert band is not None
    with pytest.raises(BadTable) as refusal:
        band.row(11)
    assert refusal.value.rule == "R3"


@pytest.mark.parametrize("kind", ["play", "tournament"])
def test_play_money_and_tournaments_need_no_schedule(kind: str) -> None:
    table = opened((3, 7), money=replace(PLAY, kind=kind))
    assert (schedule_for(table), require_band(table), row_for(table)) == (None, None, None)


def test_where_the_rake_is_as_recorded_no_schedule_decides_it() -> None:
    assert require_band(replace(opened((4, 8)), house_rules=POKERSTARS)) is None


def test_a_schedule_is_found_under_its_id_and_version() -> None:
    assert SCHEDULES[DEFAULT_SCHEDULE.id, DEFAULT_SCHEDULE.version] is TOPSPOKER_CHART
    assert schedule_for(opened((500, 1000))) is TOPSPOKER_CHART


def test_no_published_schedule_takes_less_of_a_larger_pot() -> None:
    for schedule in SCHEDULES.values():
        for row in (row for band in schedule.bands for row in band.rows):
            assert list(row.steps) == sorted(row.steps, key=lambda step: step.pot)
            assert all(step.rake < step.pot for step in row.steps)
            rakes = [step.rake for step in row.steps]
            assert rakes == sorted(rakes)


def test_row_and_step_are_named_as_the_chart_is_read() -> None:
    found = row_for(opened((500, 1000), 6))
    assert found is not None
    band, row = found
    step = row.step(4567)
    assert step is not None
    assert band.row_words(row) == "$2/$4 to $10/$20, 6-10 players"
    assert step.words(DOLLARS) == "pot of $40.00 or more: $2.00"
