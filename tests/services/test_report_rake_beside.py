"""Rake beside rake: other methods, another period, schedules, the house; and what nobody has."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace
from pyarrow import parquet

from domain import events as e
from services.demo.hands import table_hands
from services.embedded import Server
from services.projecting import projector_of
from services.reports import METHODS, BadRakeQuestion, RakeLine, RakeWanted, rake_report
from services.reports.rake_beancount import rake_beancount
from services.reports.rake_parquet import rake_parquet
from services.reports.rake_wanted import compared_with, methods, period_before
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import Room, open_room
from tests.support.told_hands import PLAYED_AT, correction, odd_chip_hand, side_pot_hand, void

MARCH_1, MARCH_2 = date(2024, 3, 1), date(2024, 3, 2)
EUROS = e.Money(kind="real", currency="EUR", exponent=2)


def store(room: Room, events: tuple[e.HandEvent, ...], **other: Any) -> None:
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    told = facts((replace(started, **other), *rest))
    room.store.append([Append(stream=uuid4(), expected=0, facts=told, actor="test")])


@pytest.fixture(scope="module")
def room(server: Server) -> Iterator[Room]:
    """Two hands on the first of March, one a day later, one in euros a week later; rulings."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="beside")
    with open_room(settings) as room:
        store(room, side_pot_hand(), number="A")
        store(room, (*side_pot_hand(), correction({1: 10}, rake=-10)), number="B")
        store(room, side_pot_hand(), number="C", played_at=PLAYED_AT + timedelta(days=1))
        store(room, odd_chip_hand(), number="D", played_at=PLAYED_AT + timedelta(days=1))
        gone = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
        store(room, (*side_pot_hand(), gone), number="E")
        store(room, side_pot_hand(), number="F", money=EUROS, played_at=PLAYED_AT + timedelta(8))
        for n, hand in enumerate(table_hands(8)):
            store(room, hand.events, number=str(n), played_at=PLAYED_AT + timedelta(days=40))
        projector_of(room).catch_up()
        yield room


def lines(room: Room, **wanted: Any) -> tuple[RakeLine, ...]:
    return rake_report(room.connect, RakeWanted(**wanted)).lines


def refused(room: Room, **wanted: Any) -> BadRakeQuestion:
    with pytest.raises(BadRakeQuestion) as question:
        lines(room, **wanted)
    return question.value


# -- methods --------------------------------------------------------------------------------------


def test_the_methods_stand_side_by_side_and_the_stored_one_is_as_it_was(room: Room) -> None:
    """Worked example 9, twice, and a ruling that took ten cents off nobody in particular."""
    found = lines(
        room, by=("player",), attribution=METHODS, from_day=MARCH_1, to_day=MARCH_1, game="stud8"
    )
    assert {
        line.player: (
            line.rake, line.rake_dealt, line.rake_contributed, line.rake_weighted, line.rake_winner
        )
        for line in found
    } == {
        "p1": (152, 100, 100, 152, 100),
        "p2": (76, 100, 100, 76, 124),
        "p3": (150, 100, 100, 150, 176),
        "p4": (22, 100, 100, 22, 0),
        None: (-10, -10, -10, -10, -10),
    }  # fmt: skip


@pytest.mark.parametrize("by", [("player",), ("day", "player", "stakes"), ("player", "schedule")])
def test_every_method_adds_up_to_the_rake_in_each_currency(room: Room, by: Any) -> None:
    found = lines(room, by=by, attribution=METHODS)
    for currency in ("USD", "EUR"):
        own = [line for line in found if line.currency == currency]
        taken = sum(line.rake for line in own)
        for method in METHODS:
            assert sum(getattr(line, f"rake_{method}") for line in own) == taken != 0


def test_what_was_not_asked_for_is_not_told(room: Room) -> None:
    [line] = lines(room, players=("p2",), attribution=("winner",), currency="EUR")
    assert (line.rake, line.rake_winner, line.rake_dealt) == (38, 62, 50)
    assert methods("winner, dealt,winner") == ("winner", "dealt")


# -- weeks and schedules --------------------------------------------------------------------------


def test_a_week_begins_on_monday(room: Room) -> None:
    found = [(line.week, line.currency, line.hands) for line in lines(room, by=("week",))]
    assert found == [("2024-W09", "USD", 4), ("2024-W10", "EUR", 1), ("2024-W15", "USD", 8)]


def test_rake_is_told_by_the_schedule_that_took_it(room: Room) -> None:
    [line] = lines(room, by=("schedule",), currency="USD")
    assert (line.schedule, line.hands) == ("topspoker:1", 12)
    assert lines(room, schedule="topspoker:1", currency="USD")[0].rake == line.rake


# -- another period -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "before"),
    [
        (date(2024, 3, 11), date(2024, 3, 17), (date(2024, 3, 4), date(2024, 3, 10))),
        (date(2024, 3, 1), date(2024, 3, 31), (date(2024, 2, 1), date(2024, 2, 29))),
        (date(2024, 1, 1), date(2024, 3, 31), (date(2023, 10, 1), date(2023, 12, 31))),
        (date(2024, 3, 1), date(2024, 3, 1), (date(2024, 2, 29), date(2024, 2, 29))),
    ],
)
def test_before_is_as_long_just_before_and_months_before_months(
    first: date, last: date, before: tuple[date, date]
) -> None:
    assert period_before(first, last) == before
    assert compared_with((first, last), "previous", (None, None)) == before


def test_a_period_stands_beside_another_line_by_line(room: Room) -> None:
    [line] = lines(
        room, by=("game",), from_day=MARCH_2, to_day=MARCH_2, compared=(MARCH_1, MARCH_1)
    )
    assert (line.hands, line.pot, line.rake) == (2, 6325, 200)
    assert (line.hands_before, line.pot_before, line.rake_before) == (2, 10648, 390)
    assert line.rake_difference == 200 - 390


def test_what_was_before_and_is_no_more_is_told_with_nothing(room: Room) -> None:
    [line] = lines(room, from_day=date(2024, 3, 3), to_day=date(2024, 3, 4),
                   compared=(MARCH_1, MARCH_2))  # fmt: skip
    assert (line.hands, line.rake, line.rake_before, line.rake_difference) == (0, 0, 590, -590)
    assert line.effective_percentage is None


# -- the house ------------------------------------------------------------------------------------


def test_the_house_counts_each_hand_once_whoever_is_asked_about(room: Room) -> None:
    report = rake_report(room.connect, RakeWanted(by=("player",), players=("p1",), top=1))
    [whole] = rake_report(room.connect, RakeWanted(currency="USD")).lines
    [euros, dollars] = report.house
    assert (euros.currency, euros.hands, euros.rake) == ("EUR", 1, 200)
    assert (dollars.hands, dollars.pot, dollars.rake) == (whole.hands, whole.pot, whole.rake)


def test_a_report_says_up_to_where_it_is_complete_while_the_log_is_further(room: Room) -> None:
    before = rake_report(room.connect, RakeWanted())
    assert before.complete_to == before.log_at
    store(room, side_pot_hand()[:1], number="later", money=replace(EUROS, kind="play"))
    behind = rake_report(room.connect, RakeWanted())
    assert behind.complete_to == before.complete_to < behind.log_at


# -- what nobody has ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "possible"),
    [
        ({"schedule": "house:1"}, ("topspoker:1",)),
        ({"currency": "GBP"}, ("EUR", "USD")),
        ({"attribution": ("dealt",)}, ("by player",)),
        (
            {"by": ("day", "game"), "compared": (MARCH_1, MARCH_2)},
            ("table", "game", "stakes", "schedule", "player", "currency"),
        ),
        (
            {"by": ("day", "schedule"), "time_zone": "Asia/Kathmandu"},
            ("days that begin on such an hour",),
        ),
    ],
)
def test_a_question_nobody_can_answer_is_told_what_is_possible(
    room: Room, wanted: dict[str, Any], possible: tuple[str, ...]
) -> None:
    assert refused(room, **wanted).possible == possible


def test_a_published_schedule_nobody_was_raked_by_has_no_lines(room: Room) -> None:
    wanted = RakeWanted(schedule="house:1")
    assert rake_report(room.connect, wanted, {"house:1"}).lines == ()


@pytest.mark.parametrize("word", ["last", "previously"])
def test_a_period_has_one_word(word: str) -> None:
    with pytest.raises(BadRakeQuestion, match="previous"):
        compared_with((MARCH_1, MARCH_2), word, (None, None))
    with pytest.raises(BadRakeQuestion, match="a period from a day to a day"):
        compared_with((None, MARCH_2), "previous", (None, None))


# -- forms ----------------------------------------------------------------------------------------


def test_parquet_has_the_lines_in_exact_decimals_and_says_what_was_asked(room: Room) -> None:
    wanted = RakeWanted(by=("day", "player"), attribution=("dealt",))
    report = rake_report(room.connect, wanted)
    table = parquet.read_table(io.BytesIO(rake_parquet(report, wanted, {"p1": "=Ada"})))
    rows = table.to_pylist()
    assert [row["day"] for row in rows] == [line.day for line in report.lines]
    assert [row["rake"] for row in rows] == [Decimal(line.rake).scaleb(-2) for line in report.lines]
    assert rows[0]["name"] == "=Ada"
    assert table.schema.metadata[b"studledger.complete_to"] == str(report.complete_to).encode()
    assert {"rake_dealt", "currency"} <= set(table.column_names)


@pytest.mark.parametrize(
    "wanted",
    [
        RakeWanted(by=("day", "table", "stakes")),
        RakeWanted(by=("week", "player", "game")),
        RakeWanted(by=("month",)),
        RakeWanted(by=("player",), to_day=date(2024, 12, 31)),
        RakeWanted(by=("day",), currency="EUR"),
    ],
    ids=lambda wanted: ",".join(wanted.by),
)
def test_beancount_adds_it_up_to_the_same(room: Room, wanted: RakeWanted, tmp_path: Path) -> None:
    report = rake_report(room.connect, wanted)
    text = rake_beancount(report, wanted)
    told = [line.split() for line in text.splitlines() if " balance " in line]
    assert {currency: Decimal(amount) for _, _, _, amount, currency in told} == {
        line.currency: -Decimal(line.rake).scaleb(-line.exponent) for line in report.house
    }
    assert errors_of(text, tmp_path) == ""
    assert "balance" in errors_of(text.replace(told[0][3], "-0.01"), tmp_path).lower()


def errors_of(text: str, folder: Path) -> str:
    """What bean-check says of a file; nothing if it is in order."""
    path = folder / "rake.beancount"
    path.write_text(text)
    checked = subprocess.run(
        [sys.executable, "-m", "beancount.scripts.check", path], capture_output=True, text=True
    )
    return checked.stdout + checked.stderr


def test_a_transaction_without_a_day_is_not_written(room: Room) -> None:
    with pytest.raises(BadRakeQuestion, match="by day, by week, by month"):
        rake_beancount(rake_report(room.connect, RakeWanted()), RakeWanted())
