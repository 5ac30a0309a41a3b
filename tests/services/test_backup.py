"""A room comes back from its backup as it was; an older one is noticed, and a missing key."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.demo.storing import store_demo
from services.embedded import Server
from services.store.room import Room
from tests.support.cli import CommandLine, forget_room


@pytest.fixture
def lost(server: Server, room: Room, studledger: CommandLine, tmp_path: Path) -> CommandLine:
    """A room that was backed up whole, signed, and is gone."""
    store_demo(room, 6)
    studledger("checkpoint", "new")
    studledger("backup", "-o", tmp_path / "whole.backup")
    forget_room(server, room.settings.room)
    return studledger


def test_a_room_comes_back_whole_and_goes_on(lost: CommandLine, tmp_path: Path) -> None:
    shown = lost("restore", tmp_path / "whole.backup")
    assert "NOT OK" not in shown.out
    assert lost("hands", "--format", "json").json["hands"][0]["number"] == "D00006"
    verified = lost("verify", "--all", "--format", "json").json
    assert (verified["checked"], verified["differences"]) == (6, [])
    lost("replay", "D00001", "--view", "all", "--why", "complaint 17")
    signed = lost("checkpoint", "new").out
    assert lost("checkpoint", "show").out == signed


def test_an_older_backup_is_noticed_and_goes_on_as_a_new_epoch(
    server: Server, room: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    store_demo(room, 6)
    studledger("checkpoint", "new")
    studledger("backup", "-o", tmp_path / "monday.backup")
    store_demo(room, 8)
    published = studledger("checkpoint", "new").out
    forget_room(server, room.settings.room)

    noticed = studledger("restore", tmp_path / "monday.backup", code=3)
    assert "Was an older backup restored?" in noticed.said
    assert "new-epoch" in noticed.said
    (cut,) = studledger("verify", "--all", "--format", "json", code=3).json["differences"]
    assert "an older backup was restored" in cut["text"]
    refused = studledger("checkpoint", "new", code=None)
    assert refused.code != 0
    begun = studledger("checkpoint", "new-epoch", "--why", "Monday's backup was restored").out
    assert begun != published
    assert "/epoch/2" in begun
    assert studledger("verify", "--all", "--format", "json", code=None).json["checked"] == 6


def test_without_the_key_file_it_says_which_is_missing(
    lost: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDLEDGER_KEY_FILE", str(tmp_path / "none.key"))
    told = lost("restore", tmp_path / "whole.backup", code=1)
    assert "there is no key file" in told.said


def test_a_room_in_use_is_never_written_over(
    room: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    store_demo(room, 6)
    head = room.store.head()
    studledger("backup", "-o", tmp_path / "room.backup")
    refused = studledger("restore", tmp_path / "room.backup", code=1)
    assert "an empty one only" in refused.said
    assert room.store.head() == head


def test_what_is_no_backup_or_anothers_is_refused(
    lost: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letter.txt").write_text("dear auditor")
    assert "pg_restore" in lost("restore", tmp_path / "letter.txt", code=1).said
    assert "no file" in lost("restore", tmp_path / "none", code=1).said
    monkeypatch.setenv("STUDLEDGER_ROOM", "another")
    assert "STUDLEDGER_ROOM" in lost("restore", tmp_path / "whole.backup", code=1).said
