"""How commands end: each exit code, with a sentence that says what to do, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.embedded import Server
from services.settings import Settings
from services.store.room import open_room
from tests.support.cli import CommandLine, started
from tests.support.hand_texts import HEADER, STUD, changed

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"
RAZZ = changed(STUD, ("7 Card Stud Limit", "Razz Limit"))
BROKEN = changed(STUD, ("bert: folds", "bert: surrenders"))


@pytest.fixture(scope="module")
def quiet(server: Server) -> Settings:
    """Settings of a room in which nothing happened, for commands that come to nothing."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="quiet")
    with open_room(settings):
        return settings


@pytest.fixture
def idle(
    quiet: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(quiet, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Usage: studledger"),
        ("shuffle", "No such command"),
        ("hands --format xml", "Invalid value for '--format'"),
        ("hands --limit 0", "--limit"),
        ("hands --limit 1001", "--limit"),
        ("hands --game razz", "there is no game razz; there are stud, stud8, stud_hilo"),
        ("hands --from yesterday", "yesterday is no day; write it as 2026-01-31"),
        ("hands --to 2026-02-30", "2026-02-30 is no day"),
        ("hands --from 2026-02-01 --to 2026-01-01", "is after the last"),
        ("hands --min-pot plenty", "plenty is no amount; write it as 20 or 20.00"),
        ("hands --min-pot -1", "-1 is no amount"),
        ("hands --min-pot 1e-99999999", "1e-99999999 is no amount"),
        ("hands --after nonsense", "no place in a list of hands"),
        ("replay", "Missing argument 'HAND'"),
        ("replay 1 --format csv", "table, json and jsonl"),
        ("replay 1 --view everything", "say public, all or seat:N"),
        ("replay 1 --view all", "say what for with --why"),
        ("replay 1 --view all --why ' '", "say what for with --why"),
        ("explain 1 --format csv", "table and json"),
        ("explain 1 --view seat:3", "say what for with --why"),
        ("verify", "name hands, or say --all"),
        (
            "rake report --by moon",
            "by moon: rake cannot be reported by this; possible: day, week, month",
        ),
        ("rake report --from nonsense", "nonsense is no day"),
        ("rake explain 1 --format jsonl", "table and json"),
        ("import", "name files or folders, or say --retry-quarantine"),
        ("import . --retry-quarantine", "name files or folders, or say --retry-quarantine"),
        ("import . --reader crystal", "there is no reader 'crystal'; there are: pokerstars"),
        ("import . --house-rules mine", "there are no house rules 'mine'; there are: topspoker"),
        ("projections rebuild fame", "there is no projection 'fame'; there are hands"),
        ("demo --hands 0", "--hands"),
    ],
)
def test_a_wrong_question_ends_with_2_and_says_how_to_ask(
    idle: CommandLine, arguments: str, sentence: str
) -> None:
    words = arguments.replace("' '", "\t").split(" ") if arguments else []
    answer = idle(*(word.replace("\t", " ") for word in words), code=2)
    assert sentence in " ".join(answer.said.replace("│", " ").split())


@pytest.mark.parametrize(
    "arguments", ["replay 1", "explain 1", "verify 1", "rake explain 1", "replay 1 --play"]
)
def test_an_unknown_hand_ends_with_5(idle: CommandLine, arguments: str) -> None:
    answer = idle(*arguments.split(), code=5)
    assert answer.out == ""
    assert answer.err == "studledger: there is no hand 1 in room quiet\n"


def test_a_step_the_hand_does_not_have_is_named_with_those_it_has(
    studledger: CommandLine, tmp_path: Path
) -> None:
    studledger("import", written(tmp_path, STUD))
    for step in ("0", "99"):
        for command in (("replay",), ("explain",), ("replay", "--play")):
            answer = studledger(*command, "7001", "--step", step, code=2)
            assert f"there is no step {step}: the hand has steps 1 to " in answer.err
    answer = studledger("replay", "7001", "--view", "seat:3", "--why", "a complaint", code=2)
    assert "nobody was dealt in at seat 3: the seats are 1, 2, 4" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [
        *("hands", "replay 1", "explain 1", "verify --all", "import .", "rake report"),
        *("rake explain 1", "projections status", "projections rebuild", "migrate", "doctor"),
    ],
)
def test_without_a_database_every_command_ends_with_6_and_says_what_to_check(
    idle: CommandLine, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.setenv("STUDLEDGER_DATABASE_URL", NOWHERE)
    answer = idle(*arguments.split(), code=6)
    assert "STUDLEDGER_DATABASE_URL" in answer.said
    assert "that its server runs" in answer.said


def test_a_room_nobody_migrated_is_not_made_by_looking(
    idle: CommandLine, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, port = server.listens_at()
    url = f"postgresql://studledger_app@/studledger?host={place}&port={port}"
    monkeypatch.setenv("STUDLEDGER_DATABASE_URL", url)
    monkeypatch.setenv("STUDLEDGER_ROOM", "never_made")
    assert "studledger migrate" in idle("hands", code=6).err
    assert "studledger migrate" in idle("doctor", code=6).said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROOM", "The Back Room"),
        ("ROOM", "pg_catalog"),
        ("DATABASE_URL", "mysql://user:hunter2@localhost/poker"),
        ("OWNER_URL", "postgresql://user:hunter2@[/poker"),
    ],
)
def test_a_wrong_setting_ends_with_2_and_is_named_without_its_value(
    idle: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"STUDLEDGER_{name}", value)
    answer = idle("hands", code=2)
    assert answer.err.startswith(f"studledger: STUDLEDGER_{name}: ")
    assert value not in answer.err
    assert "hunter2" not in answer.err


def test_a_number_two_hands_share_lists_the_ids_to_choose_from(
    studledger: CommandLine, tmp_path: Path
) -> None:
    other = changed(STUD, ("Dealt to bert [2d]", "Dealt to bert [2c]"))
    studledger("import", written(tmp_path, f"{STUD}\n\n{other}"), code=4)
    answer = studledger("replay", "7001", code=2)
    heading, *candidates = answer.err.splitlines()
    assert heading == "studledger: 2 hands are called 7001; name one by its id:"
    ids = [line.split()[0] for line in candidates]
    assert len(set(ids)) == 2
    for one in ids:
        assert studledger("replay", one, "--format", "json").json["hand"] == one


# -- import ----------------------------------------------------------------------------------------


def written(folder: Path, text: str | bytes, name: str = "hands.txt") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_an_import_says_what_was_promised_and_ends_with_0(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = written(tmp_path, f"{STUD}\n\n{RAZZ.replace('#7001', '#7002')}")
    counts = {"duplicates": 0, "skipped": 1, "conflicts": [], "rejected": []}
    answer = studledger("import", path, "--format", "json").json
    assert answer == {"imported": 1, **counts}
    again = studledger("import", path, "--format", "json").json
    assert again == {"imported": 0, **counts, "duplicates": 1}


def test_a_dry_run_counts_and_stores_nothing(studledger: CommandLine, tmp_path: Path) -> None:
    path = written(tmp_path, f"{STUD}\n\n{BROKEN.replace('#7001', '#7002')}")
    answer = studledger("import", path, "--dry-run", code=4)
    assert "1 hand would be imported" in answer.out
    assert "--retry-quarantine" not in answer.out
    assert "this room holds no hand yet" in studledger("hands").err


def test_rejected_hands_end_with_4_named_by_file_line_and_cause(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = written(tmp_path, f"{STUD}\n\n{BROKEN.replace('#7001', '#7002')}")
    answer = studledger("import", path, code=4)
    line = 1 + path.read_text().splitlines().index("bert: surrenders")
    assert "1 hand imported" in answer.out
    assert f"REJECTED {path}:{line}: " in answer.out
    assert "studledger import --retry-quarantine" in answer.out
    [rejected] = studledger("import", path, "--format", "json", code=4).json["rejected"]
    assert set(rejected) == {"file", "line", "reason"}
    assert (rejected["file"], rejected["line"]) == (str(path), line)
    assert studledger("import", path, "--format", "jsonl", code=4).lines == [rejected]
    [row] = studledger("import", path, "--format", "csv", code=4).csv
    assert row == {name: str(value) for name, value in rejected.items()}
    again = studledger("import", "--retry-quarantine", "--format", "json", code=4).json
    assert again["rejected"] == [rejected]


def test_only_rejected_hands_end_with_4_too(studledger: CommandLine, tmp_path: Path) -> None:
    studledger("import", written(tmp_path, BROKEN), code=4)


def test_a_conflict_ends_with_4_and_names_both_hands(
    studledger: CommandLine, tmp_path: Path
) -> None:
    other = changed(STUD, ("Dealt to bert [2d]", "Dealt to bert [2c]"))
    studledger("import", written(tmp_path, STUD))
    answer = studledger("import", written(tmp_path, other), "--format", "json", code=4).json
    [conflict] = answer["conflicts"]
    assert (conflict["number"], len(set(conflict["hands"]))) == ("7001", 2)
    assert answer["imported"] == 0
    said = studledger("import", written(tmp_path, f"{STUD}\n\n{other}"))
    assert "2 known already" in said.out


def test_only_hands_of_other_games_end_with_0(studledger: CommandLine, tmp_path: Path) -> None:
    answer = studledger("import", written(tmp_path, RAZZ))
    assert "1 of other games skipped" in answer.out


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02\x03" * 100, b"Dear diary, I folded aces today.\n"],
    ids=["empty", "binary", "prose"],
)
def test_a_file_without_a_hand_ends_with_1_and_is_named(
    studledger: CommandLine, tmp_path: Path, content: bytes
) -> None:
    path = written(tmp_path, content)
    answer = studledger("import", path, code=1)
    assert f"REJECTED {path}:1: " in answer.out
    assert "--retry-quarantine" not in answer.out


def test_a_path_that_leads_nowhere_ends_with_1(studledger: CommandLine, tmp_path: Path) -> None:
    answer = studledger("import", tmp_path / "nothing.txt", code=1)
    assert "no such file or folder" in answer.out
    assert "the folder holds no files" in studledger("import", tmp_path, code=1).out


def test_the_header_alone_is_rejected_not_lost(studledger: CommandLine, tmp_path: Path) -> None:
    path = written(tmp_path, HEADER)
    assert f"REJECTED {path}:" in studledger("import", path, code=4).out


# -- the process itself ----------------------------------------------------------------------------


def test_a_reader_who_has_seen_enough_is_no_error_to_talk_about(quiet: Settings) -> None:
    with started(quiet, "projections", "status", "--format", "jsonl") as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b""


def test_a_terminal_without_the_letters_of_a_name_gets_code_points(quiet: Settings) -> None:
    with started(quiet, "replay", "Łucja", PYTHONIOENCODING="latin-1") as program:
        _, err = program.communicate()
        assert err == b"studledger: there is no hand \\u0141ucja in room quiet\n"
        assert program.returncode == 5
