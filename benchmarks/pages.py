"""Pages of a room with many hands over HTTP: the slowest of them against a tenth of a second."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from random import Random
from statistics import median
from time import perf_counter

import httpx2

from benchmarks.hands import fill, played, stream
from benchmarks.measuring import Measured, Size, significant
from benchmarks.places import scratch_rooms
from benchmarks.serving import key_of, served
from domain.events import HandStarted
from services.log.checkpoints import Checkpoints
from services.projecting import projector_of
from services.store.room import Room

HANDS: dict[Size, int] = {"tiny": 2, "small": 2_000, "large": 200_000}
ASKED: dict[Size, int] = {"tiny": 1, "small": 30, "large": 100}
"""How often each page is asked for, in turn with the others."""
UNCOUNTED: dict[Size, int] = {"tiny": 0, "small": 1, "large": 1}
"""Rounds before those: the first time templates are read and plans are made."""

DIFFERENT = 300
"""After so many hands the same play comes again."""

REACH_MS = 100

COMPLAINT = {"category": "award", "channel": "table"}

Address = Callable[[Random], str]


def run(size: Size) -> Measured:
    """Ask for each page again and again; a tenth of a second over the slowest page's median."""
    hands = HANDS[size]
    with scratch_rooms(1, hands) as (room,):
        filled(room, hands)
        with visitor(room) as client:
            times = asked(client, pages(client, hands), ASKED[size], UNCOUNTED[size])
    medians = {name: median(taken) for name, taken in times.items()}
    return Measured(
        ratio=REACH_MS / max(medians.values()),
        numbers={
            "hands": hands,
            "asked": ASKED[size],
            **{f"{name} p50 ms": significant(taken) for name, taken in medians.items()},
            **{f"{name} most ms": significant(max(taken)) for name, taken in times.items()},
            "reach": 1,
        },
    )


def filled(room: Room, hands: int) -> None:
    """Hands, everything projected, sealed and signed."""
    fill(room, hands, min(hands, DIFFERENT), secret=True)
    projector_of(room).catch_up()
    Checkpoints(room).sign()


@contextlib.contextmanager
def visitor(room: Room) -> Iterator[httpx2.Client]:
    """Somebody with every role, signed in at a service of the room."""
    key = key_of(room, "admin")
    with (
        served(room.settings, alone=True) as address,
        httpx2.Client(base_url=address, timeout=60, trust_env=False) as client,
    ):
        client.headers["Authorization"] = f"Bearer {key}"
        assert client.post("/sign-in", data={"key": key, "next": "/hands"}).status_code == 303
        yield client


def pages(client: httpx2.Client, hands: int) -> Mapping[str, Address]:
    """The address of each kind of page, another hand's every time."""
    steps = [len(hand.events) for hand in played(min(hands, DIFFERENT))]
    case = client.post("/v1/disputes", json=_complaint())
    assert case.status_code == 200, case.text

    def replay(dice: Random) -> str:
        hand = dice.randrange(hands)
        step = dice.randrange(1, steps[hand % len(steps)] + 1)
        return f"/hands/{stream('hand', hand)}/replay?step={step}"

    return {
        "search": lambda _: "/hands",
        "search by number": lambda dice: f"/hands?number=hand{dice.randrange(hands)}",
        "search by pot and game": lambda _: "/hands?game=stud8&min_pot=20",
        "replay": replay,
        "result": lambda dice: f"/hands/{stream('hand', dice.randrange(hands))}/result",
        "rake by day": lambda _: "/rake?by=day",
        "rake by player": lambda _: "/rake?by=player",
        "case": lambda _: f"/cases/{case.json()['id']}",
        "log": lambda _: "/log",
        "tables": lambda _: "/tables",
    }


def _complaint() -> dict[str, str]:
    """A case about the first hand, by the first who was dealt in."""
    started = played(1)[0].events[0]
    assert isinstance(started, HandStarted)
    complainant = started.seats[0].player
    return {"hand": str(stream("hand", 0)), "complainant": complainant, **COMPLAINT}


def asked(
    client: httpx2.Client, pages: Mapping[str, Address], times: int, uncounted: int = 1
) -> dict[str, list[float]]:
    """Milliseconds each page took, one after the other."""
    dice, taken = Random("pages"), {name: list[float]() for name in pages}
    for turn in range(uncounted + times):
        for name, address in pages.items():
            milliseconds = _milliseconds(client, address(dice))
            if turn >= uncounted:
                taken[name].append(milliseconds)
    return taken


def _milliseconds(client: httpx2.Client, path: str) -> float:
    """How long a page took to be there whole."""
    began = perf_counter()
    answer = client.get(path)
    taken = perf_counter() - began
    assert answer.status_code == 200, (path, answer.status_code, answer.text[-2000:])
    return 1_000 * taken
