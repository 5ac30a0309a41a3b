"""Keys of the log: made once, on record, passed on in the words of both, never shown."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from services.log.checkpoints import Checkpoints
from services.log.errors import LogKeyUnusable
from services.log.events import KEYS, LogKeyMade, LogKeyRotated, decode
from services.log.keys import LogKeys
from services.log.signing import new_key, read_key
from services.proof.checkpoint import verify_checkpoint
from services.proof.errors import NotSigned, WrongSignature
from services.proof.notes import parse_vkey
from services.proof.rotation import verify_rotation
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.sealed import tell


@pytest.fixture
def room(settings: Settings, tmp_path: Path) -> Iterator[Room]:
    given = {"checkpoint_dir": tmp_path / "published", "log_key_file": tmp_path / "log.key"}
    with open_room(settings.model_copy(update=given)) as room:
        yield room


def keys_of(room: Room, **changed: object) -> LogKeys:
    return LogKeys(room.settings.model_copy(update=changed), room.store)


def test_a_first_key_is_made_kept_from_others_and_put_on_record(room: Room) -> None:
    key = keys_of(room).signer()
    path = room.settings.log_key_path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_key(path.read_text(), "file").verifier == key.verifier
    (made,) = [decode(fact.state) for fact in room.store.load(KEYS)]
    assert isinstance(made, LogKeyMade)
    assert parse_vkey(made.key) == key.verifier == keys_of(room).signer().verifier


def test_a_key_is_named_after_the_log(room: Room) -> None:
    assert keys_of(room).signer().verifier.name == f"studledger/{room.settings.room}"


def test_the_log_may_be_called_otherwise(room: Room) -> None:
    assert keys_of(room, log_origin="cards.example/main").signer().verifier.name == (
        "cards.example/main"
    )


def test_no_text_of_a_key_tells_its_secret() -> None:
    key = new_key("studledger/main")
    secret = key.written().strip().split("+", 4)[4]  # The secret may have a plus in it.
    for told in (repr(key), str(key), str(key.verifier), repr(vars(key)["verifier"])):
        assert secret not in told
        assert secret[4:40] not in told


def test_a_first_key_is_made_only_once(room: Room) -> None:
    keys_of(room).make()
    with pytest.raises(LogKeyUnusable, match="keys rotate"):
        keys_of(room).make()


def test_a_key_may_come_from_the_environment(room: Room) -> None:
    key = new_key(room.settings.log_name)
    given = keys_of(room, log_key=SecretStr(key.written()))
    assert given.signer().verifier == key.verifier
    assert not room.settings.log_key_path.exists()


def test_a_key_that_is_not_the_logs_signs_nothing(room: Room) -> None:
    keys_of(room).signer()
    other = SecretStr(new_key(room.settings.log_name).written())
    with pytest.raises(LogKeyUnusable, match="STUDLEDGER_LOG_KEY_FILE"):
        keys_of(room, log_key=other).signer()


def test_a_key_of_another_log_signs_nothing(room: Room) -> None:
    other = SecretStr(new_key("studledger/another").written())
    with pytest.raises(LogKeyUnusable, match="STUDLEDGER_LOG_ORIGIN"):
        keys_of(room, log_key=other).signer()


@pytest.mark.parametrize("text", ["", "secret words", "PRIVATE+KEY+a+b+c", "PRIVATE+KEY+x"])
def test_a_damaged_key_is_refused_without_repeating_it(room: Room, text: str) -> None:
    room.settings.log_key_path.write_text(text)
    with pytest.raises(LogKeyUnusable) as refused:
        keys_of(room).signer()
    assert not text or text not in str(refused.value)


def test_a_key_with_a_wrong_id_is_damaged() -> None:
    name, _, rest = new_key("a").written().removeprefix("PRIVATE+KEY+").partition("+")
    with pytest.raises(LogKeyUnusable, match="damaged"):
        read_key(f"PRIVATE+KEY+{name}b+{rest}", "file")


# -- passing from one key to the next --------------------------------------------------------------


def test_the_old_key_and_the_new_one_sign_the_passing_on(room: Room) -> None:
    old = keys_of(room).signer().verifier
    new = keys_of(room).rotate().verifier
    event = decode(room.store.load(KEYS)[-1].state)
    assert isinstance(event, LogKeyRotated)
    assert (event.old, event.new) == (str(old), str(new))
    assert verify_rotation(event.note, old) == new
    assert keys_of(room).known() == (old, new)
    assert keys_of(room).signer().verifier == new
    with pytest.raises(NotSigned):
        verify_rotation(event.note, new_key(old.name).verifier)


def test_a_passing_on_that_was_changed_is_noticed(room: Room) -> None:
    old = keys_of(room).signer().verifier
    keys_of(room).rotate()
    event = decode(room.store.load(KEYS)[-1].state)
    assert isinstance(event, LogKeyRotated)
    other = new_key(old.name).verifier
    with pytest.raises(WrongSignature):
        verify_rotation(event.note.replace(event.new, str(other)), old)


def test_after_a_rotation_the_new_key_signs(room: Room) -> None:
    tell(room)
    checkpoints = Checkpoints(room)
    first = checkpoints.sign()
    keys_of(room).rotate()
    second = checkpoints.sign()
    old, new = checkpoints.keys.known()
    assert verify_checkpoint(first.note, [old]).size < verify_checkpoint(second.note, [new]).size
    with pytest.raises(NotSigned):
        verify_checkpoint(second.note, [old])


def test_a_rotation_that_was_interrupted_is_finished(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys_of(room).signer()

    class Power(Exception):
        pass

    def fails(self: Path, target: Path) -> None:
        raise Power

    with monkeypatch.context() as broken, pytest.raises(Power):
        broken.setattr(Path, "replace", fails)
        keys_of(room).rotate()
    new = keys_of(room).known()[-1]
    assert keys_of(room).signer().verifier == new
    assert [path.name for path in room.settings.log_key_path.parent.iterdir()] == ["log.key"]


def test_a_rotation_that_is_not_on_record_did_not_happen(room: Room) -> None:
    old, unborn = keys_of(room).signer().verifier, new_key(room.settings.log_name)
    path = room.settings.log_key_path
    path.with_name(f"{path.name}.{unborn.verifier.id.hex()}").write_text(unborn.written())
    assert keys_of(room).signer().verifier == old


def test_a_key_of_the_environment_is_rotated_into_a_file(room: Room, tmp_path: Path) -> None:
    key = SecretStr(new_key(room.settings.log_name).written())
    with pytest.raises(LogKeyUnusable, match="which file"):
        keys_of(room, log_key=key).rotate()
    new = keys_of(room, log_key=key).rotate(tmp_path / "new.key")
    text = (tmp_path / "new.key").read_text()
    assert read_key(text, "file").verifier == new.verifier
    assert keys_of(room, log_key=SecretStr(text)).signer().verifier == new.verifier
    with pytest.raises(LogKeyUnusable):
        keys_of(room, log_key=key).signer()
