"""Replaying a hand of a small and of a large log: the slowest of a hundred must not get slower."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter

from benchmarks.hands import fill
from benchmarks.measuring import Measured, Size, significant
from benchmarks.places import scratch_rooms
from projections.hands import HANDS as SEARCH
from services.hand_file import open_hand
from services.projecting import Projector
from services.replaying import replay_step
from services.store.room import Room

HANDS: dict[Size, tuple[int, int]] = {
    "tiny": (3, 6),
    "small": (2_000, 20_000),
    "large": (20_000, 1_000_000),
}
ASKED: dict[Size, int] = {"tiny": 3, "small": 3_000, "large": 10_000}
"""How often each log is asked, in turn, for a hand and a step at random."""


def run(size: Size) -> Measured:
    """Find a hand by its number, read it, and draw the table at one step; p99 large over small."""
    with scratch_rooms(2, sum(HANDS[size])) as (small, large):
        for room, hands in zip((small, large), HANDS[size], strict=True):
            fill(room, hands)
            Projector(room.store, room.connect, [SEARCH]).catch_up()
        few, many = _asked(small, large, HANDS[size], ASKED[size])
    numbers = {
        f"{name} {part} ms": significant(_part(times, hundredth) * 1e3)
        for name, times in (("few hands", few), ("many hands", many))
        for part, hundredth in (("p50", 50), ("p99", 99))
    }
    return Measured(
        ratio=_part(many, 99) / _part(few, 99),
        numbers={
            "few hands": HANDS[size][0],
            "many hands": HANDS[size][1],
            "asked": ASKED[size],
            **numbers,
            "reach": 1.5,
            "aim": 1.1,
        },
    )


def _asked(
    small: Room, large: Room, hands: tuple[int, int], times: int
) -> tuple[list[float], list[float]]:
    """Seconds each answer took, by log: one of each in turn, whoever is first changing."""
    dice = Random("replay")
    few: list[float] = []
    many: list[float] = []
    sides = [(small, hands[0], few), (large, hands[1], many)]
    for _ in range(times):
        for room, count, taken in sides:
            taken.append(_seconds(room, f"hand{dice.randrange(count)}", dice.random()))
        sides.reverse()
    return few, many


def _seconds(room: Room, number: str, how_far: float) -> float:
    began = perf_counter()
    file = open_hand(room, number)
    step = 1 + int(how_far * len(file.events))
    replay_step(str(file.hand), file.events, step, names=file.names)
    return perf_counter() - began


def _part(times: Sequence[float], hundredth: int) -> float:
    return sorted(times)[(len(times) - 1) * hundredth // 100]
