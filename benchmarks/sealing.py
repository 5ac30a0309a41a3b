"""Sealing the log, leaf by leaf, against merely reading it."""

from __future__ import annotations

from itertools import count
from statistics import median

from benchmarks.hands import fill
from benchmarks.measuring import Measured, Size, in_pairs, significant
from benchmarks.places import scratch_rooms
from services.log.sealing import sealer_of
from services.store.port import pages
from services.store.room import Room

HANDS: dict[Size, int] = {"tiny": 3, "small": 600, "large": 20_000}
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 5, "large": 3}


def run(size: Size) -> Measured:
    """Both sides have the same events; every round seals a room nobody has sealed yet."""
    hands, rounds = HANDS[size], ROUNDS[size]
    with scratch_rooms(rounds, rounds * hands) as rooms:
        events = max([fill(room, hands, secret=True) for room in rooms])
        sealed, read = iter(rooms), (rooms[n % rounds] for n in count())
        pairs = in_pairs(rounds, lambda: _seal(next(sealed), events), lambda: _read(next(read)))
    return Measured(
        ratio=pairs.faster,
        numbers={
            "events": events,
            "sealed leaves/s": significant(events / median(pairs.ours)),
            "read events/s": significant(events / median(pairs.theirs)),
            **pairs.numbers,
            "reach": 0.15,
            "or leaves/s": 40_000,
        },
    )


def _seal(room: Room, events: int) -> None:
    assert sealer_of(room).catch_up() == events


def _read(room: Room) -> None:
    for page in pages(room.store):
        assert page
