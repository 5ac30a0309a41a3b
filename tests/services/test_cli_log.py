"""`keys`, `checkpoint` and `proof`, as an operator and an auditor type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.log.signing import new_key
from services.projecting import projector_of
from services.proof.checkpoint import verify_checkpoint
from services.proof.notes import parse_vkey
from services.settings import Settings
from services.store.room import Room
from tests.support.cli import CommandLine
from tests.support.sealed import as_owner, set_back, tell


@pytest.fixture(autouse=True)
def elsewhere(studledger: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keys and checkpoints of a test lie in its own folder."""
    monkeypatch.setenv("STUDLEDGER_CHECKPOINT_DIR", str(tmp_path / "published"))
    monkeypatch.setenv("STUDLEDGER_LOG_KEY_FILE", str(tmp_path / "log.key"))
    return tmp_path


def vkey(studledger: CommandLine) -> str:
    return studledger("keys", "show").out.splitlines()[-1]


def told(room: Room) -> tuple[str, list[int]]:
    """A hand's id and the positions of its events."""
    positions = tell(room)
    projector_of(room).catch_up()
    (fact,) = room.store.page(positions[0] - 1, 1)
    return str(fact.stream), positions


def test_a_first_key_is_made_and_shown_last(studledger: CommandLine) -> None:
    assert vkey(studledger) == vkey(studledger)
    assert parse_vkey(vkey(studledger)).name.startswith("studledger/room")
    assert "keys rotate" in studledger("keys", "new", code=1).said


def test_the_first_key_can_be_asked_for(studledger: CommandLine) -> None:
    made = studledger("keys", "new").out.splitlines()[-1]
    assert made == vkey(studledger)


def test_a_rotated_key_is_the_last_shown(studledger: CommandLine) -> None:
    old = vkey(studledger)
    new = studledger("keys", "rotate").out.splitlines()[-1]
    shown = studledger("keys", "show")
    assert (shown.out.splitlines()[-1], old in shown.err) == (new, True)


def test_a_checkpoint_is_printed_as_it_was_signed(
    studledger: CommandLine, elsewhere: Path, room: Room
) -> None:
    told(room)
    made = studledger("checkpoint", "new").out
    key = parse_vkey(vkey(studledger))
    size = verify_checkpoint(made, [key]).size
    (path,) = (elsewhere / "published").iterdir()
    assert path.read_text("utf-8") == made
    assert studledger("checkpoint", "show").out == made
    assert studledger("checkpoint", "show", size).out == made
    listed = studledger("checkpoint", "list", "--format", "json").json["checkpoints"]
    assert [(one["size"], one["epoch"], one["note"]) for one in listed] == [(size, 1, made)]
    path.unlink()
    assert "1 checkpoint added" in studledger("checkpoint", "publish").out


def test_a_checkpoint_that_is_not_there_is_not_found(studledger: CommandLine) -> None:
    studledger("checkpoint", "show", code=5)
    studledger("checkpoint", "show", 17, code=5)


@pytest.mark.parametrize("called", ["hand", "hand and step", "position"])
def test_an_event_is_proven_and_checked_offline(
    studledger: CommandLine, elsewhere: Path, room: Room, called: str
) -> None:
    hand, positions = told(room)
    named = {
        "hand": ([hand], len(positions)),
        "hand and step": ([hand, "--step", 3], 3),
        "position": ([positions[1]], 2),
    }
    arguments, n = named[called]
    file = elsewhere / "it.tlog-proof"
    studledger("proof", "inclusion", *arguments, "-o", file)
    key = vkey(studledger)
    answer = studledger("proof", "verify", file, "--vkey", key)
    assert f'"n":{n},' in answer.out
    assert hand in answer.out
    printed = studledger("proof", "inclusion", *arguments).out
    assert printed == file.read_text("utf-8")


def test_the_log_is_shown_to_have_grown_only(
    studledger: CommandLine, elsewhere: Path, room: Room
) -> None:
    for _ in range(2):
        told(room)
        studledger("checkpoint", "new")
    signed = studledger("checkpoint", "list", "--format", "json").json["checkpoints"]
    earlier, later = (one["size"] for one in signed)
    file, key = elsewhere / "grown.json", vkey(studledger)
    studledger("proof", "consistency", earlier, later, "-o", file)
    assert f"{later} leaves goes on" in studledger("proof", "verify", file, "--vkey", key).out
    file.write_text(file.read_text().replace('"hashes":["', '"hashes":["' + 43 * "A" + '=","'))
    studledger("proof", "verify", file, "--vkey", key, code=3)
    studledger("proof", "consistency", earlier, later - 1, "-o", file)
    assert "no signed checkpoint" in studledger("proof", "verify", file, "--vkey", key, code=1).said
    studledger("proof", "consistency", later, earlier, code=2)


def test_a_proof_that_is_not_true_is_told_from_one_that_cannot_be_checked(
    studledger: CommandLine, elsewhere: Path, room: Room
) -> None:
    hand, _ = told(room)
    file, key = elsewhere / "it.tlog-proof", vkey(studledger)
    studledger("proof", "inclusion", hand, "--step", 2, "-o", file)
    good = file.read_text("utf-8")
    other = str(new_key(parse_vkey(key).name).verifier)
    index = next(line for line in good.splitlines() if line.startswith("index "))
    cases = [
        (good.replace(index, "index 0"), key, 3, "does not lead to the root"),
        (good.replace("\nextra ", "\nextra AAAA"), key, 3, "does not lead to the root"),
        (good.replace("studledger/", "studledger/x", 1), key, 3, "not over this text"),
        (good, other, 1, "not by the key"),
        (good, "nonsense", 1, "NAME+ID+KEY"),
        (good.replace("@v1", "@v2", 1), key, 1, "newer program"),
        (good.replace(index + "\n", ""), key, 1, "no index line"),
        ("", key, 1, "does not begin"),
    ]
    for text, given, code, why in cases:
        file.write_text(text, "utf-8")
        assert why in studledger("proof", "verify", file, "--vkey", given, code=code).said


def test_a_proof_without_its_event_is_checked_beside_it(
    studledger: CommandLine, elsewhere: Path, room: Room
) -> None:
    hand, _ = told(room)
    file, key = elsewhere / "it.tlog-proof", vkey(studledger)
    studledger("proof", "inclusion", hand, "-o", file)
    event = studledger("proof", "verify", file, "--vkey", key).out.splitlines()[-1]
    first, extra, *rest = file.read_text("utf-8").split("\n")
    assert extra.startswith("extra ")
    file.write_text("\n".join([first, *rest]), "utf-8")
    assert "name its file" in studledger("proof", "verify", file, "--vkey", key, code=1).said
    (elsewhere / "event").write_text(event, "utf-8")
    studledger("proof", "verify", file, "--vkey", key, "--leaf", elsewhere / "event")


def test_an_event_that_was_changed_in_place_is_not_proven(
    studledger: CommandLine, room: Room
) -> None:
    _, positions = told(room)
    studledger("checkpoint", "new")
    at = f"where notification_id = {positions[1]}"
    as_owner(room, f"update events set recorded_at = recorded_at + interval '1 second' {at}")
    assert "changed it since" in studledger("proof", "inclusion", positions[1], code=3).said


def test_what_is_not_there_cannot_be_proven(studledger: CommandLine, room: Room) -> None:
    hand, positions = told(room)
    studledger("proof", "inclusion", "D99999", code=5)
    studledger("proof", "inclusion", positions[-1] + 99, code=5)
    studledger("proof", "inclusion", hand, "--step", len(positions) + 1, code=2)


def test_after_an_older_backup_only_a_new_epoch_goes_on(
    studledger: CommandLine, room: Room
) -> None:
    told(room)
    studledger("checkpoint", "new")
    told(room)
    last = studledger("checkpoint", "new").out
    set_back(room, 3)
    assert "new-epoch" in studledger("checkpoint", "new", code=1).said
    studledger("checkpoint", "new-epoch", code=2)
    studledger("checkpoint", "new-epoch", "--why", " ", code=2)
    made = studledger("checkpoint", "new-epoch", "--why", "the backup of Monday")
    assert made.out.splitlines()[0].endswith("/epoch/2")
    assert last not in made.out
    assert (
        "no epoch is needed" in studledger("checkpoint", "new-epoch", "--why", "again", code=1).said
    )


def test_a_log_that_is_stopped_signs_nothing(studledger: CommandLine, room: Room) -> None:
    told(room)
    as_owner(room, "update events set state = '1.5' where notification_id = 2")
    assert "stopped at event 2" in studledger("checkpoint", "new", code=1).said


def test_the_name_of_a_log_is_checked_before_anything_is_signed(
    studledger: CommandLine, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for name in ("two words", "a+b", "cards.example/epoch/2", "é"):
        monkeypatch.setenv("STUDLEDGER_LOG_ORIGIN", name)
        assert "STUDLEDGER_LOG_ORIGIN" in studledger("keys", "show", code=2).said
    monkeypatch.setenv("STUDLEDGER_LOG_ORIGIN", f"cards.example/{settings.room}")
    assert vkey(studledger).startswith(f"cards.example/{settings.room}+")
