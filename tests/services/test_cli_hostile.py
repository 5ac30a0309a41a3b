"""Names are anybody's text: none steers a terminal, is read as markup or becomes a formula."""

from __future__ import annotations

import csv
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services import embedded
from services.embedded import Server
from services.settings import Settings
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD

ESCAPE = "\x1b[2J\x1b]0;owned\x07evil"
MARKUP = "[bold red]loud[/bold red]"
FORMULA = "=cmd|' /C calc'!A1"
BACKWARDS = "an\u202etxt.exe"
NAMES = {"anna": ESCAPE, "bert": MARKUP, "cleo": BACKWARDS}
TABLE = '=HYPERLINK("http://example.org")'

COMMANDS = (
    "hands",
    "replay 7001",
    "replay 7001 --play",
    "explain 7001",
    "explain 7001 --step 9",
    "verify 7001",
    "rake report --by table,player",
    "rake explain 7001",
    "doctor",
)


@pytest.fixture
def hostile(
    studledger: CommandLine, server: Server, settings: Settings, tmp_path: Path
) -> CommandLine:
    """The program in a room with a hand of players who mean no good.

    A reader would refuse the first and the last name; who keeps names may hold any.
    """
    (tmp_path / "hands.txt").write_text(STUD.replace("'Aquila'", f"'{TABLE}'"))
    studledger("import", tmp_path / "hands.txt")
    with psycopg.connect(server.conninfo(embedded.OWNER_ROLE), autocommit=True) as connection:
        players = Identifier(settings.room, "players")
        for plain, name in NAMES.items():
            rename = SQL("update {} set name = %s where name = %s").format(players)
            assert connection.execute(rename, (name, plain)).rowcount == 1
    return studledger


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_printed_steers_a_terminal(hostile: CommandLine, command: str) -> None:
    answer = hostile(*command.split())
    odd = {char for char in answer.out + answer.err if not char.isprintable()}
    assert odd <= {"\n"}


def test_brackets_in_a_name_are_letters_not_markup(hostile: CommandLine) -> None:
    assert MARKUP[:12] in hostile("replay", "7001").out
    assert MARKUP in hostile("rake", "report", "--by", "player").out
    assert MARKUP in hostile("explain", "7001").said
    assert TABLE[:10] in hostile("hands").out


def test_json_holds_names_as_they_are(hostile: CommandLine) -> None:
    frame = hostile("replay", "7001", "--format", "json").json
    names = {seat["player"] for seat in frame["seats"]}
    assert names == {ESCAPE, MARKUP, BACKWARDS}
    assert hostile("hands", "--format", "json").json["hands"][0]["table"] == TABLE


def test_no_cell_of_a_csv_is_a_formula(hostile: CommandLine) -> None:
    for command in ("hands", "rake report --by table,player"):
        answer = hostile(*command.split(), "--format", "csv")
        cells = [cell for row in csv.reader(answer.out.splitlines()) for cell in row]
        assert f"'{TABLE}" in cells
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
        assert {char for char in answer.out if not char.isprintable()} == {"\n"}


def test_what_is_asked_for_steers_nothing_either(hostile: CommandLine) -> None:
    for command in ("replay", "explain", "verify"):
        answer = hostile(command, f"7{ESCAPE}", code=5)
        assert "\x1b" not in answer.err
    for arguments in (("hands", "--game", ESCAPE), ("rake", "report", "--by", ESCAPE)):
        assert "\x1b" not in hostile(*arguments, code=2).err
    assert MARKUP in hostile("replay", MARKUP, code=5).err


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("replay X", 5),
        ("explain X", 5),
        ("verify X", 5),
        ("dispute show X", 5),
        ("hands --player X", 0),
        ("hands --table X", 2),
        ("token create --role floor --subject X", 2),
    ],
)
def test_bytes_that_are_no_text_are_not_found_or_refused(
    studledger: CommandLine, command: str, code: int
) -> None:
    said = studledger(*command.replace("X", "\udcff").split(), code=code).err
    assert "unexpected" not in said


def test_file_names_and_unreadable_lines_steer_nothing(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "=a\x1b[2J.txt"
    path.write_text(STUD.replace("bert: folds", "bert: \x1b[2Jsurrenders"))
    for form in ("table", "csv"):
        answer = studledger("import", path, "--format", form, code=4)
        assert "\x1b" not in answer.out
