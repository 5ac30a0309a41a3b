"""An example of a proof that the log only grew, made of the smallest trees that show one."""

from __future__ import annotations

from services.log.proving import Consistency
from services.log.signing import SigningKey, signed
from services.proof.checkpoint import Checkpoint
from services.proof.consistency import TYPE
from services.proof.notes import to_base64
from services.proof.tree import leaf_hash, root_of

ORIGIN = "studledger/main"


def consistency() -> Consistency:
    """That a tree of two leaves goes on from one of one, signed with a key everybody knows."""
    leaves = [leaf_hash(b"first"), leaf_hash(b"second")]
    roots = [root_of(leaves[:1]), root_of(leaves)]
    key = SigningKey(ORIGIN, bytes(32))
    notes = [
        signed(str(Checkpoint(ORIGIN, size, root)), [key]) for size, root in enumerate(roots, 1)
    ]
    return Consistency(
        type=TYPE,
        origin=ORIGIN,
        from_size=1,
        to_size=2,
        from_root=to_base64(roots[0]),
        to_root=to_base64(roots[1]),
        hashes=(to_base64(leaves[1]),),
        from_checkpoint=notes[0],
        to_checkpoint=notes[1],
    )
