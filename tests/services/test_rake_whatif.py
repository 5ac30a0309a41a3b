"""History under another schedule: rated hand by hand, added up by stakes and players."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.schedules import TOPSPOKER_CHART, Band, Row, Schedule, StakesRange, Step
from services.demo.storing import store_demo
from services.embedded import Server
from services.projecting import projector_of
from services.reports import BadRakeQuestion
from services.reports.rake_whatif import Rated, rate_anew
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.cli import CommandLine
from tests.support.projected import tell
from tests.support.told_hands import PLAYED_AT, correction, side_pot_hand

HANDS = 90
EUROS = e.Money(kind="real", currency="EUR", exponent=2)


def flat(rake: int, pot: int, *, most: int = 10, **changes: Any) -> Schedule:
    """One band for the highest stakes of the demonstration, with one step."""
    rows = (Row(2, most, (Step(pot, rake),)),)
    band = Band("5/10", (StakesRange((500, 1000), (500, 1000)),), rows)
    return replace(TOPSPOKER_CHART, id="flat", bands=(band,), **changes)


@pytest.fixture(scope="module")
def played(server: Server) -> Iterator[tuple[Settings, Room]]:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="rated")
    with open_room(settings) as room:
        store_demo(room, HANDS)
        projector_of(room).catch_up()
        yield settings, room


@pytest.fixture
def room(played: tuple[Settings, Room]) -> Room:
    return played[1]


@pytest.fixture
def cli(
    played: tuple[Settings, Room],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> CommandLine:
    return CommandLine(played[0], monkeypatch, capsys)


def test_under_the_schedule_it_was_played_under_every_hand_bears_the_same(room: Room) -> None:
    """Also the hands that bear nothing, because fourth street was never dealt (R4)."""
    found = rate_anew(room.connect, TOPSPOKER_CHART, None, None)
    assert sum(line.hands for line in found.lines) == HANDS
    assert {(line.difference, line.changed, line.outside) for line in found.lines} == {
        (0, 0, False)
    }
    [total] = found.totals
    assert total.rake == total.instead > 0
    assert found.complete_to == found.log_at


def test_the_difference_is_told_by_stakes_and_players(room: Room) -> None:
    found = rate_anew(room.connect, flat(rake=300, pot=4000), None, None)
    with room.connect() as connection:
        hands = connection.execute(
            "select players, h.pot, h.rake, u.hand is null from hands h"
            " left join unraked_hands u using (hand) where small_bet = 500"
        ).fetchall()
    for line in (one for one in found.lines if not one.outside):
        same = [row for row in hands if row[0] == line.players]
        new = [300 if due and pot >= 4000 else 0 for _, pot, _, due in same]
        assert (line.hands, line.pot) == (len(same), sum(pot for _, pot, _, _ in same))
        assert (line.instead, line.difference) == (sum(new), sum(new) - sum(row[2] for row in same))
        assert line.changed == sum(a != row[2] for a, row in zip(new, same, strict=True))
    assert any(not one.outside and one.difference for one in found.lines)


def test_hands_outside_every_band_keep_their_rake_and_are_told(room: Room) -> None:
    outside = [
        one for one in rate_anew(room.connect, flat(100, 100), None, None).lines if one.outside
    ]
    assert {one.small_bet for one in outside} == {100, 200}
    assert all(one.instead == one.rake and one.changed == 0 for one in outside)
    few = rate_anew(room.connect, flat(100, 100, most=3), None, None).lines
    assert {one.players > 3 for one in few if one.small_bet == 500 and one.outside} == {True}


def test_only_the_days_asked_for_are_rated(room: Room) -> None:
    first = rate_anew(room.connect, TOPSPOKER_CHART, None, date(2026, 1, 9))
    rest = rate_anew(room.connect, TOPSPOKER_CHART, date(2026, 1, 10), None)
    assert 0 < sum(one.hands for one in first.lines) < HANDS
    assert sum(one.hands for one in (*first.lines, *rest.lines)) == HANDS
    assert rate_anew(room.connect, TOPSPOKER_CHART, date(2031, 1, 1), None).lines == ()


def test_the_days_asked_for_may_be_those_of_a_zone_that_begin_at_some_time(room: Room) -> None:
    zone: dict[str, Any] = {"time_zone": "Asia/Kathmandu", "day_start": time(6, 30)}
    first = rate_anew(room.connect, TOPSPOKER_CHART, None, date(2026, 1, 9), **zone)
    rest = rate_anew(room.connect, TOPSPOKER_CHART, date(2026, 1, 10), None, **zone)
    with room.connect() as connection:
        row = connection.execute(
            "select count(*) from hands where money_kind = 'real' and status = 'completed'"
            " and happened_at < '2026-01-10 00:45+00'"
        ).fetchone()
    assert row is not None
    assert sum(one.hands for one in first.lines) == row[0]
    assert sum(one.hands for one in (*first.lines, *rest.lines)) == HANDS
    with pytest.raises(BadRakeQuestion):
        rate_anew(room.connect, TOPSPOKER_CHART, None, None, time_zone="Narnia")


def test_the_command_line_takes_the_days_of_a_zone_or_says_which_zones_there_are(
    cli: CommandLine, room: Room
) -> None:
    asked = ("rake", "whatif", "--schedule", "topspoker:1", "--to", "2026-01-09")
    zone = ("--time-zone", "Asia/Kathmandu", "--gaming-day-start", "06:30", "--format", "json")
    wanted = rate_anew(
        room.connect,
        TOPSPOKER_CHART,
        None,
        date(2026, 1, 9),
        time_zone="Asia/Kathmandu",
        day_start=time(6, 30),
    )
    told = cli(*asked, *zone).json
    assert [one["hands"] for one in told["totals"]] == [one.hands for one in wanted.totals]
    cli(*asked, "--time-zone", "Narnia", code=2)
    cli(*asked, "--gaming-day-start", "late", code=2)


def test_currencies_are_never_added_up_and_a_ruling_stays_in_what_was_taken(
    another: Any,
) -> None:
    room = another()
    started, *rest = side_pot_hand()
    assert isinstance(started, e.HandStarted)
    tell(room, (started, *rest, correction({1: 10}, rake=-10)))
    tell(room, (replace(started, money=EUROS, number="E"), *rest))
    projector_of(room).catch_up()
    dollars = rate_anew(room.connect, TOPSPOKER_CHART, PLAYED_AT.date(), None)
    assert [(one.currency, one.rake, one.instead, one.outside) for one in dollars.lines] == [
        ("EUR", 200, 200, True),
        ("USD", 190, 0, False),  # Fourth street was never dealt in it (R4).
    ]
    assert [one.currency for one in dollars.totals] == ["EUR", "USD"]
    with pytest.raises(BadRakeQuestion) as question:
        rate_anew(room.connect, flat(1, 100, currency="GBP"), None, None)
    assert question.value.possible == (
        "a schedule in EUR with 2 decimals",
        "a schedule in USD with 2 decimals",
    )


# -- at the command line --------------------------------------------------------------------------

FILE = """
id = "dear"
version = 1
currency = "USD"
[[bands]]
name = "5/10"
stakes = ["5/10"]
rows = [{ players = "2-10", steps = [{ pot = 10, rake = 2 }] }]
"""
WHATIF = ("rake", "whatif", "--schedule")


def test_a_schedule_is_tried_from_a_file_before_it_is_published(
    cli: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "dear.toml"
    path.write_text(FILE)
    answer = cli(*WHATIF, path, "--format", "json").json
    assert answer["schedule"] == "dear:1"
    assert answer["totals"][0]["difference"] == sum(one["difference"] for one in answer["lines"])
    rows = cli(*WHATIF, path, "--format", "csv").csv
    assert [row["players"] for row in rows] == [str(one["players"]) for one in answer["lines"]]
    assert rows[-1]["stakes"] == "5.00/10.00"
    assert cli(*WHATIF, path, "--format", "jsonl").lines == answer["lines"]
    said = cli(*WHATIF, path).said
    assert "by dear:1" in said
    assert "The schedule has no place for" in said


def test_a_schedule_nobody_has_is_answered_with_those_there_are(
    cli: CommandLine, tmp_path: Path
) -> None:
    assert "possible: topspoker:1" in cli(*WHATIF, "house:1", code=5).said
    assert "cannot be read" in cli(*WHATIF, tmp_path / "none.toml", code=2).said
    path = tmp_path / "pounds.toml"
    path.write_text(FILE.replace("USD", "GBP"))
    assert "possible: a schedule in USD with 2 decimals" in cli(*WHATIF, path, code=2).said


def test_a_rating_is_of_something() -> None:
    line = Rated(small_bet=1, big_bet=2, players=2, currency="USD", exponent=2)
    assert (line.hands, line.difference, line.outside) == (0, 0, False)
