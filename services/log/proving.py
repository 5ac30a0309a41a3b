"""Proofs: that an event is in a signed tree, and that one tree goes on from another."""

from __future__ import annotations

import contextlib

import msgspec

from services.log.checkpoints import Checkpoints, Signed
from services.log.errors import Altered, NoCheckpoint, NotSealed
from services.log.leaf import UnfitForLeaf, leaf_hash, public_form
from services.log.nodes import hashes_of, leaf_at, root_at, size_of
from services.log.paths import consistency_path, inclusion_path
from services.log.sealing import LogSealer, sealer_of
from services.log.secrets import secrets_of
from services.proof.consistency import TYPE
from services.proof.notes import to_base64
from services.proof.tlog_proof import TlogProof
from services.store.port import Recorded
from services.store.room import Room


class Consistency(
    msgspec.Struct, frozen=True, kw_only=True, rename={"from_size": "from", "to_size": "to"}
):
    """That the tree of `to` leaves goes on from that of `from` leaves.

    Hashes and roots are base64. The checkpoints are those that were signed over just so many
    leaves, null where none was; `proof verify` needs both.
    """

    type: str
    origin: str
    from_size: int
    to_size: int
    from_root: str
    to_root: str
    hashes: tuple[str, ...]
    from_checkpoint: str | None
    to_checkpoint: str | None


class Prover:
    """Makes proofs from the stored tree; each costs as many reads as the tree is high."""

    def __init__(self, room: Room, sealer: LogSealer | None = None) -> None:
        self._room = room
        self._sealer = sealer or sealer_of(room)
        self._checkpoints = Checkpoints(room, self._sealer)
        self._secrets = secrets_of(room.settings)

    def inclusion(self, position: int) -> TlogProof:
        """That the event at a position is in the newest signed tree; the event comes with it.

        Raises NotSealed, NoCheckpoint where the event was sealed after the last checkpoint, and
        Altered where the stored event is not the one that was sealed.
        """
        epoch = self._sealer.epoch()
        with self._room.connect() as connection:
            sealed = leaf_at(connection, epoch, position)
        if sealed is None:
            raise NotSealed(f"there is no event {position} in the log, or it is not sealed yet")
        leaf, hashed = sealed
        checkpoint = self._checkpoints.covering(epoch, leaf)
        with self._room.connect() as connection:
            hashes = hashes_of(connection, epoch, inclusion_path(leaf, checkpoint.size))
        return TlogProof(leaf, hashes, checkpoint.note, self._entry(position, hashed))

    def consistency(self, size: int, later: int) -> Consistency:
        """That the tree of `later` leaves goes on from that of `size` leaves. Raises NotSealed."""
        epoch = self._sealer.epoch()
        with self._room.connect() as connection:
            sealed = size_of(connection, epoch)
            if not 0 < size <= later <= sealed:
                raise NotSealed(
                    f"trees have 1 to {sealed} leaves by now, and the later one has not fewer"
                )
            hashes = hashes_of(connection, epoch, consistency_path(size, later))
            roots = [root_at(connection, epoch, leaves) for leaves in (size, later)]
        first, second = (self._signed(epoch, leaves) for leaves in (size, later))
        return Consistency(
            type=TYPE,
            origin=self._checkpoints.origin(epoch),
            from_size=size,
            to_size=later,
            from_root=to_base64(roots[0]),
            to_root=to_base64(roots[1]),
            hashes=tuple(map(to_base64, hashes)),
            from_checkpoint=first.note if first else None,
            to_checkpoint=second.note if second else None,
        )

    def _entry(self, position: int, hashed: bytes) -> bytes | None:
        """The public form that was sealed; None if it cannot be made any more."""
        facts = self._room.store.page(position - 1, 1)
        if not facts or facts[0].position != position:
            raise Altered(f"event {position} was sealed and is not in the database any more")
        try:
            entry = self._form(facts[0])
        except UnfitForLeaf:
            return None
        if leaf_hash(entry) != hashed:
            raise Altered(f"event {position} is not what was sealed: somebody changed it since")
        return entry

    def _form(self, fact: Recorded) -> bytes:
        with self._room.connect() as connection:
            secret = self._secrets(connection, [fact]).get(fact.stream)
        return public_form(self._room.settings.room, fact, secret)

    def _signed(self, epoch: int, size: int) -> Signed | None:
        with contextlib.suppress(NoCheckpoint):
            found = self._checkpoints.of_size(size)
            return found if found.epoch == epoch else None
        return None
