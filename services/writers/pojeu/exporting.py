"""Exporting hand after hand as POJEU; a hand that cannot be told is named and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from uuid import UUID

from domain.errors import CorruptHistory
from domain.events import decode
from services.access import Sighting, record_sightings
from services.replaying import ALL
from services.store.port import Recorded
from services.store.room import Room
from services.writers.exporting import Exported, batches
from services.writers.hand import CannotSay
from services.writers.pojeu.document import pojeu_of
from services.writers.pojeu.operator import Operator
from services.writers.pojeu.proof import refuse_unsound
from services.writers.pojeu.schema import Schema
from services.writers.pojeu.stored import StoredHand
from services.writers.pojeu.target import Put, opened

Made = tuple[StoredHand, bytes]


def export_pojeu(
    room: Room,
    hands: Iterable[UUID],
    output: Path,
    *,
    operator: Operator,
    why: str | None,
    schema: Schema | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exported:
    """Write one file per hand into a folder or `.zip`, all cards in it.

    That somebody is about to see them is on record before, hand by hand. Raises
    `PurposeMissing`, `CannotWrite`.
    """

    def check(document: bytes) -> None:
        refuse_unsound(document)
        if schema is not None:
            schema.refuse_invalid(document)

    result = Exported()
    with opened(output, check) as put:
        for batch in batches(hands):
            made = list(_made(room, batch, operator, result))
            _put_on_record(room, made, why)
            for stored, document in made:
                _write(stored, document, put, result)
            if progress is not None:
                progress(result.hands)
    return result


def _made(
    room: Room, batch: Sequence[UUID], operator: Operator, result: Exported
) -> Iterator[Made]:
    loaded = room.store.load_many(batch)
    for hand in batch:
        stored = _stored(hand, loaded[hand])
        try:
            yield stored, pojeu_of(stored, operator)
        except CannotSay as wrong:
            result.refuse(hand, stored.started.number, str(wrong))
        except CorruptHistory as wrong:
            result.refuse(hand, stored.started.number, f"its facts contradict each other: {wrong}")


def _stored(hand: UUID, facts: Sequence[Recorded]) -> StoredHand:
    states = [fact.state for fact in facts]
    return StoredHand(
        hand=hand, position=facts[-1].position, events=tuple(map(decode, states)), states=states
    )


def _put_on_record(room: Room, made: Iterable[Made], why: str | None) -> None:
    sightings = [Sighting(hand=one.hand, view=str(ALL), purpose=why or "") for one, _ in made]
    if sightings:
        record_sightings(room.store, sightings)


def _write(stored: StoredHand, document: bytes, put: Put, result: Exported) -> None:
    try:
        put(f"{stored.position:010}-{stored.hand}.xml", document)
    except CannotSay as wrong:
        result.refuse(stored.hand, stored.started.number, str(wrong))
    else:
        result.hands += 1
