"""The folder checkpoints are published in: files are added, and never changed.

Its place is the operator's to choose: mounted from elsewhere, mailed, or kept by a witness. What
is only on the machine of the database can be rewritten together with it.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from services.log.errors import Contradiction
from services.proof.checkpoint import Checkpoint, parse_checkpoint
from services.proof.errors import Unreadable

NAME = re.compile(r"(?P<room>\w+)\.epoch(?P<epoch>\d+)\.(?P<size>\d{12,})\.checkpoint")


class Published(NamedTuple):
    """A checkpoint in the folder, as it was signed, and what it says."""

    path: Path
    note: str
    checkpoint: Checkpoint


class CheckpointFolder:
    """The published checkpoints of one room; the folder may hold those of others too."""

    def __init__(self, path: Path, room: str) -> None:
        self.path = path
        self._room = room

    def newest(self) -> Published | None:
        """The checkpoint of the last epoch with the most leaves; None if there is none.

        Raises Contradiction if the file of this name is not that checkpoint.
        """
        numbers = {self._numbers(path): path for path in self._files()}
        if not numbers:
            return None
        (epoch, size), path = max(numbers.items())
        published = read_published(path)
        told = published.checkpoint
        if (told.epoch, told.size) != (epoch, size):
            raise Contradiction(
                f"{path} holds a checkpoint of {told.size} leaves in epoch {told.epoch}: somebody"
                " changed the folder. Restore it from where it was sent"
            )
        return published

    def publish(self, checkpoint: Checkpoint, note: str) -> bool:
        """Add a checkpoint; whether it was not there yet. Raises Contradiction if another is."""
        path = self.path / self.name_of(checkpoint)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            return _add(path, note)
        except OSError as refused:
            raise Contradiction(
                f"{path} cannot be written: {refused.strerror}. The checkpoint is signed and kept;"
                " `studledger checkpoint publish` publishes what is missing"
            ) from None

    def name_of(self, checkpoint: Checkpoint) -> str:
        """What the file of a checkpoint is called."""
        return f"{self._room}.epoch{checkpoint.epoch}.{checkpoint.size:012}.checkpoint"

    def has(self, checkpoint: Checkpoint) -> bool:
        """Whether the file of a checkpoint is there; what is in it is not looked at."""
        return (self.path / self.name_of(checkpoint)).is_file()

    def _files(self) -> Iterator[Path]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for path in self.path.iterdir():
                found = NAME.fullmatch(path.name)
                if found and found["room"] == self._room:
                    yield path

    def _numbers(self, path: Path) -> tuple[int, int]:
        found = NAME.fullmatch(path.name)
        assert found is not None
        return int(found["epoch"]), int(found["size"])


def read_published(path: Path) -> Published:
    """A published checkpoint. Raises Contradiction if it cannot be read: then nothing is known."""
    try:
        note = path.read_text("utf-8")
        return Published(path, note, parse_checkpoint(note))
    except (OSError, UnicodeDecodeError, Unreadable) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else wrong
        raise Contradiction(f"{path} cannot be read as a checkpoint: {why}") from None


def _add(path: Path, note: str) -> bool:
    """Put a file there whole, unless one is; one with other content raises Contradiction."""
    handle, scratch = tempfile.mkstemp(prefix=".checkpoint.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(0o444)
        try:
            os.link(scratch, path)
        except FileExistsError:
            return _same(path, note)
    finally:
        Path(scratch).unlink()
    return True


def _same(path: Path, note: str) -> bool:
    if read_published(path).checkpoint != parse_checkpoint(note):
        raise Contradiction(f"{path} holds another checkpoint than the one that was signed")
    return False
