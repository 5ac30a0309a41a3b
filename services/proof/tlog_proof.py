"""`c2sp.org/tlog-proof@v1`: that one leaf is in a signed tree, in one file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from services.proof.checkpoint import DECIMAL, Checkpoint, verify_checkpoint
from services.proof.errors import Unreadable
from services.proof.notes import MOST_BYTES, VerifierKey, from_base64, to_base64
from services.proof.tree import HASH_BYTES, check_inclusion, leaf_hash

FIRST_LINE = "c2sp.org/tlog-proof@v1"
FAMILY = "c2sp.org/tlog-proof@"
MOST_HASHES = 63


class TlogProof(NamedTuple):
    """A proof as it is written. `extra` is the entry the leaf was made of; it proves itself."""

    leaf: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """The text of the file."""
        extra = [] if self.extra is None else [f"extra {to_base64(self.extra)}"]
        lines = [FIRST_LINE, *extra, f"index {self.leaf}", *map(to_base64, self.hashes), ""]
        return "\n".join(lines) + "\n" + self.checkpoint


class Included(NamedTuple):
    """What a proof was seen to prove: this entry is `leaf` of the signed tree."""

    entry: bytes
    leaf: int
    checkpoint: Checkpoint


def parse_proof(text: str) -> TlogProof:
    """A proof taken apart, nothing of it verified. Raises Unreadable."""
    head, blank, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first.startswith(FAMILY) and first != FIRST_LINE:
        raise Unreadable(f"this proof is of another version than {FIRST_LINE}: use a newer program")
    if first != FIRST_LINE or not blank or len(text) > 2 * MOST_BYTES:
        raise Unreadable(f"this is no proof: it does not begin with {FIRST_LINE}")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = from_base64(lines.pop(0).removeprefix("extra "), "the extra line")
    if not lines or not lines[0].startswith("index "):
        raise Unreadable("the proof has no index line")
    index = lines.pop(0).removeprefix("index ")
    if not DECIMAL.fullmatch(index):
        raise Unreadable("the index is no decimal number")
    if len(lines) > MOST_HASHES:
        raise Unreadable("the proof has more hashes than any tree is high")
    return TlogProof(int(index), tuple(map(_hash, lines)), checkpoint, extra)


def verify_proof(text: str, keys: Iterable[VerifierKey], entry: bytes | None = None) -> Included:
    """What a proof proves of its entry, or of `entry`, under one of `keys`.

    Raises Unreadable, NotSigned, WrongSignature or NotIncluded.
    """
    proof = parse_proof(text)
    tree = verify_checkpoint(proof.checkpoint, keys)
    proven = proof.extra if entry is None else entry
    if proven is None:
        raise Unreadable("the proof does not hold the event it is about: name its file as well")
    check_inclusion(leaf_hash(proven), proof.leaf, tree.size, tree.root, proof.hashes)
    return Included(proven, proof.leaf, tree)


def _hash(line: str) -> bytes:
    value = from_base64(line, "a hash of the proof")
    if len(value) != HASH_BYTES:
        raise Unreadable(f"a hash of the proof is not {HASH_BYTES} bytes long")
    return value
