"""The facts of the log as they were sealed: each with its leaf, its public form and its proof."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from services.bundles import contents as c
from services.log.checkpoints import Signed
from services.log.errors import Altered
from services.log.leaf import UnfitForLeaf, leaf_hash, public_form
from services.log.nodes import POSITION, hashes_of
from services.log.paths import Span, consistency_path, inclusion_path
from services.log.secrets import SecretsOf, needs_secret, secrets_of
from services.proof.bundle_streams import STARTED
from services.proof.notes import to_base64
from services.store.port import Recorded
from services.store.room import Room

LOAD = 5_000
"""Events held at once: some seventy hands, or a part of a stream that goes on for years."""

LENGTHS = """
select originator_id, max(originator_version) from events
 where originator_id = any(%s) group by originator_id
"""
LEAVES = """
select position, leaf, hash from log_leaves
 where epoch = %s and leaf < %s and position = any(%s)
"""
HASHES = """
select hash from log_leaves
 where epoch = %s and leaf >= %s and leaf < %s order by leaf limit 20000
"""


class SealedFact(NamedTuple):
    """A fact and its leaf; `form` is null where the secret it needs is gone."""

    fact: Recorded
    leaf: int
    hashed: bytes
    form: bytes | None
    proof: tuple[str, ...] | None


class SealedStream(NamedTuple):
    """The facts of one stream that a checkpoint is over, and the hand's secret, if it is one.

    A hand is whole; of a longer stream these are the next facts.
    """

    stream: UUID
    facts: tuple[SealedFact, ...]
    secret: bytes | None


class SealedFacts:
    """Reads what is under one checkpoint. `whole` makes no proofs: all leaves come beside."""

    def __init__(self, room: Room, signed: Signed, *, whole: bool) -> None:
        self._room, self._signed, self._whole = room, signed, whole
        self._secrets = secrets_of(room.settings)
        with room.connect() as connection:
            row = connection.execute(POSITION, (signed.epoch, signed.size - 1)).fetchone()
        self._last = 0 if row is None else int(row[0])

    def of(self, streams: Collection[UUID]) -> Iterator[list[SealedStream]]:
        """These streams in their order, as far as the checkpoint goes; empty ones are left out.

        As many at once as have `LOAD` events together. Raises Altered where a stored fact is not
        what was sealed, and WrongKey.
        """
        for facts in self._loads(streams):
            if due := [fact for fact in facts if fact.position <= self._last]:
                yield list(self._sealed_streams(due))

    def _loads(self, streams: Collection[UUID]) -> Iterator[list[Recorded]]:
        """The facts of these streams, about so many at a time; a hand is never parted."""
        store = self._room.store
        with self._room.connect() as connection:
            lengths = dict(connection.execute(LENGTHS, (list(streams),)).fetchall())
        for together in _together(streams, lengths):
            if sum(lengths[stream] for stream in together) > LOAD:
                yield from self._parts(*together)
            else:
                loaded = store.load_many(together)
                yield [fact for stream in together for fact in loaded.get(stream, ())]

    def _parts(self, stream: UUID) -> Iterator[list[Recorded]]:
        """A stream too long to be held: part by part, unless it is a hand."""
        store, n = self._room.store, 0
        while part := store.load_part(stream, n, LOAD):
            if part[0].type == STARTED:
                yield list(store.load(stream))
                return
            yield list(part)
            n = part[-1].n

    def _sealed_streams(self, facts: Sequence[Recorded]) -> Iterator[SealedStream]:
        with self._room.connect() as connection:
            sealed = self._sealed(connection, facts)
            secrets = self._secrets(connection, facts)
        by_stream: dict[UUID, list[SealedFact]] = {}
        for one in self._with_forms(facts, sealed, secrets):
            by_stream.setdefault(one.fact.stream, []).append(one)
        for stream, ones in by_stream.items():
            yield SealedStream(stream, tuple(ones), secrets.get(stream))

    def hashes(self) -> Iterator[bytes]:
        """The hash of every leaf in order, many in one piece."""
        epoch, size = self._signed.epoch, self._signed.size
        first = 0
        while first < size:
            with self._room.connect() as connection:
                rows = connection.execute(HASHES.encode(), (epoch, first, size)).fetchall()
            if not rows:
                raise Altered(f"leaf {first} of the log is not in the database any more")
            first += len(rows)
            yield b"".join(bytes(row[0]) for row in rows)

    def growth(self, sizes: Sequence[int]) -> Iterator[c.Growth]:
        """That the tree goes on from each of these sizes."""
        paths = [consistency_path(size, self._signed.size) for size in sizes]
        with self._room.connect() as connection:
            found = self._hashes_over(connection, [span for path in paths for span in path])
        for size, path in zip(sizes, paths, strict=True):
            yield c.Growth(size=size, hashes=tuple(found[span] for span in path))

    def _sealed(
        self, connection: Connection, facts: Sequence[Recorded]
    ) -> dict[int, tuple[int, bytes, tuple[str, ...] | None]]:
        """Leaf, hash and proof of each fact, by its position."""
        positions = [fact.position for fact in facts]
        epoch, size = self._signed.epoch, self._signed.size
        rows = connection.execute(LEAVES.encode(), (epoch, size, positions)).fetchall()
        leaves = {int(row[0]): (int(row[1]), bytes(row[2])) for row in rows}
        if self._whole:
            return {at: (leaf, hashed, None) for at, (leaf, hashed) in leaves.items()}
        paths = {at: inclusion_path(leaf, size) for at, (leaf, _) in leaves.items()}
        over = self._hashes_over(connection, [span for path in paths.values() for span in path])
        return {at: (*leaves[at], tuple(over[span] for span in path)) for at, path in paths.items()}

    def _hashes_over(self, connection: Connection, spans: Sequence[Span]) -> dict[Span, str]:
        each = list(dict.fromkeys(spans))
        if not each:
            return {}
        hashes = hashes_of(connection, self._signed.epoch, each)
        return dict(zip(each, map(to_base64, hashes), strict=True))

    def _with_forms(
        self,
        facts: Sequence[Recorded],
        sealed: dict[int, tuple[int, bytes, tuple[str, ...] | None]],
        secrets: SecretsOf,
    ) -> Iterator[SealedFact]:
        for fact in facts:
            if fact.position not in sealed:
                raise Altered(f"event {fact.position} was never sealed, and those after it were")
            leaf, hashed, proof = sealed[fact.position]
            form = self._form(fact, secrets)
            if form is not None and leaf_hash(form) != hashed:
                raise Altered(f"event {fact.position} is not what was sealed: somebody changed it")
            yield SealedFact(fact, leaf, hashed, form, proof)

    def _form(self, fact: Recorded, secrets: SecretsOf) -> bytes | None:
        secret = secrets.get(fact.stream) if needs_secret(fact) else None
        try:
            return public_form(self._room.settings.room, fact, secret)
        except UnfitForLeaf:
            return None


def _together(streams: Collection[UUID], lengths: Mapping[UUID, int]) -> Iterator[list[UUID]]:
    """Those of the streams that exist, as many at a time as may be held; one of them at least."""
    chosen, held = list[UUID](), 0
    for stream in streams:
        length = lengths.get(stream, 0)
        if chosen and held + length > LOAD:
            yield chosen
            chosen, held = [], 0
        if length:
            chosen.append(stream)
            held += length
    if chosen:
        yield chosen
