"""Rebuilding every read model from the log: against one transaction per event, and mere reading."""

from __future__ import annotations

from statistics import median

from benchmarks.hands import fill
from benchmarks.measuring import Measured, Numbers, Pairs, Size, in_pairs, significant
from benchmarks.places import scratch_rooms
from domain.events import decode
from services.projecting import Projector, projector_of
from services.store.port import pages
from services.store.room import Room

HANDS: dict[Size, int] = {"tiny": 3, "small": 600, "large": 20_000}
FEW: dict[Size, int] = {"tiny": 1, "small": 6, "large": 60}
"""Hands taken in event by event, which is so slow that fewer must do."""
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 7, "large": 3}


def run(size: Size) -> Measured:
    """Against taking the events in one by one, each one's rows and position in one commit."""
    hands, few, rounds = HANDS[size], FEW[size], ROUNDS[size]
    with scratch_rooms(rounds + 1, hands + rounds * few) as (room, *others):
        events = fill(room, hands)
        single = max([fill(other, few) for other in others])
        slow = iter([Projector(o.store, o.connect, page=1).catch_up for o in others])
        pairs = in_pairs(rounds, projector_of(room).rebuild, lambda: next(slow)())
    # Per event, for one side has more of them.
    times = significant(single / median(pairs.theirs))
    return Measured(
        ratio=pairs.faster * events / single,
        numbers=_numbers(pairs, hands, events)
        | {
            "events of the other side": single,
            "one by one events/s": times,
            "reach": 25,
            "aim": 40,
        },
    )


def run_against_reading(size: Size) -> Measured:
    """Against reading the log and decoding every event, which no rebuild can do without."""
    hands = HANDS[size]
    with scratch_rooms(1, hands) as (room,):
        events = fill(room, hands)
        pairs = in_pairs(ROUNDS[size], projector_of(room).rebuild, lambda: _read(room))
    read = significant(events / median(pairs.theirs))
    return Measured(
        ratio=pairs.faster,
        numbers=_numbers(pairs, hands, events)
        | pairs.numbers
        | {"read and decoded events/s": read, "reach": 0.2, "aim": 0.4},
    )


def _read(room: Room) -> None:
    for page in pages(room.store):
        for fact in page:
            decode(fact.state)


def _numbers(pairs: Pairs, hands: int, events: int) -> Numbers:
    rebuilt = significant(events / median(pairs.ours))
    return {"hands": hands, "events": events, "rebuilt events/s": rebuilt}
