"""Exports from a room: which hands, for whom, what is left out, and that they come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.access.events import CardsSeen
from services.importing import import_paths
from services.replaying import PUBLIC
from services.reports import HandsWanted
from services.settings import Settings
from services.store.room import Room, open_room
from services.writers import choosing, chosen_hands, export_hands
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD, changed
from tests.support.site_texts import BOVADA, FULLTILT

UNRAKED = changed(
    STUD.replace("#7001", "#7002"),
    ("$12.80 | Rake $0.60", "$12.80 | Rake $0"),
    ("collected $12.20", "collected $12.80"),
)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Four hands: 7001 (raked), 7002, 8001 and 9001 (raked)."""
    paths = []
    for place, text in enumerate((STUD, UNRAKED, FULLTILT, BOVADA)):
        paths.append(tmp_path / f"{place}.txt")
        paths[-1].write_text(text)
    return paths


def numbers(lines: list[Any]) -> list[str]:
    return [line["event"]["number"] for line in lines if line["n"] == 1]


def test_all_hands_are_written_oldest_first(studledger: CommandLine, files: list[Path]) -> None:
    studledger("import", *files)
    answer = studledger("export", "jsonl")
    assert numbers(answer.lines) == ["8001", "9001", "7001", "7002"]
    assert "4 hands written, view public" in answer.err


def test_the_same_filters_as_those_of_hands(studledger: CommandLine, files: list[Path]) -> None:
    studledger("import", *files)
    for options, expected in (
        (["--game", "stud8"], ["9001"]),
        (["--table", "Aquila"], ["7001", "7002"]),
        (["--player", "Seat+3"], ["9001"]),
        (["--from", "2012-01-01", "--to", "2013-12-31"], ["9001"]),
        (["--min-pot", "20"], ["8001"]),
        (["--findings"], []),
        (["--limit", "2"], ["7001", "7002"]),
    ):
        assert numbers(studledger("export", "jsonl", *options).lines) == expected


def test_one_hand_is_named(studledger: CommandLine, files: list[Path]) -> None:
    studledger("import", *files)
    assert numbers(studledger("export", "jsonl", "8001").lines) == ["8001"]
    assert studledger("export", "phh", "7002").out.startswith('variant = "F7S"\n')
    studledger("export", "jsonl", "nonsense", code=5)
    studledger("export", "jsonl", "8001", "--game", "stud", code=2)


def test_what_the_notation_cannot_say_is_left_out_and_named(
    studledger: CommandLine, files: list[Path], tmp_path: Path
) -> None:
    studledger("import", *files)
    target = tmp_path / "hands.phhs"
    answer = studledger("export", "phh", "-o", target, code=4)
    assert answer.out == ""
    assert target.read_text().startswith("[1]\n")
    assert target.read_text().count("variant") == 1
    left_out = [line for line in answer.err.splitlines() if line.startswith("LEFT OUT")]
    assert len(left_out) == 3
    assert all("PHH has no word for rake" in line for line in left_out)
    assert list(tmp_path.glob(".export-*")) == []


def test_hidden_cards_need_a_purpose_which_goes_on_record_first(
    studledger: CommandLine, settings: Settings, files: list[Path]
) -> None:
    studledger("import", *files)
    studledger("export", "jsonl", "7001", "--view", "all", code=2)
    answer = studledger("export", "jsonl", "7001", "--view", "all", "--why", "a complaint")
    deals = [line["event"] for line in answer.lines if line["event"]["type"] == "cards_dealt.v1"]
    assert deals[0]["down"] == ["Ah", "Kd"]
    with open_room(settings) as room:
        kinds = [recorded.type for recorded in room.store.page(0, 1_000)]
    assert kinds.count(str(CardsSeen.__struct_config__.tag)) == 1


def test_a_seat_that_was_not_in_a_hand_leaves_that_hand_out(
    studledger: CommandLine, files: list[Path]
) -> None:
    studledger("import", *files)
    answer = studledger("export", "jsonl", "--view", "seat:5", "--why", "his own copy", code=4)
    assert numbers(answer.lines) == ["9001"]
    assert answer.err.count("nobody was dealt in at seat 5") == 3


def test_a_folder_that_is_not_there_is_a_usage_error(studledger: CommandLine) -> None:
    studledger("export", "jsonl", "-o", "/no/such/folder/file", code=2)


def test_an_empty_room_exports_nothing(studledger: CommandLine) -> None:
    assert studledger("export", "jsonl").out == ""


@pytest.mark.parametrize("form", ["jsonl", "phh"])
def test_what_was_exported_is_known_where_it_came_from_and_the_same_elsewhere(
    room: Room, another: Any, files: list[Path], tmp_path: Path, form: str
) -> None:
    import_paths(room, files)
    target = tmp_path / "out"
    with target.open("wb") as out:
        result = export_hands(
            room,
            _all(room),
            out.write,
            form="jsonl" if form == "jsonl" else "phhs",
        )
    assert import_paths(room, [target]).duplicates == result.hands
    elsewhere = another()
    assert import_paths(elsewhere, [target]).imported == result.hands
    assert set(_all(elsewhere)) <= set(_all(room))
    players = {one["player"] for hand in _starts(elsewhere) for one in hand["seats"]}
    names = set(elsewhere.players.names(sorted(players)).values())
    assert {"anna", "bert", "cleo"} <= names


def _all(room: Room) -> list[Any]:
    return list(dict.fromkeys(recorded.stream for recorded in room.store.page(0, 10_000)))


def _starts(room: Room) -> list[dict[str, Any]]:
    events = (json.loads(recorded.state) for recorded in room.store.page(0, 10_000))
    return [event for event in events if event["type"] == "hand_started.v1"]


def test_hands_are_chosen_page_by_page(
    studledger: CommandLine,
    settings: Settings,
    files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    studledger("import", *files)
    monkeypatch.setattr(choosing, "PAGE_HANDS", 1)
    with open_room(settings) as room:
        everything = list(chosen_hands(room, HandsWanted()))
        assert len(set(everything)) == 4
        assert list(chosen_hands(room, HandsWanted(), 3)) == everything[1:]


def test_an_erased_player_is_nobody_in_an_export(room: Room, files: list[Path]) -> None:
    import_paths(room, files[:1])
    with room.connect() as connection:
        connection.execute("delete from players where name = 'bert'")
    written: list[bytes] = []
    export_hands(room, _all(room), written.append, form="jsonl", view=PUBLIC)
    text = b"".join(written)
    assert b"anna" in text
    assert b"bert" not in text
