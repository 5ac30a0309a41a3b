"""Rake reports over a large ledger against the same over a small one: they must not grow with it.

Both ledgers have the same days, tables and players, so that the answers have the same lines; one
has many times the hands. The hands are synthetic.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date, time
from pathlib import Path
from time import perf_counter

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.measuring import Measured, Numbers, Size, significant
from benchmarks.synthetic_hands import LEDGERS, Ledger, fill
from services.embedded import Server
from services.reports import METHODS, RakeWanted, rake_report
from services.settings import Settings
from services.store.room import Room, open_room

REACH, AIM = 2.0, 1.2
BYTES_A_SEAT = 800  # Measured: rows and indexes of a hand, by its seats.


ROUNDS: dict[Size, int] = {"tiny": 2, "small": 60, "large": 60}
FEW_ROUNDS = 3  # Of what takes seconds.

PLAYER = "player 1"
QUESTIONS: dict[str, RakeWanted] = {
    "by day": RakeWanted(by=("day",)),
    "by stakes": RakeWanted(by=("stakes",)),
    "one player by day": RakeWanted(by=("day",), players=(PLAYER,)),
    "top players by month": RakeWanted(by=("month", "player"), top=10),
}
"""What must not grow with the ledger."""

BY_SEATS: dict[str, RakeWanted] = {
    "one week by player and table": RakeWanted(
        by=("player", "table"), from_day=date(2025, 1, 1), to_day=date(2025, 1, 7)
    ),
    "one player by every method": RakeWanted(players=(PLAYER,), attribution=METHODS),
}
"""Asked where there are seats: in the large ledgers there are none."""

OTHERS: dict[str, RakeWanted] = {
    "by day from 06:00 in New York": RakeWanted(
        by=("day",), time_zone="America/New_York", gaming_day_start=time(6)
    ),
    "by day in Kathmandu": RakeWanted(by=("day",), time_zone="Asia/Kathmandu"),
    "by month and schedule": RakeWanted(by=("month", "schedule")),
}
"""In Kathmandu one hour a day is read hand by hand: told, not part of the ratio."""


def run(size: Size) -> Measured:
    """The slowest to grow of `QUESTIONS`: its time on the large ledger over that on the small."""
    few, many = LEDGERS[size]
    with rooms(few, many) as (small, large):
        others = OTHERS | (BY_SEATS if few.seated else {})
        ratios, numbers = measure(small, large, ROUNDS[size], others)
    worst = max(ratios[name] for name in QUESTIONS)
    hands: Numbers = {"few hands": few.hands, "many hands": many.hands}
    return Measured(ratio=worst, numbers=hands | numbers | {"reach": REACH, "aim": AIM})


def measure(
    small: Room, large: Room, rounds: int, others: Mapping[str, RakeWanted]
) -> tuple[dict[str, float], Numbers]:
    """By question, how the time grows, and the fewest milliseconds it takes in each room."""
    ratios: dict[str, float] = {}
    numbers: Numbers = {}
    for name, wanted in (QUESTIONS | dict(others)).items():
        times = _in_turn(wanted, small, large, rounds if name in QUESTIONS else FEW_ROUNDS)
        # The fastest of each: whatever else the machine does only adds to what takes so little.
        few, many = (min(column) for column in zip(*times, strict=True))
        ratios[name] = many / few
        numbers[f"{name}: few ms"] = significant(few)
        numbers[f"{name}: many ms"] = significant(many)
        numbers[f"{name}: ratio"] = significant(ratios[name])
    return ratios, numbers


def _in_turn(
    wanted: RakeWanted, small: Room, large: Room, rounds: int
) -> list[tuple[float, float]]:
    """Milliseconds in both rooms, asked one after the other; the first time does not count."""
    for room in (small, large):
        assert rake_report(room.connect, wanted).lines, "there is something to report"
    return [(_asked(small, wanted), _asked(large, wanted)) for _ in range(rounds)]


def _asked(room: Room, wanted: RakeWanted) -> float:
    began = perf_counter()
    rake_report(room.connect, wanted)
    return 1_000 * (perf_counter() - began)


@contextlib.contextmanager
def rooms(few: Ledger, many: Ledger) -> Iterator[tuple[Room, Room]]:
    """Two rooms of a database of their own, filled."""
    home = Path(tempfile.mkdtemp(prefix="studledger-", dir="/tmp"))
    try:
        require_disk(home, few.seats * few.hands + many.seats * many.hands)
        tuning: Mapping[str, str] = {"fsync": "off", "max_wal_size": "4GB"}
        with contextlib.ExitStack() as opened:
            server = opened.enter_context(Server(home, tuning=tuning))
            yield _filled(opened, server, "few", few), _filled(opened, server, "many", many)
    finally:
        shutil.rmtree(home)


def require_disk(home: Path, seats: int) -> None:
    """Refuse before the disk is full."""
    free, needed = shutil.disk_usage(home).free, 2 * seats * BYTES_A_SEAT
    assert free > needed, f"this needs {needed >> 30} GB of disk; {free >> 30} GB are free"


def _filled(opened: contextlib.ExitStack, server: Server, name: str, ledger: Ledger) -> Room:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room=name)
    room = opened.enter_context(open_room(settings))
    with psycopg.connect(room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("set search_path = {}").format(Identifier(name)))
        fill(owner, ledger)
        owner.execute("vacuum analyze")
    return room
