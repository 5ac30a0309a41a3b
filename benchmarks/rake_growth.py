"""Rake reports over a large ledger against the same over a small one: they must not grow with it.

Both ledgers have the same days, tables and players, so that the answers have the same lines; one
has many times the hands. They are made in SQL, with each hand's rake as its books: enough for any
report, and for the sums to be made from.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date, time
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.measuring import Measured, Numbers, Size, significant
from projections.rollups import ROLLUPS
from services.embedded import Server
from services.reports import METHODS, RakeWanted, rake_report
from services.reports.queries import named_queries
from services.settings import Settings
from services.store.room import Room, open_room

REACH, AIM = 2.0, 1.2
BYTES_A_HAND = 3_500  # Measured: rows and indexes of a hand of six seats.


class Ledger(NamedTuple):
    """How much there is to report on."""

    hands: int
    days: int
    tables: int
    players: int


LEDGERS: dict[Size, tuple[Ledger, Ledger]] = {
    "tiny": (Ledger(100, 5, 2, 8), Ledger(200, 5, 2, 8)),
    "small": (Ledger(10_000, 90, 10, 60), Ledger(100_000, 90, 10, 60)),
    "large": (Ledger(100_000, 365, 20, 200), Ledger(10_000_000, 365, 20, 200)),
}
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

OTHERS: dict[str, RakeWanted] = {
    "by day from 06:00 in New York": RakeWanted(
        by=("day",), time_zone="America/New_York", gaming_day_start=time(6)
    ),
    "by day in Kathmandu": RakeWanted(by=("day",), time_zone="Asia/Kathmandu"),
    "one week by player and table": RakeWanted(
        by=("player", "table"), from_day=date(2025, 1, 1), to_day=date(2025, 1, 7)
    ),
    "by month and schedule": RakeWanted(by=("month", "schedule")),
    "one player by every method": RakeWanted(players=(PLAYER,), attribution=METHODS),
}
"""In Kathmandu it is read hand by hand, else hour by hour: told, not part of the ratio."""

HANDS = """
insert into hands
select md5('hand ' || n)::uuid, 'site', n::text,
       (array['stud', 'stud8', 'stud_hilo'])[1 + n %% %(tables)s %% 3],
       't' || n %% %(tables)s, 'Table ' || n %% %(tables)s,
       (array[200, 500, 1000, 3000])[1 + n %% %(tables)s %% 4],
       2 * (array[200, 500, 1000, 3000])[1 + n %% %(tables)s %% 4],
       25, 100, 'real', 'USD', 2, 'topspoker 1', 'imported', at, at, at::date,
       6, 2000 + n %% 5000, (2000 + n %% 5000) / 20, 'completed', false, 40
  from generate_series(0, %(hands)s - 1) as n,
       lateral (select '2025-01-01 00:00Z'::timestamptz
                       + n * (%(days)s * interval '1 day') / %(hands)s as at) as played
"""

SEATS = """
insert into hand_players
select hand, seat, 'player ' || (number::bigint * 7 + seat) %% %(players)s, 100000, paid, 0, won, 0,
       borne, won - paid, 100000 + won - paid, 'active'
  from hands, generate_series(1, 6) as seat,
       lateral (select pot / 6 + case when seat = 1 then pot %% 6 else 0 end as paid,
                       case when seat = 1 then pot - rake else 0 end as won,
                       rake / 6 + case when seat = 1 then rake %% 6 else 0 end as borne) as parts
"""

BOOKS = """
insert into rake_ledger
select hand, 30, 1, 'Pot:' || hand || ':0', -rake, 'rake', null, day, 'real', 'USD', 2 from hands
union all
select h.hand, 30, 1 + p.seat, 'House:Rake', p.rake, 'rake', p.player, h.day, 'real', 'USD', 2
  from hands h join hand_players p using (hand)
"""

SCHEDULES = """
insert into rake_schedule_hours
select hour, table_id, table_name, game, small_bet, big_bet, 'topspoker:1', currency, exponent,
       hands, pot, rake
  from rake_table_hours
"""

SHARES = """
insert into rake_player_shares
select hour, player, table_id, table_name, game, small_bet, big_bet, 'topspoker:1', currency,
       exponent, hands, pot, rake, rake, rake, rake, rake
  from (
    select date_trunc('hour', h.happened_at, 'UTC') as hour, p.player, h.table_id, h.table_name,
           h.game, h.small_bet, h.big_bet, h.currency, h.exponent,
           count(*) as hands, sum(p.contributed) as pot, sum(p.rake) as rake
      from hands h join hand_players p using (hand)
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  ) as played
"""
"""Every method says the same here: it is the number of rows that counts."""


def run(size: Size) -> Measured:
    """The slowest to grow of `QUESTIONS`: its time on the large ledger over that on the small."""
    few, many = LEDGERS[size]
    with rooms(few, many) as (small, large):
        ratios, numbers = measure(small, large, ROUNDS[size])
    worst = max(ratios[name] for name in QUESTIONS)
    hands: Numbers = {"few hands": few.hands, "many hands": many.hands}
    return Measured(ratio=worst, numbers=hands | numbers | {"reach": REACH, "aim": AIM})


def measure(small: Room, large: Room, rounds: int) -> tuple[dict[str, float], Numbers]:
    """By question, how the time grows, and the fewest milliseconds it takes in each room."""
    ratios: dict[str, float] = {}
    numbers: Numbers = {}
    for name, wanted in (QUESTIONS | OTHERS).items():
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
        require_disk(home, few.hands + many.hands)
        tuning: Mapping[str, str] = {"fsync": "off", "max_wal_size": "2GB"}
        with contextlib.ExitStack() as opened:
            server = opened.enter_context(Server(home, tuning=tuning))
            yield _filled(opened, server, "few", few), _filled(opened, server, "many", many)
    finally:
        shutil.rmtree(home)


def require_disk(home: Path, hands: int) -> None:
    """Refuse before the disk is full."""
    free, needed = shutil.disk_usage(home).free, 2 * hands * BYTES_A_HAND
    assert free > needed, f"this needs {needed >> 30} GB of disk; {free >> 30} GB are free"


def _filled(opened: contextlib.ExitStack, server: Server, name: str, ledger: Ledger) -> Room:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room=name)
    room = opened.enter_context(open_room(settings))
    with psycopg.connect(room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("set search_path = {}").format(Identifier(name)))
        for statement in (HANDS, SEATS):
            owner.execute(statement.encode(), ledger._asdict())
        owner.execute(BOOKS.encode())
        for table in ROLLUPS.sums:
            columns = SQL(", ").join(map(Identifier, table.__struct_fields__))
            into = SQL("insert into {} ({}) ").format(Identifier(table.table), columns)
            owner.execute(into.as_bytes() + named_queries("rollups.sql")[f"sum_{table.table}"])
        for statement in (SCHEDULES, SHARES):
            owner.execute(statement.encode())
        owner.execute("vacuum analyze")
    return room
