"""C2SP checkpoints: what a log says of itself at one moment, signed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from services.proof.errors import NotSigned, Unreadable
from services.proof.notes import VerifierKey, from_base64, parse_note, to_base64, verify_note
from services.proof.tree import HASH_BYTES

DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}")
_EPOCH = re.compile(r"(?P<log>.+?)(?:/epoch/(?P<epoch>[1-9][0-9]{0,8}))?")


class Checkpoint(NamedTuple):
    """A tree: which log, how many leaves, and the root over them."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"

    @property
    def log(self) -> str:
        """The log's name: what its keys are called by."""
        return _parts(self.origin)["log"]

    @property
    def epoch(self) -> int:
        """Which of the log's trees this is of: 1 unless the origin says otherwise."""
        return int(_parts(self.origin)["epoch"] or 1)


def origin_of(log: str, epoch: int) -> str:
    """The origin line of a log in an epoch: each epoch is a log of its own to whoever watches."""
    return log if epoch == 1 else f"{log}/epoch/{epoch}"


def parse_checkpoint(note: str) -> Checkpoint:
    """What a checkpoint says, its signature not verified. Raises Unreadable."""
    return _read(parse_note(note).text)


def verify_checkpoint(note: str, keys: Iterable[VerifierKey]) -> Checkpoint:
    """What a checkpoint says, once one of `keys` is seen to have signed it.

    Raises Unreadable, NotSigned or WrongSignature. A key speaks for the log it is named after.
    """
    text, signer = verify_note(note, keys)
    found = _read(text)
    if found.log != signer.name:
        raise NotSigned(f"the key of {signer.name} does not speak for the log {found.log}")
    return found


def _read(text: str) -> Checkpoint:
    origin, *rest = text.removesuffix("\n").split("\n")
    if not origin or len(rest) < 2 or not all(rest):
        raise Unreadable("this is no checkpoint: it has not the lines origin, size and root")
    if not DECIMAL.fullmatch(rest[0]):
        raise Unreadable("the size of the tree is no decimal number")
    size, root = int(rest[0]), from_base64(rest[1], "the root")
    if size == 0:
        raise Unreadable("a checkpoint of an empty tree says nothing and is not taken")
    if len(root) != HASH_BYTES:
        raise Unreadable(f"the root is not {HASH_BYTES} bytes long")
    return Checkpoint(origin, size, root)


def _parts(origin: str) -> re.Match[str]:
    found = _EPOCH.fullmatch(origin)
    assert found is not None, "every origin is one"
    return found
