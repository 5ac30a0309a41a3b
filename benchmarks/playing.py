"""Live tables over HTTP: eight of them on our recorder and the stock one, and many at a pace."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.measuring import Measured, Size, in_pairs, significant
from benchmarks.places import scratch_rooms
from benchmarks.serving import key_of, served
from services.playing import PlayWanted, Staff, play
from services.playing.asking import Service
from services.playing.pace import Pace
from services.playing.running import desks
from services.playing.table import BotTable
from services.playing.tally import part
from services.store.room import Room

CLIENTS = 8
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 5, "large": 15}
REACH, AIM = 2.0, 3.0

PACE = 250.0
PACED: dict[Size, tuple[int, float]] = {"tiny": (2, 0.2), "small": (100, 10), "large": (500, 60)}
"""Tables, and seconds in which hands are begun."""
SLOWEST = 0.150


def run(size: Size) -> Measured:
    """In a round every client plays a hand at his table: the same hands on both sides."""
    rounds, clients = ROUNDS[size], 2 if size == "tiny" else CLIENTS
    with (
        scratch_rooms(2, 10 * clients * rounds) as (ours, theirs),
        asyncio.Runner() as runner,
        _tables(runner, ours, clients, stock=False) as own,
        _tables(runner, theirs, clients, stock=True) as other,
    ):
        pairs = in_pairs(rounds, _round(runner, own), _round(runner, other))
        actions = sum(table.tally.actions for table in own)
        assert actions == sum(table.tally.actions for table in other), "both sides did the same"
    return Measured(
        ratio=pairs.faster,
        numbers={
            "clients": clients,
            "actions": actions,
            "ours actions/s": significant(actions / rounds / median(pairs.ours)),
            "stock actions/s": significant(actions / rounds / median(pairs.theirs)),
            "ours p99 ms": _p99(own),
            "stock p99 ms": _p99(other),
            **pairs.numbers,
            "reach": REACH,
            "aim": AIM,
        },
    )


def run_paced(size: Size) -> Measured:
    """So many actions a second over so many tables: how much faster than allowed the slowest is."""
    tables, seconds = PACED[size]
    wanted = PlayWanted(tables=tables, hands=None, seconds=seconds, pace=PACE, seed="paced")
    with scratch_rooms(1, 5 * tables) as (room,), served(room.settings) as address:
        played = asyncio.run(play(wanted, [address], _staff(room)))
    assert (played.total("errors"), played.conserved) == (0, True)
    slowest = part(played.latencies, 99)
    assert slowest is not None
    return Measured(
        ratio=SLOWEST / slowest,
        numbers={
            "tables": tables,
            "hands": played.total("hands"),
            "actions": played.total("actions"),
            "wanted actions/s": PACE,
            "actions/s": significant(played.total("actions") / played.seconds),
            "p50 ms": _ms(part(played.latencies, 50)),
            "p99 ms": _ms(slowest),
            "highest ms": _ms(max(played.latencies)),
            "reach": 1.0,
        },
    )


@contextlib.contextmanager
def _tables(
    runner: asyncio.Runner, room: Room, clients: int, *, stock: bool
) -> Iterator[list[BotTable]]:
    """Tables where everybody sits, at a service of their own."""
    wanted, pace = PlayWanted(tables=clients, seed="http"), Pace(None)
    with served(room.settings, stock=stock) as address:
        service, staff = Service([address]), _staff(room)
        tables = [
            BotTable(number, desks(service, number, staff), "http", wanted, pace)
            for number in range(clients)
        ]
        for table in tables:
            runner.run(table.open())
        try:
            yield tables
        finally:
            runner.run(service.close())


def _round(runner: asyncio.Runner, tables: list[BotTable]) -> Callable[[], None]:
    async def hands() -> None:
        await asyncio.gather(*(table.play() for table in tables))

    return lambda: runner.run(hands())


def _staff(room: Room) -> Staff:
    key = key_of(room, "admin")
    return Staff(floor=key, dealers=(key,))


def _p99(tables: list[BotTable]) -> float:
    return _ms(part([seconds for table in tables for seconds in table.tally.latencies], 99))


def _ms(seconds: float | None) -> float:
    return significant((seconds or 0) * 1e3)
