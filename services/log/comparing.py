"""Comparing the events that are stored with those that were sealed, signed and published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from services.log.checkpoints import Checkpoints
from services.log.errors import Contradiction
from services.log.leaf import UnfitForLeaf, leaf_hash, public_form
from services.log.sealing import sealer_of
from services.log.secrets import SecretsOf, needs_secret, secrets_of
from services.proof.checkpoint import Checkpoint, verify_checkpoint
from services.proof.errors import ProofError
from services.proof.tree import RightEdge
from services.store.port import Recorded, pages
from services.store.room import Room

PAGE = 5_000
MOST_NAMED = 100
LEAVES = """
select leaf, position, hash from log_leaves
 where epoch = %s and leaf >= %s order by leaf limit %s
"""


class NotAsSealed(NamedTuple):
    """Something stored that is not what was sealed: of a stream, or of the whole log if None."""

    stream: UUID | None
    text: str


class _Leaf(NamedTuple):
    number: int
    position: int
    hashed: bytes


class Compared:
    """Goes through the sealed log once. What differs is in `differences`, the first one first.

    Every leaf is made again from the event that is stored, and the tree grown from these leaves
    is compared with each checkpoint that was signed last or published, at its size: a tree that
    was rewritten together with the events agrees with itself, but not with them.
    """

    def __init__(self, room: Room) -> None:
        self._room, self._secrets = room, secrets_of(room.settings)
        self._epoch = sealer_of(room).epoch()
        self.differences: list[NotAsSealed] = []
        self.leaves = 0
        self.checkpoint: Checkpoint | None = None
        self._opening = 0

    def run(self) -> None:
        """Compare. Where nothing was sealed there is nothing to compare."""
        awaited = self._checkpoints()
        edge, after = RightEdge(), 0
        while leaves := self._page(edge.size):
            facts = self._facts(leaves, after)
            hashes = self._rehash(leaves, facts)
            after = max((leaf.position for leaf in leaves if not self._opens(leaf)), default=after)
            for checkpoint in awaited:
                at = checkpoint.size - edge.size
                if 0 < at <= len(hashes):
                    _grow(edge, hashes[:at])
                    hashes = hashes[at:]
                    self._compare(edge, checkpoint)
            _grow(edge, hashes)
        self.leaves = edge.size
        for checkpoint in awaited:
            if checkpoint.size > edge.size:
                self._differ(
                    None,
                    f"a checkpoint of {checkpoint.size} leaves was signed, and the log has"
                    f" {edge.size}: it was cut off, or an older backup was restored",
                )

    def _checkpoints(self) -> list[Checkpoint]:
        """The last one that was signed and the newest published, of this epoch, the smaller first.

        A published one must be signed by a key of the log.
        """
        checkpoints = Checkpoints(self._room)
        signed = checkpoints.all()[-1:]
        found = {one.checkpoint for one in signed if one.epoch == self._epoch}
        try:
            published = checkpoints.folder.newest()
            if published is not None:
                # Where even the record of keys is gone, what it says still shows what is missing.
                known = checkpoints.keys.known()
                told = published.checkpoint
                found.add(verify_checkpoint(published.note, known) if known else told)
        except (Contradiction, ProofError) as wrong:
            self._differ(None, f"the published checkpoint: {wrong}")
        for one in found:
            if one.epoch > self._epoch:
                self._differ(
                    None,
                    f"a checkpoint of epoch {one.epoch} was published, and the log"
                    f" is in epoch {self._epoch}: an older backup was restored",
                )
        return sorted((one for one in found if one.epoch == self._epoch), key=lambda one: one.size)

    def _page(self, first: int) -> list[_Leaf]:
        with self._room.connect() as connection:
            rows = connection.execute(LEAVES.encode(), (self._epoch, first, PAGE)).fetchall()
        leaves = [_Leaf(int(row[0]), int(row[1]), bytes(row[2])) for row in rows]
        for number, leaf in enumerate(leaves, first):
            if leaf.number != number:
                self._differ(None, f"leaf {number} of the log is not in the database any more")
                return leaves[: number - first]
        return leaves

    def _opens(self, leaf: _Leaf) -> bool:
        """What opened a later epoch stands before all others, wherever its event does."""
        return leaf.number == 0 and self._epoch > 1

    def _facts(self, leaves: Sequence[_Leaf], after: int) -> dict[int, Recorded]:
        """The events of these leaves by their positions; any between them was never sealed."""
        store, sealed = self._room.store, {leaf.position for leaf in leaves}
        found: dict[int, Recorded] = {}
        if self._opens(leaves[0]):
            self._opening = leaves[0].position
            opening = store.page(self._opening - 1, 1)
            found = {fact.position: fact for fact in opening if fact.position == self._opening}
        last = max((leaf.position for leaf in leaves if not self._opens(leaf)), default=0)
        for page in pages(store, after, PAGE):
            for fact in page:
                if fact.position > last:
                    return found
                if fact.position in sealed:
                    found[fact.position] = fact
                elif fact.position != self._opening:
                    self._never_sealed(fact)
        return found

    def _never_sealed(self, fact: Recorded) -> None:
        self._differ(
            fact.stream,
            f"event {fact.n} ({fact.type}) was never sealed, and events after it were: somebody"
            " put it into the database",
        )

    def _rehash(self, leaves: Sequence[_Leaf], facts: Mapping[int, Recorded]) -> list[bytes]:
        with self._room.connect() as connection:
            secrets = self._secrets(connection, list(facts.values()))
        return [self._rehashed(leaf, facts.get(leaf.position), secrets) for leaf in leaves]

    def _rehashed(self, leaf: _Leaf, fact: Recorded | None, secrets: SecretsOf) -> bytes:
        """The hash of the event that is stored; the sealed one where it cannot be made."""
        if fact is None:
            self._differ(None, f"event {leaf.position}, leaf {leaf.number}, was sealed and is gone")
            return leaf.hashed
        secret = secrets.get(fact.stream) if needs_secret(fact) else None
        try:
            hashed = leaf_hash(public_form(self._room.settings.room, fact, secret))
        except UnfitForLeaf:
            return leaf.hashed  # Its secret was erased: only its place can be proven.
        except (msgspec.MsgspecError, KeyError, TypeError, AttributeError):
            hashed = b""
        if hashed != leaf.hashed:
            self._differ(
                fact.stream,
                f"event {fact.n} ({fact.type}, leaf {leaf.number}) is not what was sealed: somebody"
                " changed it in the database",
            )
        return hashed or leaf.hashed

    def _compare(self, edge: RightEdge, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        if edge.root() != checkpoint.root:
            self._differ(
                None,
                f"the first {checkpoint.size} events are not those of the checkpoint that was"
                " signed or published over as many leaves: they were changed and sealed anew",
            )

    def _differ(self, stream: UUID | None, text: str) -> None:
        if len(self.differences) < MOST_NAMED:
            self.differences.append(NotAsSealed(stream, text))


def compare_with_sealed(room: Room) -> Compared:
    """Every event of the log against its leaf, the leaves against what was signed and published."""
    compared = Compared(room)
    compared.run()
    return compared


def _grow(edge: RightEdge, hashes: Sequence[bytes]) -> None:
    for _ in edge.grow(hashes):
        pass
