"""Importing into a real room: each hand once, differing witnesses apart, the rest explained."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain import events as e
from domain.house_rules import POKERSTARS, TOPSPOKER
from services.errors import BadSettings
from services.importing import ImportResult, import_paths, retry_quarantine, runs
from services.store.room import Room
from services.store.texts import Rejected
from tests.support.hand_texts import CORPUS, PHH, STUD, changed, in_chips, needs_corpus

BERTS_FILE = changed(
    STUD.replace("Dealt to anna [Ah Kd 9c", "Dealt to anna [9c"),
    ("Dealt to bert [2d]", "Dealt to bert [3s 4s 2d]"),
    ("Dealt to anna [9c 8h 4c 3d] [As]\n", ""),
)
"""The same hand as bert's client wrote it: his own down cards, not anna's until she shows."""

OTHER_FACTS = changed(STUD, ("Dealt to bert [2d]", "Dealt to bert [2c]"))
BROKEN = changed(STUD, ("bert: folds", "bert: surrenders"))


def imported(room: Room, folder: Path, *texts: str, **options: object) -> ImportResult:
    """Import these texts, a file each."""
    paths = []
    for place, text in enumerate(texts):
        paths.append(folder / f"{place}.txt")
        paths[-1].write_text(text)
    return import_paths(room, paths, **options)  # type: ignore[arg-type]


def counts(result: ImportResult) -> tuple[int, int, int, int, int]:
    conflicting = sum(len(conflict.hands) - 1 for conflict in result.conflicts)
    return (
        result.imported,
        result.duplicates,
        result.skipped,
        conflicting,
        len(result.rejected),
    )


def streams(room: Room) -> dict[UUID, list[e.HandEvent]]:
    found: dict[UUID, list[e.HandEvent]] = {}
    for recorded in room.store.page(0, 100_000):
        found.setdefault(recorded.stream, []).append(e.decode(recorded.state))
    return found


def the_start(events: Sequence[e.HandEvent]) -> e.HandStarted:
    assert isinstance(events[0], e.HandStarted)
    return events[0]


def test_a_hand_is_stored_with_its_text_its_secret_and_no_names(room: Room, tmp_path: Path) -> None:
    assert counts(imported(room, tmp_path, STUD)) == (1, 0, 0, 0, 0)
    [(hand, events)] = streams(room).items()
    [text] = room.texts.of(hand)
    start = the_start(events)
    assert text.body.decode() == STUD
    assert (text.format, text.line) == ("pokerstars", 1)
    assert start.source.text_sha256 == hashlib.sha256(text.body).hexdigest()
    assert room.secrets.of(hand) is not None
    ids = [taken.player for taken in start.seats]
    assert room.players.names(ids) == dict(zip(ids, ("anna", "bert", "cleo"), strict=True))
    assert b"anna" not in b"".join(recorded.state for recorded in room.store.load(hand))


def test_the_same_file_again_stores_nothing(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD)
    head = room.store.head()
    again = imported(room, tmp_path, STUD)
    assert (counts(again), again.exit_code()) == ((0, 1, 0, 0, 0), 0)
    assert room.store.head() == head


def test_the_same_hand_from_another_players_file_is_a_further_witness(
    room: Room, tmp_path: Path
) -> None:
    imported(room, tmp_path, STUD)
    assert counts(imported(room, tmp_path, BERTS_FILE)) == (0, 1, 0, 0, 0)
    [hand] = streams(room)
    assert [text.body.decode() for text in room.texts.of(hand)] == [STUD, BERTS_FILE]


def test_a_witness_that_shows_nothing_more_is_not_kept(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD)
    chat = changed(STUD, ("bert: folds", 'bert: folds\nbert said, "nh"'))
    assert counts(imported(room, tmp_path, chat)) == (0, 1, 0, 0, 0)
    [hand] = streams(room)
    assert len(room.texts.of(hand)) == 1


def test_different_facts_under_one_number_are_kept_apart_and_marked(
    room: Room, tmp_path: Path
) -> None:
    imported(room, tmp_path, STUD)
    result = imported(room, tmp_path, OTHER_FACTS)
    assert (counts(result), result.exit_code()) == ((0, 0, 0, 1, 0), 4)
    [conflict] = result.conflicts
    stored = streams(room)
    assert (conflict.number, set(conflict.hands)) == ("7001", set(stored))
    first, other = (stored[hand] for hand in conflict.hands)
    assert isinstance(first[-1], e.HandCompleted)
    mark = other[-1]
    assert isinstance(mark, e.IncidentNoted)
    assert (mark.kind, str(conflict.hands[0]) in mark.text) == ("conflict", True)


def test_a_conflicting_record_again_is_a_duplicate(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD, OTHER_FACTS)
    assert counts(imported(room, tmp_path, STUD, OTHER_FACTS)) == (0, 2, 0, 0, 0)


def test_a_third_version_joins_the_same_conflict(room: Room, tmp_path: Path) -> None:
    third = changed(
        STUD, ("Dealt to bert [2d]", "Dealt to bert [2h]"), ("[Qs 7s] [2h]", "[Qs 7s] [2c]")
    )
    third = third.replace("7s 2h", "7s 2c")
    result = imported(room, tmp_path, STUD, OTHER_FACTS, third)
    assert counts(result) == (1, 0, 0, 2, 0)
    assert [len(conflict.hands) for conflict in result.conflicts] == [3]


def test_one_file_may_hold_a_hand_twice_and_a_third_time_differently(
    room: Room, tmp_path: Path
) -> None:
    result = imported(room, tmp_path, "\n\n".join([STUD, STUD, OTHER_FACTS, OTHER_FACTS]))
    assert counts(result) == (1, 2, 0, 1, 0)
    assert len(streams(room)) == 2


def test_the_same_number_of_play_money_is_another_hand(room: Room, tmp_path: Path) -> None:
    play = in_chips(STUD.replace("($1/$2 USD)", "($1/$2)"))
    assert counts(imported(room, tmp_path, STUD, play)) == (2, 0, 0, 0, 0)


def test_a_name_that_differs_is_a_different_fact(room: Room, tmp_path: Path) -> None:
    result = imported(room, tmp_path, STUD, STUD.replace("bert", "Bert"))
    assert counts(result) == (1, 0, 0, 1, 0)


def test_an_erased_name_does_not_make_an_old_hand_new(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD)
    with room.connect() as connection:
        connection.execute("delete from players where name = 'bert'")
    assert counts(imported(room, tmp_path, STUD)) == (0, 1, 0, 0, 0)


def test_a_hand_without_a_number_is_known_by_its_facts(room: Room, tmp_path: Path) -> None:
    commented = "# the same\n" + PHH
    assert counts(imported(room, tmp_path, PHH, commented)) == (1, 1, 0, 0, 0)
    other = changed(PHH, ('"p1 cbr 10"', '"p1 cbr 10"')).replace("????2d", "????2c")
    assert counts(imported(room, tmp_path, other)) == (1, 0, 0, 0, 0)


def test_house_rules_are_chosen_by_name_and_make_no_other_hand(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD, house_rules="topspoker")
    [events] = streams(room).values()
    assert the_start(events).house_rules == TOPSPOKER
    assert counts(imported(room, tmp_path, STUD)) == (0, 1, 0, 0, 0)


def test_each_format_has_house_rules_of_its_own(room: Room, tmp_path: Path) -> None:
    imported(room, tmp_path, STUD)
    [events] = streams(room).values()
    assert the_start(events).house_rules == POKERSTARS


@pytest.mark.parametrize("option", ["reader", "house_rules"])
def test_an_unknown_name_is_a_usage_error(room: Room, tmp_path: Path, option: str) -> None:
    with pytest.raises(BadSettings, match="'nonsense'"):
        imported(room, tmp_path, STUD, **{option: "nonsense"})


# -- what is not taken in --------------------------------------------------------------------------


def test_a_rejected_hand_names_file_line_and_reason_and_the_others_go_through(
    room: Room, tmp_path: Path
) -> None:
    result = imported(room, tmp_path, STUD.replace("#7001", "#1") + "\n\n" + BROKEN)
    assert (counts(result), result.exit_code()) == ((1, 0, 0, 0, 1), 4)
    [rejected] = result.rejected
    assert (rejected.file, rejected.line) == (str(tmp_path / "0.txt"), 66)
    assert "surrenders" in rejected.reason


def test_the_quarantine_keeps_the_original_its_line_and_the_reason(
    room: Room, tmp_path: Path
) -> None:
    imported(room, tmp_path, "\n\n" + BROKEN)
    [held] = room.quarantine.page()
    assert held.body.decode().strip() == BROKEN.strip()
    assert (held.file, held.reader) == (str(tmp_path / "0.txt"), "pokerstars")
    assert held.reason.startswith("line 19: seat 2: 'surrenders'")


def test_what_is_rejected_again_is_held_once(room: Room, tmp_path: Path) -> None:
    for _ in range(2):
        imported(room, tmp_path, BROKEN)
    assert len(room.quarantine.page()) == 1
    assert counts(retry_quarantine(room)) == (0, 0, 0, 0, 1)
    assert len(room.quarantine.page()) == 1


def test_what_can_be_read_by_now_leaves_the_quarantine(room: Room) -> None:
    held = Rejected(
        file="old.txt", line=101, reader="pokerstars", reason="line 9: ?", body=STUD.encode()
    )
    room.quarantine.put([held])
    assert counts(retry_quarantine(room, dry_run=True)) == (1, 0, 0, 0, 0)
    assert len(room.quarantine.page()) == 1
    assert counts(retry_quarantine(room)) == (1, 0, 0, 0, 0)
    assert room.quarantine.page() == ()
    [hand] = streams(room)
    assert [(text.file, text.line) for text in room.texts.of(hand)] == [("old.txt", 101)]


def test_an_empty_quarantine_is_no_failure(room: Room) -> None:
    assert retry_quarantine(room).exit_code() == 0


def test_a_retry_counts_lines_from_the_file_the_text_came_from(room: Room) -> None:
    held = Rejected(file="old.txt", line=101, reader="", reason="?", body=BROKEN.encode())
    room.quarantine.put([held])
    [rejected] = retry_quarantine(room).rejected
    assert (rejected.file, rejected.line) == ("old.txt", 117)


def test_only_skipped_games_are_a_success(room: Room, tmp_path: Path) -> None:
    result = imported(room, tmp_path, STUD.replace("7 Card Stud Limit", "Razz Limit"))
    assert (counts(result), result.exit_code()) == ((0, 0, 1, 0, 0), 0)


@pytest.mark.parametrize("text", ["", "nothing of poker\n", STUD.replace("PokerStars", "Pkr")])
def test_nothing_recognised_is_a_failure(room: Room, tmp_path: Path, text: str) -> None:
    result = imported(room, tmp_path, text)
    assert (counts(result), result.exit_code()) == ((0, 0, 0, 0, 1), 1)


def test_an_unknown_file_among_known_ones_is_rejected(room: Room, tmp_path: Path) -> None:
    result = imported(room, tmp_path, STUD, "nothing of poker\n")
    assert (counts(result), result.exit_code()) == ((1, 0, 0, 0, 1), 4)


def test_paths_that_lead_to_nothing_are_rejected(room: Room, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = import_paths(room, [tmp_path / "empty", tmp_path / "missing"])
    assert [r.reason for r in result.rejected] == [
        "the folder holds no files",
        "no such file or folder",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_rejected(room: Room, tmp_path: Path) -> None:
    (tmp_path / "closed.txt").write_text(STUD)
    (tmp_path / "closed.txt").chmod(0)
    [rejected] = import_paths(room, [tmp_path]).rejected
    assert rejected.reason.startswith("cannot be read")


def test_a_file_whose_name_is_no_text_is_imported(room: Room, tmp_path: Path) -> None:
    text = STUD + "\n\n" + BROKEN.replace("#7001", "#2")
    (tmp_path / os.fsdecode(b"h\xffnds.txt")).write_text(text)
    assert counts(import_paths(room, [tmp_path])) == (1, 0, 0, 0, 1)


# -- runs ------------------------------------------------------------------------------------------


def test_folders_are_walked_in_order_and_hidden_files_left_out(room: Room, tmp_path: Path) -> None:
    for name in ("b/2.txt", "a/1.txt", ".hidden/3.txt", "a/.4.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(STUD.replace("#7001", f"#{name[-5]}"))
    assert counts(import_paths(room, [tmp_path])) == (2, 0, 0, 0, 0)
    assert [the_start(events).number for events in streams(room).values()] == ["1", "2"]


def test_a_dry_run_counts_the_same_and_stores_nothing(room: Room, tmp_path: Path) -> None:
    texts = ["\n\n".join([STUD, STUD, BROKEN]), OTHER_FACTS]
    dry = imported(room, tmp_path, *texts, dry_run=True)
    assert counts(dry) == (1, 1, 0, 1, 1)
    assert room.store.head() == 0
    assert room.players.find("PokerStars", ["anna"]) == {}
    assert room.quarantine.page() == ()
    assert counts(imported(room, tmp_path, *texts)) == counts(dry)
    assert counts(imported(room, tmp_path, *texts, dry_run=True)) == (0, 3, 0, 0, 1)


def test_hands_are_stored_batch_by_batch(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "BATCH_HANDS", 2)
    text = "\n\n".join(STUD.replace("#7001", f"#{number}") for number in (1, 2, 3, 1, 5))
    heard: list[tuple[int, int]] = []
    result = imported(
        room,
        tmp_path,
        text,
        progress=lambda file, so_far: heard.append((so_far.imported, so_far.duplicates)),
    )
    assert counts(result) == (4, 1, 0, 0, 0)
    assert heard == [(2, 0), (3, 1), (4, 1)]


def test_two_imports_at_once_store_every_hand_once(room: Room, tmp_path: Path) -> None:
    text = "\n\n".join(STUD.replace("#7001", f"#{number}") for number in range(40))
    (tmp_path / "hands.txt").write_text(text)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda _: import_paths(room, [tmp_path]), range(2)))
    assert sum(result.imported for result in results) == 40
    assert sum(result.duplicates for result in results) == 40
    assert len(streams(room)) == 40


def test_the_json_has_the_promised_fields(room: Room, tmp_path: Path) -> None:
    result = imported(room, tmp_path, STUD, OTHER_FACTS, BROKEN)
    told = msgspec.json.decode(msgspec.json.encode(result.as_json()))
    assert list(told) == ["imported", "duplicates", "skipped", "conflicts", "rejected"]
    assert set(told["conflicts"][0]) == {"number", "hands"}
    assert set(told["rejected"][0]) == {"file", "line", "reason"}


@needs_corpus
def test_the_corpus_is_imported_once_and_known_afterwards(room: Room) -> None:
    folders = [CORPUS / "pokerstars", CORPUS / "phh"]
    assert counts(import_paths(room, folders)) == (30, 0, 0, 0, 0)
    assert counts(import_paths(room, folders)) == (0, 30, 0, 0, 0)
