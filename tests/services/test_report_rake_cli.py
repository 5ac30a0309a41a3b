"""`rake report` at the command line: every form, every filter, every mistake."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import pytest

from services.demo.storing import store_demo
from services.embedded import Server
from services.settings import Settings
from services.store.room import open_room
from tests.support.cli import CommandLine

REPORT = ("rake", "report")


@pytest.fixture(scope="module")
def played(server: Server) -> Settings:
    """Settings of a room in which the demonstration was dealt."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="reported")
    with open_room(settings) as room:
        store_demo(room, 40)
    return settings


@pytest.fixture
def studledger(
    played: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(played, monkeypatch, capsys)


def test_amounts_are_minor_units_in_json_and_decimals_in_csv(studledger: CommandLine) -> None:
    answer = studledger(*REPORT, "--format", "json").json
    [line] = answer["lines"]
    [row] = studledger(*REPORT, "--format", "csv").csv
    assert (line["currency"], line["exponent"]) == (row["currency"], 2)
    for name in ("pot", "rake", "rake_per_100_hands"):
        assert Decimal(row[name]) == Decimal(line[name]).scaleb(-2)
    assert row["effective_percentage"] == line["effective_percentage"]
    assert answer["time_zone"] == "UTC"
    assert answer["complete_to"] > 0


def test_json_lines_are_the_lines_of_the_document(studledger: CommandLine) -> None:
    by = ("--by", "month,game,player")
    lines = studledger(*REPORT, *by, "--format", "jsonl").lines
    assert lines == studledger(*REPORT, *by, "--format", "json").json["lines"]
    assert list(lines[0])[:4] == ["month", "game", "player", "name"]


def test_days_follow_the_clocks_of_the_zone_and_the_start_of_the_gaming_day(
    studledger: CommandLine,
) -> None:
    by_day = (*REPORT, "--by", "day", "--format", "csv")
    utc = studledger(*by_day).csv
    far = studledger(*by_day, "--time-zone", "Pacific/Kiritimati").csv
    late = studledger(*by_day, "--gaming-day-start", "23:59").csv
    assert {row["day"] for row in far} != {row["day"] for row in utc}
    assert {row["day"] for row in late} != {row["day"] for row in utc}
    for rows in (far, late):
        assert sum(Decimal(row["rake"]) for row in rows) == sum(Decimal(r["rake"]) for r in utc)


def test_a_report_of_one_table_game_or_player_is_part_of_the_whole(
    studledger: CommandLine,
) -> None:
    for dimension, value in (("table", "Amber"), ("game", "stud8"), ("player", "Ada")):
        key = "name" if dimension == "player" else dimension
        whole = studledger(*REPORT, "--by", dimension, "--format", "csv").csv
        part = studledger(*REPORT, f"--{dimension}", value, "--format", "csv").csv
        [line] = [row for row in whole if row[key] == value]
        assert [row["rake"] for row in part] == [line["rake"]]


def test_the_top_lines_have_the_most_rake_first(studledger: CommandLine) -> None:
    rows = studledger(*REPORT, "--by", "player", "--top", 3, "--format", "csv").csv
    whole = studledger(*REPORT, "--by", "player", "--format", "csv").csv
    most = sorted((Decimal(row["rake"]) for row in whole), reverse=True)[:3]
    assert [Decimal(row["rake"]) for row in rows] == most
    assert "Rake $" not in studledger(*REPORT, "--by", "player", "--top", 3).out


def test_a_table_has_figures_and_their_sum(studledger: CommandLine) -> None:
    answer = studledger(*REPORT, "--by", "stakes,player")
    head, first, *_, last = answer.out.splitlines()
    assert head.split()[:3] == ["stakes", "player", "hands"]
    assert first.split()[0] == "1.00/2.00"
    assert last.startswith("Rake $")
    assert "complete up to event" in answer.err


def test_a_workbook_goes_into_a_file(studledger: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "rake.xlsx"
    answer = studledger(*REPORT, "--by", "day,player", "--format", "xlsx", "-o", file)
    assert (answer.out, str(file) in answer.said) == ("", True)
    with ZipFile(file) as archive:
        assert "xl/worksheets/sheet1.xml" in archive.namelist()


def test_a_workbook_that_cannot_be_written_is_a_failure(
    studledger: CommandLine, tmp_path: Path
) -> None:
    answer = studledger(*REPORT, "--format", "xlsx", "-o", tmp_path / "no" / "x.xlsx", code=1)
    assert "cannot be written" in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "dealer"), "day, week, month, table, game, stakes, schedule, player, currency"),
        (("--time-zone", "Berlin"), "possible: UTC, Europe/Berlin"),
        (("--gaming-day-start", "6am"), "possible: 00:00 to 23:59"),
        (("--game", "razz"), "possible: stud, stud8, stud_hilo"),
        (("--from", "yesterday"), "write it as 2026-01-31"),
        (("--from", "2026-02-01", "--to", "2026-01-01"), "is after the last"),
        (("--format", "xlsx"), "-o FILE"),
        (("-o", "rake.csv", "--format", "csv"), "-o FILE"),
        (("--format", "pdf"), "xlsx"),
        (("--top", "0"), "--top"),
    ],
)
def test_a_question_that_makes_no_sense_is_told_what_is_possible(
    studledger: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    assert said in studledger(*REPORT, *arguments, code=2).said


def test_nothing_to_report_is_no_mistake(studledger: CommandLine) -> None:
    for nothing in (("--table", "Nowhere"), ("--player", "Nobody"), ("--from", "2099-01-01")):
        answer = studledger(*REPORT, *nothing)
        assert "no raked hand is like that" in answer.err
        assert studledger(*REPORT, *nothing, "--format", "json").json["lines"] == []


def test_a_narrow_terminal_keeps_what_a_comparison_is_for(studledger: CommandLine) -> None:
    day = ("--from", "2026-01-09", "--to", "2026-01-09")
    answer = studledger(*REPORT, "--by", "stakes", *day, "--compare", "previous")
    head, first, *_ = answer.out.splitlines()
    assert head.split()[:4] == ["stakes", "hands", "pot", "rake"]
    assert head.endswith("rake before  difference")
    assert first.split()[0] == "1.00/2.00"
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    rows = studledger(*REPORT, *day, "--compare", "previous", "--format", "csv").csv
    assert (rows[0]["rake_before"], rows[0]["rake_difference"]) == ("0.00", rows[0]["rake"])


def test_attributions_stand_side_by_side_at_the_command_line(studledger: CommandLine) -> None:
    methods = ("--attribution", "dealt,winner")
    answer = studledger(*REPORT, "--by", "player", *methods, "--format", "json").json
    sums = {
        name: sum(line[name] for line in answer["lines"])
        for name in ("rake", "rake_dealt", "rake_winner")
    }
    assert set(sums.values()) == {answer["house"][0]["rake"]}
    assert "rake_weighted" not in answer["lines"][0]
    said = studledger(*REPORT, "--by", "player", "--attribution", "dealt,equal", code=2).said
    assert "possible: dealt, contributed, weighted, winner" in said
    assert "possible: by player" in studledger(*REPORT, *methods, code=2).said


def test_parquet_goes_into_a_file_and_beancount_to_stdout(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "rake.parquet"
    studledger(*REPORT, "--format", "parquet", "-o", path)
    assert path.read_bytes()[:4] == path.read_bytes()[-4:] == b"PAR1"
    studledger(*REPORT, "--format", "parquet", code=2)
    text = studledger(*REPORT, "--by", "day", "--format", "beancount").out
    assert text.count(' * "Rake"') == len(studledger(*REPORT, "--by", "day").out.splitlines()) - 2
    assert "possible: by day" in studledger(*REPORT, "--format", "beancount", code=2).said
