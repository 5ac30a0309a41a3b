"""Checkpoints: signed, published, and never one that contradicts an earlier one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from services.log.checkpoints import Checkpoints
from services.log.errors import Contradiction, LogKeyUnusable, NoCheckpoint, NothingContradicts
from services.log.events import LOG, LogEpochOpened, decode
from services.log.proving import Prover
from services.proof.checkpoint import parse_checkpoint, verify_checkpoint
from services.proof.consistency import verify_consistency
from services.proof.errors import NotConsistent, NotSigned
from services.proof.tlog_proof import verify_proof
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.sealed import as_owner, forms, root_by_definition, set_back, tell


@pytest.fixture
def room(settings: Settings, tmp_path: Path) -> Iterator[Room]:
    """A room whose checkpoints are published where no other room's are."""
    given = settings.model_copy(
        update={"checkpoint_dir": tmp_path / "published", "log_key_file": tmp_path / "log.key"}
    )
    with open_room(given) as room:
        yield room


def published(room: Room) -> dict[str, str]:
    folder = room.settings.checkpoint_path
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}


def test_a_checkpoint_is_the_signed_root_over_every_event(room: Room) -> None:
    tell(room, 2)
    signed = Checkpoints(room).sign()
    (key,) = Checkpoints(room).keys.known()
    told = verify_checkpoint(signed.note, [key])
    entries = forms(room)
    assert told.origin == f"studledger/{room.settings.room}" == key.name
    assert (told.size, told.root) == (len(entries), root_by_definition(entries))
    assert (told.epoch, signed.size) == (1, told.size)


def test_the_first_checkpoint_is_over_the_making_of_the_key(room: Room) -> None:
    assert Checkpoints(room).sign().size == 1
    assert b"log_key_made.v1" in forms(room)[0]


def test_without_new_events_the_checkpoint_is_that_of_before(room: Room) -> None:
    checkpoints = Checkpoints(room)
    assert checkpoints.sign() == checkpoints.sign() == checkpoints.newest()
    more = len(tell(room))
    checkpoints.sign()
    assert [one.size for one in checkpoints.all()] == [1, 1 + more]


def test_before_the_first_one_there_is_none(room: Room) -> None:
    with pytest.raises(NoCheckpoint, match="checkpoint new"):
        Checkpoints(room).newest()
    with pytest.raises(NoCheckpoint):
        Checkpoints(room).of_size(7)


def encoded(proof: object) -> str:
    return msgspec.json.encode(proof).decode()


# -- the folder ------------------------------------------------------------------------------------


def test_every_checkpoint_is_in_the_folder_as_it_was_signed(room: Room) -> None:
    checkpoints = Checkpoints(room)
    notes = [checkpoints.sign().note]
    tell(room)
    notes.append(checkpoints.sign().note)
    assert list(published(room).values()) == notes
    assert next(iter(published(room))) == f"{room.settings.room}.epoch1.000000000001.checkpoint"


def test_what_is_missing_in_the_folder_is_added_and_the_rest_left_alone(room: Room) -> None:
    checkpoints = Checkpoints(room)
    for _ in range(2):
        checkpoints.sign()
        tell(room)
    checkpoints.sign()
    before = published(room)
    (room.settings.checkpoint_path / [*before][1]).unlink()
    (room.settings.checkpoint_path / "README").write_text("not ours")
    assert checkpoints.publish() == 1
    assert checkpoints.publish() == 0
    assert published(room) == before | {"README": "not ours"}


def test_rooms_may_share_a_folder(room: Room, settings: Settings) -> None:
    tell(room)
    Checkpoints(room).sign()
    other = room.settings.model_copy(
        update={
            "room": f"{settings.room}_b",
            "log_key_file": room.settings.log_key_path.parent / "b",
        }
    )
    with open_room(other) as second:
        assert Checkpoints(second).sign().size == 1
    assert len(published(room)) == 2


@pytest.mark.parametrize("change", ["garbage", "other size", "other log"])
def test_nothing_is_signed_beside_a_folder_that_was_changed(room: Room, change: str) -> None:
    checkpoints = Checkpoints(room)
    checkpoints.sign()
    (path,) = room.settings.checkpoint_path.iterdir()
    note = path.read_text("utf-8")
    path.chmod(0o644)
    changed = {
        "garbage": "nonsense",
        "other size": note.replace("\n1\n", "\n2\n"),
        "other log": note.replace("studledger/", "elsewhere/"),
    }
    path.write_text(changed[change])
    tell(room)
    with pytest.raises(Contradiction):
        checkpoints.sign()
    assert len(checkpoints.all()) == 1


# -- what would contradict -------------------------------------------------------------------------


def test_nothing_is_signed_over_leaves_that_were_changed(room: Room) -> None:
    tell(room)
    checkpoints = Checkpoints(room)
    checkpoints.sign()
    as_owner(room, "update log_leaves set hash = sha256('x') where leaf = 0")
    as_owner(room, "update log_nodes set hash = sha256('x') where index = 0")
    tell(room)
    with pytest.raises(Contradiction, match="contradicts the last checkpoint it signed"):
        checkpoints.sign()
    assert len(checkpoints.all()) == 1


def restored(room: Room) -> str:
    """Three checkpoints are published, then the backup made after the first is restored."""
    checkpoints = Checkpoints(room)
    tell(room)
    first = checkpoints.sign().size
    for _ in range(2):
        tell(room)
        last = checkpoints.sign()
    set_back(room, first)
    return last.note


def test_an_older_backup_signs_nothing_that_is_behind_what_was_published(room: Room) -> None:
    restored(room)
    with pytest.raises(Contradiction, match="ahead of the database") as refused:
        Checkpoints(room).sign()
    assert "new-epoch" in str(refused.value)


def test_an_older_backup_that_went_another_way_signs_nothing(room: Room) -> None:
    last = parse_checkpoint(restored(room))
    tell(room, 4)
    with pytest.raises(Contradiction, match="contradicts"):
        Checkpoints(room).sign()
    with pytest.raises(Contradiction):
        Checkpoints(room).publish()
    assert Checkpoints(room).newest().size < last.size


def test_a_new_epoch_begins_with_what_was_published_last_and_why(room: Room) -> None:
    last = restored(room)
    tell(room)
    checkpoints = Checkpoints(room)
    signed = checkpoints.new_epoch("the disk broke; the backup of Monday was restored")
    assert signed.epoch == 2
    told = verify_checkpoint(signed.note, checkpoints.keys.known())
    assert told.origin == f"studledger/{room.settings.room}/epoch/2"
    (opening,) = room.store.load(LOG)
    event = decode(opening.state)
    assert isinstance(event, LogEpochOpened)
    assert (event.epoch, event.last) == (2, last)
    assert "Monday" in event.why
    entries = forms(room)
    first = next(entry for entry in entries if b"log_epoch_opened.v1" in entry)
    others = [entry for entry in entries if entry != first]
    assert (told.size, told.root) == (len(entries), root_by_definition([first, *others]))


def test_in_a_new_epoch_every_event_can_be_proven_and_the_log_goes_on(room: Room) -> None:
    restored(room)
    checkpoints = Checkpoints(room)
    first = checkpoints.new_epoch("restored")
    tell(room)
    later = checkpoints.sign()
    keys, prover = checkpoints.keys.known(), Prover(room)
    for fact in room.store.page(0, 1000):
        assert fact.type.encode() in verify_proof(str(prover.inclusion(fact.position)), keys).entry
    proof = prover.consistency(first.size, later.size)
    assert verify_consistency(encoded(proof), keys).later == later.checkpoint
    assert [one.epoch for one in checkpoints.all()] == [1, 2, 2]
    assert [name for name in published(room) if "epoch2" in name]


def test_a_tree_of_another_epoch_is_another_log(room: Room) -> None:
    last = restored(room)
    checkpoints = Checkpoints(room)
    signed = checkpoints.new_epoch("restored")
    told = {
        "type": "studledger/consistency-proof@v1",
        "from": parse_checkpoint(last).size,
        "to": signed.size,
        "hashes": [],
        "from_checkpoint": last,
        "to_checkpoint": signed.note,
    }
    with pytest.raises(NotConsistent, match="another log"):
        verify_consistency(encoded(told), checkpoints.keys.known())


def test_a_new_epoch_is_refused_where_the_log_goes_on(room: Room) -> None:
    tell(room)
    checkpoints = Checkpoints(room)
    checkpoints.sign()
    with pytest.raises(NothingContradicts):
        checkpoints.new_epoch("I would like one")
    assert not room.store.load(LOG)


def test_a_checkpoint_kept_elsewhere_is_as_good_as_the_folder(room: Room, tmp_path: Path) -> None:
    kept = tmp_path / "mailed"
    kept.write_text(restored(room), "utf-8")
    for path in room.settings.checkpoint_path.iterdir():
        path.unlink()
    checkpoints = Checkpoints(room)
    signed = checkpoints.new_epoch("restored, and the folder was lost", last=kept)
    assert signed.epoch == 2
    event = decode(room.store.load(LOG)[0].state)
    assert isinstance(event, LogEpochOpened)
    assert event.last == kept.read_text("utf-8")


def test_a_database_made_anew_goes_on_only_as_a_new_epoch(room: Room, settings: Settings) -> None:
    tell(room)
    old = Checkpoints(room).sign()
    as_owner(
        room, "truncate events, commands, log_leaves, log_nodes, log_checkpoints, hand_secrets"
    )
    checkpoints = Checkpoints(room)
    with pytest.raises(Contradiction, match="ahead"):
        checkpoints.sign()
    assert checkpoints.new_epoch("the database was lost").epoch == 2
    assert old.note in published(room).values()


def test_a_lost_key_ends_the_epoch(room: Room) -> None:
    tell(room)
    checkpoints = Checkpoints(room)
    old = checkpoints.sign()
    room.settings.log_key_path.unlink()
    tell(room)
    with pytest.raises(LogKeyUnusable, match="lost"):
        checkpoints.sign()
    signed = checkpoints.new_epoch("the key was lost with the old machine")
    before, now = checkpoints.keys.known()
    assert verify_checkpoint(signed.note, [now]).epoch == 2
    with pytest.raises(NotSigned):
        verify_checkpoint(signed.note, [before])
    event = decode(room.store.load(LOG)[0].state)
    assert isinstance(event, LogEpochOpened)
    assert (event.last, event.key) == (old.note, str(now))
