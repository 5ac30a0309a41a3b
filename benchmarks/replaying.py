"""Replaying a hand of a small and a large log over HTTP: the slowest of a hundred stays as fast."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter

import httpx2

from benchmarks.hands import fill, played
from benchmarks.measuring import Measured, Size, significant
from benchmarks.places import scratch_rooms
from benchmarks.serving import key_of, served
from projections.hands import HANDS as SEARCH
from services.projecting import Projector
from services.store.room import Room

HANDS: dict[Size, tuple[int, int]] = {
    "tiny": (3, 6),
    "small": (2_000, 20_000),
    "large": (20_000, 1_000_000),
}
ASKED: dict[Size, int] = {"tiny": 3, "small": 3_000, "large": 10_000}
"""How often each log is asked, in turn, for a hand and a step at random."""


DIFFERENT = 300
"""After so many hands the same play comes again."""


def run(size: Size) -> Measured:
    """Ask for a hand by its number, and the table at one step of it; p99 large over small."""
    with scratch_rooms(2, sum(HANDS[size])) as rooms, contextlib.ExitStack() as opened:
        for room, hands in zip(rooms, HANDS[size], strict=True):
            fill(room, hands, min(HANDS[size][0], DIFFERENT))
            Projector(room.store, room.connect, [SEARCH]).catch_up()
        small, large = (opened.enter_context(_client(room)) for room in rooms)
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
    small: httpx2.Client, large: httpx2.Client, hands: tuple[int, int], times: int
) -> tuple[list[float], list[float]]:
    """Seconds each answer took, by log: one of each in turn, whoever is first changing."""
    dice = Random("replay")
    few: list[float] = []
    many: list[float] = []
    steps = [len(hand.events) for hand in played(min(hands[0], DIFFERENT))]
    sides = [(small, hands[0], few), (large, hands[1], many)]
    for _ in range(times):
        for client, count, taken in sides:
            hand = dice.randrange(count)
            step = dice.randrange(1, steps[hand % len(steps)] + 1)
            taken.append(_seconds(client, f"hand{hand}", step))
        sides.reverse()
    return few, many


@contextlib.contextmanager
def _client(room: Room) -> Iterator[httpx2.Client]:
    """Somebody who asks a service of this room, one thing after the other."""
    headers = {"Authorization": f"Bearer {key_of(room, 'floor')}"}
    with (
        served(room.settings, alone=True) as address,
        httpx2.Client(base_url=address, headers=headers, timeout=60, trust_env=False) as client,
    ):
        yield client


def _seconds(client: httpx2.Client, number: str, step: int) -> float:
    """How long an answer took."""
    began = perf_counter()
    answer = client.get(f"/v1/hands/{number}/replay", params={"step": step})
    taken = perf_counter() - began
    assert answer.status_code == 200, answer.text
    return taken


def _part(times: Sequence[float], hundredth: int) -> float:
    return sorted(times)[(len(times) - 1) * hundredth // 100]
