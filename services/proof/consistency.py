"""That one signed tree goes on from another, in one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from services.proof.checkpoint import Checkpoint, verify_checkpoint
from services.proof.errors import NotConsistent, Unreadable
from services.proof.notes import MOST_BYTES, VerifierKey, from_base64
from services.proof.tree import check_consistency

TYPE = "studledger/consistency-proof@v1"
FAMILY = "studledger/consistency-proof@"


class GoesOn(NamedTuple):
    """What a proof was seen to prove: `later` begins with everything `earlier` is over."""

    earlier: Checkpoint
    later: Checkpoint


def verify_consistency(text: str, keys: Iterable[VerifierKey]) -> GoesOn:
    """What a proof proves of the two checkpoints in it, under one of `keys`.

    Raises Unreadable, NotSigned, WrongSignature or NotConsistent.
    """
    told, known = _read(text), tuple(keys)
    earlier = verify_checkpoint(_note(told, "from_checkpoint"), known)
    later = verify_checkpoint(_note(told, "to_checkpoint"), known)
    if told.get("from") != earlier.size or told.get("to") != later.size:
        raise Unreadable("the proof is not about the checkpoints in it: their sizes are others")
    require_consistent(earlier, later, _hashes(told))
    return GoesOn(earlier, later)


def require_consistent(earlier: Checkpoint, later: Checkpoint, hashes: list[bytes]) -> None:
    """Raise NotConsistent unless `hashes` lead from one tree to the other, of one epoch."""
    if earlier.origin != later.origin:
        raise NotConsistent(f"{later.origin} is another log than {earlier.origin}")
    check_consistency(earlier.size, earlier.root, later.size, later.root, hashes)


def _read(text: str) -> dict[str, Any]:
    if len(text) > 2 * MOST_BYTES:
        raise Unreadable("this is no consistency proof: it is too long")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("this is no consistency proof: it is not JSON") from None
    kind = told.get("type") if isinstance(told, dict) else None
    if isinstance(kind, str) and kind.startswith(FAMILY) and kind != TYPE:
        raise Unreadable(f"this proof is of another version than {TYPE}: use a newer program")
    if kind != TYPE:
        raise Unreadable(f"this is no consistency proof: its type is not {TYPE}")
    assert isinstance(told, dict)
    return told


def _note(told: dict[str, Any], field: str) -> str:
    note = told.get(field)
    if not isinstance(note, str):
        raise Unreadable(f"the proof has no {field}: there is no signed checkpoint of that size")
    return note


def _hashes(told: dict[str, Any]) -> list[bytes]:
    hashes = told.get("hashes")
    if not isinstance(hashes, list) or not all(isinstance(one, str) for one in hashes):
        raise Unreadable("the proof has no list of hashes")
    return [from_base64(one, "a hash of the proof") for one in hashes]
