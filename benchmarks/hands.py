"""The hands that are measured: played at random from a seed, so always the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec
from msgspec.structs import replace

from domain import events as e
from services.demo.hands import table_hands
from services.store.port import Append, facts
from services.store.room import Room

BATCH_HANDS = 250


class Played(msgspec.Struct, frozen=True):
    """A finished hand as it is stored."""

    number: str
    events: tuple[e.HandEvent, ...]


@cache
def played(count: int) -> tuple[Played, ...]:
    """`count` different hands of the demonstration's tables, players under opaque ids."""
    return tuple(Played(hand.number, _opaque(hand.events)) for hand in table_hands(count))


def _opaque(events: tuple[e.HandEvent, ...]) -> tuple[e.HandEvent, ...]:
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    seats = tuple(replace(s, player=str(_id(f"player {s.player}"))) for s in started.seats)
    return (replace(started, seats=seats), *rest)


def appends(
    count: int, different: int, name: str = "hand", *, secret: bool = False
) -> Iterator[Append]:
    """`count` appends of whole hands; after `different` of them the same play comes again.

    With a `secret` each, as hands have that are sealed.
    """
    hands = played(min(count, different))
    for index in range(count):
        started, *rest = hands[index % len(hands)].events
        assert isinstance(started, e.HandStarted)
        yield Append(
            stream=stream(name, index),
            expected=0,
            facts=facts((replace(started, number=f"{name}{index}"), *rest)),
            actor="benchmark",
            secret=secret,
        )


def fill(
    room: Room, count: int, different: int = 300, name: str = "hand", *, secret: bool = False
) -> int:
    """Append `count` hands to a room; how many events that is."""
    coming, events = appends(count, different, name, secret=secret), 0
    while batch := list(islice(coming, BATCH_HANDS)):
        answers = room.store.append(batch)
        events += sum(len(answer.positions) for answer in answers)
    return events


def stream(name: str, index: int) -> UUID:
    """The id of one of our hands."""
    return _id(f"{name} {index}")


def _id(text: str) -> UUID:
    return uuid5(NAMESPACE_OID, f"studledger benchmark {text}")
