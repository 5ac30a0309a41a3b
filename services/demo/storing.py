"""Storing the demonstration's hands: once, however often it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID, uuid5

import msgspec
from msgspec.structs import replace

from domain import events as e
from services.demo.arranged import ARRANGED, arranged_hands
from services.demo.hands import SITE, DealtHand, table_hands
from services.identity import hand_id
from services.store.port import Append, facts
from services.store.room import Room

BATCH_HANDS = 100
ACTOR = "demo"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An arranged hand of the demonstration and what it shows."""

    hand: UUID
    number: str
    title: str


class DemoStored(msgspec.Struct, kw_only=True):
    """What the demonstration put into the log; `new` is 0 when it was shown before."""

    hands: int = 0
    events: int = 0
    new: int = 0
    arranged: list[Shown] = []


def store_demo(room: Room, count: int) -> DemoStored:
    """Deal `count` hands, at least the arranged ones, and append what is not in the log yet."""
    stored = DemoStored()
    tables = table_hands(max(count - len(ARRANGED), 0))
    for batch in _batches(_both(arranged_hands(), tables)):
        appends = [_append(room, hand) for hand in batch]
        for hand, append, answer in zip(batch, appends, room.store.append(appends), strict=True):
            stored.hands += 1
            stored.events += len(hand.events)
            stored.new += answer.status == "ok"
            if hand.title is not None:
                shown = Shown(hand=append.stream, number=hand.number, title=hand.title)
                stored.arranged.append(shown)
    return stored


def _both(first: Iterable[DealtHand], then: Iterable[DealtHand]) -> Iterator[DealtHand]:
    yield from first
    yield from then


def _batches(hands: Iterator[DealtHand]) -> Iterator[list[DealtHand]]:
    while batch := list(islice(hands, BATCH_HANDS)):
        yield batch


def _append(room: Room, hand: DealtHand) -> Append:
    """The hand's events with opaque ids for names; its command id makes a second show harmless."""
    started, *rest = hand.events
    assert isinstance(started, e.HandStarted)
    ids = room.players.resolve(SITE, [taken.player for taken in started.seats])
    seats = tuple(replace(taken, player=ids[taken.player]) for taken in started.seats)
    stream = hand_id(started, hand.number, digest="")
    return Append(
        stream=stream,
        expected=0,
        facts=facts((replace(started, seats=seats), *rest)),
        actor=ACTOR,
        command_id=uuid5(stream, "demo"),
        secret=True,
    )
