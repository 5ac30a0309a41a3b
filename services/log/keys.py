"""The keys of the log: the one at hand, those on record, and passing from one to the next."""

from __future__ import annotations

import contextlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from services.access import COMMAND_LINE
from services.errors import StaleStream
from services.log.errors import LogKeyUnusable
from services.log.events import (
    KEYS,
    LOG,
    LogEpochOpened,
    LogFact,
    LogKeyMade,
    LogKeyRotated,
    decode,
    fact,
)
from services.log.signing import SigningKey, new_key, read_key, signed
from services.proof.notes import VerifierKey, parse_vkey
from services.proof.rotation import rotation_text
from services.settings import Settings
from services.store.port import Append, EventStore, Recorded

VARIABLE = "STUDLEDGER_LOG_KEY"


class LogKeys:
    """Which key signs for a room's log. The stream `KEYS` says so; file or variable hold it."""

    def __init__(self, settings: Settings, store: EventStore) -> None:
        self._settings = settings
        self._store = store

    def known(self) -> tuple[VerifierKey, ...]:
        """Every key the log ever signed with, the current one last."""
        keys: dict[VerifierKey, None] = {}
        for recorded in self._record():
            key = parse_vkey(_key_of(decode(recorded.state)))
            keys.pop(key, None)
            keys[key] = None
        return tuple(keys)

    def signer(self) -> SigningKey:
        """The key that signs now; where there is none yet, a first one is made and put on record.

        Raises LogKeyUnusable if the key at hand is not the log's.
        """
        known, at_hand = self.known(), self.at_hand()
        if not known:
            return self._first(at_hand or self._kept())
        if at_hand is None:
            raise LogKeyUnusable(
                f"the log signs with key {_named(known[-1])}, but there is no {self._where()}: put"
                " it back. If it is lost, `studledger checkpoint new-epoch` goes on with a new one"
            )
        if at_hand.verifier != known[-1]:
            raise LogKeyUnusable(
                f"the log signs with key {_named(known[-1])}, but {self._where()} holds"
                f" {_named(at_hand.verifier)}: set STUDLEDGER_LOG_KEY_FILE to the file that was"
                " used. If it is lost, `studledger checkpoint new-epoch` goes on with this one"
            )
        return at_hand

    def make(self) -> SigningKey:
        """The first key. Raises LogKeyUnusable if the log has one."""
        if self.known():
            raise LogKeyUnusable("the log has a key: `studledger keys rotate` passes on from it")
        return self.signer()

    def rotate(self, into: Path | None = None) -> SigningKey:
        """Pass from the key at hand to a new one, in the words of both. Raises LogKeyUnusable.

        The new key takes the place of the file, or is written `into` a new one, which a key that
        comes from the environment needs: nobody else can change that. It is on the disk before
        it is on record.
        """
        old, new = self.signer(), new_key(self._settings.log_name)
        if into is None and self._settings.log_key is not None:
            raise LogKeyUnusable(f"the key is in {VARIABLE}: say which file the new one goes into")
        path = into or self._beside(new.verifier)
        _write_new(path, new.written())
        note = signed(rotation_text(old.verifier, new.verifier), [old, new])
        rotated = LogKeyRotated(
            at=datetime.now(UTC), old=str(old.verifier), new=str(new.verifier), note=note
        )
        append_fact(self._store, rotated)
        if into is None:
            path.replace(self._settings.log_key_path)
        return new

    def at_hand(self) -> SigningKey | None:
        """The key in the variable or the file; None if there is neither. Raises LogKeyUnusable."""
        if self._settings.log_key is not None:
            key = read_key(self._settings.log_key.get_secret_value(), VARIABLE)
        else:
            self._finish_rotation()
            text = _read(self._settings.log_key_path)
            if text is None:
                return None
            key = read_key(text, str(self._settings.log_key_path))
        if key.verifier.name != self._settings.log_name:
            raise LogKeyUnusable(
                f"{self._where()} holds a key of the log {key.verifier.name}, and this log is"
                f" called {self._settings.log_name}: set STUDLEDGER_LOG_ORIGIN to its name"
            )
        return key

    def at_hand_or_new(self) -> SigningKey:
        """The key at hand; a new one in the file if there is none."""
        return self.at_hand() or self._kept()

    def _first(self, key: SigningKey) -> SigningKey:
        try:
            append_fact(self._store, LogKeyMade(at=datetime.now(UTC), key=str(key.verifier)))
        except StaleStream:
            return self.signer()  # Somebody else was first: then his key must be ours.
        return key

    def _kept(self) -> SigningKey:
        """A new key in the file; that of whoever was first, if somebody was."""
        path = self._settings.log_key_path
        with contextlib.suppress(FileExistsError):
            _write_new(path, new_key(self._settings.log_name).written())
        key = self.at_hand()
        assert key is not None, "it was just written"
        return key

    def _finish_rotation(self) -> None:
        """Put the key in its place that a rotation wrote beside it before it was interrupted."""
        known = self.known()
        if known and (beside := self._beside(known[-1])).exists():
            beside.replace(self._settings.log_key_path)

    def _beside(self, key: VerifierKey) -> Path:
        path = self._settings.log_key_path
        return path.with_name(f"{path.name}.{key.id.hex()}")

    def _where(self) -> str:
        given = self._settings.log_key is not None
        return VARIABLE if given else f"key file {self._settings.log_key_path}"

    def _record(self) -> list[Recorded]:
        """What is on record of keys, in order."""
        return sorted((*self._store.load(KEYS), *self._store.load(LOG)), key=lambda r: r.position)


def append_fact(store: EventStore, event: LogFact) -> None:
    """Put a fact on record at the end of its stream. Raises StaleStream if somebody was faster."""
    stream = LOG if isinstance(event, LogEpochOpened) else KEYS
    expected = len(store.load(stream))
    if isinstance(event, LogKeyMade):
        expected = 0  # Only the first is made.
    append = Append(stream=stream, expected=expected, facts=(fact(event),), actor=COMMAND_LINE)
    if store.append([append])[0].status != "ok":
        raise StaleStream("somebody else put something on record about the log: try again")


def _key_of(event: LogFact) -> str:
    return event.new if isinstance(event, LogKeyRotated) else event.key


def _named(key: VerifierKey) -> str:
    return f"{key.name}+{key.id.hex()}"


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else "it is no text"
        raise LogKeyUnusable(f"the key file {path} cannot be read: {why}") from None


def _write_new(path: Path, text: str) -> None:
    """Write a file only its owner can read, whole or not at all; FileExistsError if it is there."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=".key.", dir=path.parent)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.link(scratch, path)
        finally:
            Path(scratch).unlink()
    except FileExistsError:
        raise
    except OSError as refused:
        raise LogKeyUnusable(f"the key file {path} cannot be written: {refused.strerror}") from None
