"""A proof of inclusion checked by the verifier's own code, every step of it told."""

from __future__ import annotations

import msgspec

from services.api.files import OnFile
from services.log.checkpoints import Checkpoints
from services.log.errors import Altered, NoCheckpoint, NotSealed
from services.log.proving import Prover
from services.proof.checkpoint import Checkpoint, verify_checkpoint
from services.proof.errors import ProofError, Tampered
from services.proof.notes import VerifierKey, to_base64, verify_note
from services.proof.tlog_proof import TlogProof, parse_proof, verify_proof
from services.proof.tree import climb, leaf_hash
from services.store.room import Room


class Up(msgspec.Struct, frozen=True):
    """One step up the tree, hashes as base64; `left` where the neighbour is left of the way."""

    left: bool
    beside: str
    hashed: str


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked, in the order of checking, and what it proves.

    `step` of `steps` of the hand is event `position`; `form` is its public form as it is hashed.
    """

    hand: str
    number: str
    step: int
    steps: int
    position: int
    kind: str
    text: str
    checkpoint: Checkpoint
    note: str
    key: str
    leaf: int
    form: str
    leaf_hash: str
    way: tuple[Up, ...]
    root: str


class NotProven(msgspec.Struct, frozen=True):
    """Why nothing is proven; `alarming` where a check was made and failed."""

    words: str
    alarming: bool


def proven(room: Room, file: OnFile, step: int) -> Proven | NotProven:
    """That a step of a hand is in the newest signed tree that has it."""
    position = file.facts[step - 1].position
    try:
        text = str(Prover(room).inclusion(position))
    except (NotSealed, NoCheckpoint):
        words = "No checkpoint has this event yet. It has once the next one is signed"
        return NotProven(words, alarming=False)
    except Altered as altered:
        return NotProven(str(altered), alarming=True)
    try:
        return _checked(file, step, text, Checkpoints(room).keys.known())
    except ProofError as wrong:
        return NotProven(str(wrong), alarming=isinstance(wrong, Tampered))


def _checked(file: OnFile, step: int, text: str, keys: tuple[VerifierKey, ...]) -> Proven:
    """The proof as whoever gets its file would check it. Raises ProofError."""
    proof = parse_proof(text)
    tree = verify_checkpoint(proof.checkpoint, keys)
    _, signer = verify_note(proof.checkpoint, keys)
    included = verify_proof(text, keys)
    hashed = leaf_hash(included.entry)
    way = climb(hashed, proof.leaf, tree.size, proof.hashes)
    fact = file.facts[step - 1]
    return Proven(
        hand=str(file.hand),
        number=file.started.number,
        step=step,
        steps=len(file.facts),
        position=fact.position,
        kind=fact.type,
        text=text,
        checkpoint=tree,
        note=proof.checkpoint,
        key=str(signer),
        leaf=included.leaf,
        form=_readable(proof),
        leaf_hash=to_base64(hashed),
        way=tuple(Up(up.left, to_base64(up.beside), to_base64(up.hashed)) for up in way),
        root=to_base64(tree.root),
    )


def _readable(proof: TlogProof) -> str:
    """The public form with its fields one below the other, for reading; hashed it is without."""
    return msgspec.json.format(proof.extra or b"", indent=2).decode("utf-8", "replace")
