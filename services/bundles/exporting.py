"""Exporting a bundle: hand after hand from the sealed log into the archive, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from uuid import UUID

import msgspec

from domain.publishing import TAG as SCHEDULE_PUBLISHED
from domain.publishing import schedule_stream
from services.access import COMMAND_LINE, Role, Sighting, record_sightings
from services.bundles import contents as c
from services.bundles.archive import Archive, Write
from services.bundles.hand_lines import HandToTell, hand_to_tell, line_of, lines_of_hand
from services.bundles.named_rules import NamedRules
from services.bundles.sealed_facts import SealedFacts, SealedStream
from services.bundles.sequence import earlier_sizes, next_bundle
from services.bundles.summaries import index_head
from services.dealing import decks_of
from services.errors import ServiceError
from services.log.checkpoints import Checkpoints, Signed
from services.proof.bundle_streams import STARTED
from services.replaying import ALL, PUBLIC, View
from services.store.port import pages
from services.store.room import Room
from services.verifying import all_hands
from services.writers.files import appearing_whole, write_through

BATCH_HANDS = 200
IN_ORDER = """
select originator_id from events where originator_version = 1 and originator_id = any(%s)
 order by notification_id
"""

NAMED = f"""
select distinct convert_from(state, 'utf8')::jsonb #>> '{{rake_schedule,id}}' as schedule
  from events
 where originator_version = 1 and originator_id = any(%s) and topic = '{STARTED}'
   and convert_from(state, 'utf8')::jsonb #>> '{{rake_schedule,id}}' is not null
"""
FOR_EVERYBODY = {STARTED, SCHEDULE_PUBLISHED}


class Onlooker(msgspec.Struct, frozen=True, kw_only=True):
    """Who a bundle is made for, as the record of seen cards names him."""

    actor: str = COMMAND_LINE
    key: str | None = None
    role: Role | None = None


Progress = Callable[[int], None]
"""Called after every batch with the number of hands written so far."""


class NoHands(ServiceError):
    """There is nothing to export."""


class _Tally(msgspec.Struct):
    """What has been written so far, and what the hands were played under."""

    hands: int = 0
    live: int = 0
    events: int = 0
    named: NamedRules = msgspec.field(default_factory=NamedRules)


def export_bundle(
    room: Room,
    target: Path,
    *,
    view: View,
    why: str | None = None,
    hands: Iterable[UUID] | None = None,
    since: Sequence[int] = (),
    progress: Progress | None = None,
    onlooker: Onlooker | None = None,
) -> c.Manifest:
    """Write these hands, or all of the log, as one archive; the file appears when it is whole.

    The log is sealed and signed before, and the bundle is what that checkpoint is over. Where the
    view shows hidden cards, that `onlooker` sees them is on record before, hand by hand. `since`
    are sizes of earlier trees somebody has checkpoints of. Raises `BadView` for a view that
    cannot be taken of one of the `hands` named; of all, such a hand is told as everybody saw it:
    one that was still being played, or had nobody at that seat. Raises `NoHands`, `Altered` where
    a fact is not what was sealed, and what `Checkpoints.sign` raises.
    """
    chosen = None if hands is None else _with_schedules(room, hands)
    if not chosen and next(all_hands(room.store), None) is None:
        raise NoHands(f"room {room.settings.room} has no hand to export")
    signed = Checkpoints(room).sign()
    export = _Export(room, signed, view, why, onlooker or Onlooker(), whole=chosen is None)
    with appearing_whole(target) as out, closing(Archive(out)) as archive:
        streams = export.all_streams() if chosen is None else iter(chosen)
        tally = export.write(archive, streams, since, progress)
        if tally.hands == 0:
            raise NoHands(f"room {room.settings.room} has no hand to export")
        with next_bundle(room) as place:
            manifest = export.manifest(archive, tally, place.sequence)
            content = _pretty(manifest)
            archive.put(c.MANIFEST, content)
            archive.close()
            write_through(out)  # A number that is on record has its bundle on the disk.
            place.keep(content, signed)
    return manifest


class _Export:
    """One bundle being made, under one checkpoint."""

    def __init__(
        self,
        room: Room,
        signed: Signed,
        view: View,
        why: str | None,
        onlooker: Onlooker,
        *,
        whole: bool,
    ) -> None:
        self._room, self._signed, self._view, self._why = room, signed, view, why
        self._onlooker, self._whole = onlooker, whole
        self._facts = SealedFacts(room, signed, whole=whole)
        self._decks = decks_of(room)

    def all_streams(self) -> Iterator[UUID]:
        """Hands and schedules in the order they began; who may see all gets all other streams."""
        for page in pages(self._room.store):
            for fact in page:
                if fact.n == 1 and (self._view == ALL or fact.type in FOR_EVERYBODY):
                    yield fact.stream

    def write(
        self,
        archive: Archive,
        streams: Iterator[UUID],
        since: Sequence[int],
        progress: Progress | None,
    ) -> _Tally:
        """All files but the manifest."""
        tally = _Tally()
        archive.put(c.CHECKPOINT, self._signed.note.encode())
        with archive.later(c.DISCLOSURES, c.VERDICTS, c.INDEX) as beside:
            beside[2](self._index_head())
            with archive.file(c.EVENTS) as write:
                while batch := tuple(islice(streams, BATCH_HANDS)):
                    for streams_at_once in self._facts.of(batch):
                        self._write_streams(streams_at_once, write, beside, tally)
                    if progress is not None:
                        progress(tally.hands)
        self._write_tree(archive, since)
        archive.put(c.SCHEDULES, _pretty(tally.named.schedules))
        archive.put(c.HOUSE_RULES, _pretty(tally.named.house_rules))
        archive.put(c.README, c.ABOUT.encode())
        return tally

    def manifest(self, archive: Archive, tally: _Tally, sequence: c.InSequence) -> c.Manifest:
        """What the archive holds, as the bundle of that number."""
        return c.Manifest(
            format=c.FORMAT,
            version=c.VERSION,
            room=self._room.settings.room,
            view=str(self._view),
            why=self._why,
            whole=self._whole,
            leaves=self._signed.size,
            hands=tally.hands,
            live=tally.live,
            events=tally.events,
            files=tuple(archive.digests),
            sequence=sequence,
        )

    def _write_streams(
        self,
        streams: Sequence[SealedStream],
        write: Write,
        beside: Sequence[Write],
        tally: _Tally,
    ) -> None:
        to_tell = [self._to_tell(one) for one in streams]
        self._record_sightings([one for one in to_tell if isinstance(one, HandToTell)])
        for one in to_tell:
            if isinstance(one, HandToTell):
                self._write_hand(one, write, beside, tally)
                continue
            tally.events += len(one.facts)
            for fact in one.facts:
                write(line_of(fact))

    def _to_tell(self, stream: SealedStream) -> HandToTell | SealedStream:
        if stream.facts[0].fact.type != STARTED:
            return stream
        return hand_to_tell(stream, self._view, among_all=self._whole)

    def _write_hand(
        self, told: HandToTell, write: Write, beside: Sequence[Write], tally: _Tally
    ) -> None:
        hand = lines_of_hand(told, self._decks)
        tally.hands += 1
        tally.live += hand.live
        tally.events += len(told.events)
        tally.named.remember(hand.started)
        write(b"".join(hand.events))
        parts = (b"".join(hand.disclosures), hand.verdict, hand.listed)
        for write_beside, part in zip(beside, parts, strict=True):
            write_beside(part)

    def _record_sightings(self, hands: Sequence[HandToTell]) -> None:
        """That hidden cards are about to be seen is on record before."""
        seen = [told.stream.stream for told in hands if told.view != PUBLIC]
        if not seen:
            return
        who = msgspec.structs.asdict(self._onlooker)
        what = {"view": str(self._view), "purpose": self._why or "", **who}
        record_sightings(self._room.store, [Sighting(hand=hand, **what) for hand in seen])

    def _write_tree(self, archive: Archive, since: Sequence[int]) -> None:
        """All leaves, or proofs that the log goes on from earlier checkpoints."""
        if self._whole:
            with archive.file(c.LEAVES, packed=False) as write:
                for hashes in self._facts.hashes():
                    write(hashes)
            archive.put(c.CONSISTENCY, b"")
            return
        with self._room.connect() as connection:
            sizes = earlier_sizes(connection, self._signed)
        sizes = sorted({*sizes, *(size for size in since if 0 < size < self._signed.size)})
        lines = [msgspec.json.encode(one, order="sorted") for one in self._facts.growth(sizes)]
        archive.put(c.CONSISTENCY, b"".join(line + b"\n" for line in lines))

    def _index_head(self) -> bytes:
        tree = self._signed.checkpoint
        return index_head(self._room.settings.room, str(self._view), tree.origin, tree.size)


def _with_schedules(room: Room, hands: Iterable[UUID]) -> list[UUID]:
    """The hands and the schedules they name, in the order they began, each once."""
    wanted = list(set(hands))
    with room.connect() as connection:
        named = connection.execute(NAMED.encode(), (wanted,)).fetchall()
        streams = [*wanted, *(schedule_stream(row[0]) for row in named)]
        return [row[0] for row in connection.execute(IN_ORDER.encode(), (streams,))]


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
