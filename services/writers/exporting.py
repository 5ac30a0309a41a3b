"""Exporting: hand after hand from the log into a file, what cannot be said named and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal
from uuid import UUID

import msgspec

from domain.events import HandEvent, HandStarted, decode
from services.access import Sighting, record_sightings
from services.replaying import PUBLIC, BadView, View
from services.store.port import Recorded
from services.store.room import Room
from services.writers.hand import CannotSay, SeenHand, seen_hand
from services.writers.jsonl import lines_of
from services.writers.phh import phh_of

BATCH_HANDS = 200
MOST_LISTED = 10_000

Form = Literal["jsonl", "phh", "phhs"]
"""`phhs` numbers its hands, `phh` is one hand alone."""

Write = Callable[[bytes], object]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that was left out, and why."""

    hand: UUID
    number: str
    reason: str


class Exported(msgspec.Struct, kw_only=True):
    """What an export came to; `refused` lists the first `MOST_LISTED` of `left_out`."""

    hands: int = 0
    left_out: int = 0
    refused: list[Refused] = []

    def refuse(self, hand: UUID, number: str, reason: str) -> None:
        """One more hand that is not in the file."""
        self.left_out += 1
        if len(self.refused) < MOST_LISTED:
            self.refused.append(Refused(hand=hand, number=number, reason=reason))


def export_hands(
    room: Room,
    hands: Iterable[UUID],
    write: Write,
    *,
    form: Form,
    view: View = PUBLIC,
    why: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exported:
    """Write hands as this view may see them; a hand that cannot be written is left out.

    What the view shows beyond the public is put on record first. Raises `PurposeMissing`.
    """
    result = Exported()
    for batch in batches(hands):
        seen = list(_seen(room, batch, view, result))
        if view != PUBLIC:
            _put_on_record(room, seen, why)
        for hand in seen:
            _export(hand, form, write, result)
        if progress is not None:
            progress(result.hands)
    return result


def batches(hands: Iterable[UUID]) -> Iterator[tuple[UUID, ...]]:
    """The hands, so many at a time as are loaded together."""
    ids = iter(hands)
    while batch := tuple(islice(ids, BATCH_HANDS)):
        yield batch


def _seen(room: Room, batch: Sequence[UUID], view: View, result: Exported) -> Iterator[SeenHand]:
    """The hands of a batch that this view can be taken of."""
    loaded = room.store.load_many(batch)
    files = {hand: _events(loaded[hand]) for hand in batch}
    names = _names(room, files)
    for hand, events in files.items():
        try:
            yield seen_hand(hand, events, names, view)
        except BadView as wrong:
            result.refuse(hand, _start(events).number, str(wrong))


def _events(facts: Sequence[Recorded]) -> tuple[HandEvent, ...]:
    return tuple(decode(fact.state) for fact in facts)


def _names(room: Room, files: Mapping[UUID, Sequence[HandEvent]]) -> dict[str, str]:
    players = {taken.player for events in files.values() for taken in _start(events).seats}
    return room.players.names(players)


def _start(events: Sequence[HandEvent]) -> HandStarted:
    assert isinstance(events[0], HandStarted), "every hand begins with its start"
    return events[0]


def _put_on_record(room: Room, seen: Iterable[SeenHand], why: str | None) -> None:
    sightings = (Sighting(hand=one.hand, view=str(one.view), purpose=why or "") for one in seen)
    record_sightings(room.store, sightings)


def _export(hand: SeenHand, form: Form, write: Write, result: Exported) -> None:
    try:
        pieces = _pieces(hand, form, place=result.hands + 1)
    except CannotSay as wrong:
        result.refuse(hand.hand, hand.started.number, str(wrong))
        return
    for piece in pieces:
        write(piece)
    result.hands += 1


def _pieces(hand: SeenHand, form: Form, place: int) -> Iterable[bytes]:
    if form == "jsonl":
        return lines_of(hand)
    head = f"[{place}]\n" if form == "phhs" else ""
    return ((head + phh_of(hand) + ("\n" if head else "")).encode(),)
