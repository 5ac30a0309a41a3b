"""Synthetic hands for rake reports: rows as the projections would write them, made in SQL.

No event is behind them. Every hand goes to the showdown, seat 1 wins, and the books of each are
whole: paid in, rake by who bears it, award. Sums are those of just these hands and books, which a
test compares with the program's own definition of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import psycopg

from benchmarks.measuring import Size


class Ledger(NamedTuple):
    """How much there is to report on. Without `seated` players are in the books and sums only."""

    hands: int
    days: int
    tables: int
    players: int
    seats: int = 6
    seated: bool = True


LEDGERS: dict[Size, tuple[Ledger, Ledger]] = {
    "tiny": (Ledger(100, 5, 2, 8), Ledger(200, 5, 2, 8)),
    "small": (Ledger(10_000, 90, 10, 60), Ledger(100_000, 90, 10, 60)),
    "large": (
        Ledger(100_000, 365, 20, 200, seats=2, seated=False),
        Ledger(10_000_000, 365, 20, 200, seats=2, seated=False),
    ),
}

HANDS = """
insert into hands
select lpad(to_hex(n), 32, '0')::uuid, 'site', n::text,
       (array['stud', 'stud8', 'stud_hilo'])[1 + n %% %(tables)s %% 3],
       't' || n %% %(tables)s, 'Table ' || n %% %(tables)s,
       (array[200, 500, 1000, 3000])[1 + n %% %(tables)s %% 4],
       2 * (array[200, 500, 1000, 3000])[1 + n %% %(tables)s %% 4],
       25, 100, 'real', 'USD', 2, 'topspoker 1', 'imported', at, at, at::date,
       %(seats)s, 2000 + n %% 5000, (2000 + n %% 5000) / 20, 'completed', false, 40
  from generate_series(0, %(hands)s - 1) as n,
       lateral (select '2025-01-01 00:00Z'::timestamptz
                       + n * (%(days)s * interval '1 day' / %(hands)s) as at) as played
"""

SEATS = """
       lateral (
         select seat, 'player ' || (number::bigint * 7 + seat) %% %(players)s as player,
                pot / players + case when seat = 1 then pot %% players else 0 end as paid,
                case when seat = 1 then pot - rake else 0 end as won,
                rake / players + case when seat = 1 then rake %% players else 0 end as borne
           from generate_series(1, h.players) as seat
       ) as p
"""
"""Who sits where in hand `h`, what he pays in, wins and bears."""

PLAYERS = f"""
insert into hand_players
select h.hand, p.seat, p.player, 100000, p.paid, 0, p.won, 0, p.borne, p.won - p.paid,
       100000 + p.won - p.paid, 'active'
  from hands h, {SEATS}
"""

BOOKS = f"""
insert into rake_ledger
select h.hand, e.step, e.line, e.account, e.amount, e.memo, e.bearer, h.day, 'real', 'USD', 2
  from hands h, lateral (
    select 38 as step, p.seat as line, 'Player:' || p.player || ':Table' as account,
           -p.paid as amount, 'paid in' as memo, null as bearer from {SEATS.replace("lateral", "")}
    union all select 38, h.players + 1, 'Pot:' || h.hand || ':0', h.pot, 'paid in', null
    union all select 38, h.players + 2, 'Pot:' || h.hand || ':0', -h.rake, 'rake', null
    union all select 38, h.players + 2 + p.seat, 'House:Rake', p.borne, 'rake', p.player
                from {SEATS.replace("lateral", "")}
    union all select 39, 1, 'Pot:' || h.hand || ':0', h.rake - h.pot, 'award', null
    union all select 39, 2, 'Player:' || p.player || ':Table', p.won, 'award', null
                from {SEATS.replace("lateral", "")} where p.seat = 1
  ) as e
"""

_TABLE = "table_id, table_name, game, small_bet, big_bet"
_MONEY = "currency, exponent"

SUMS = (
    f"""
insert into rake_table_hours
select date_trunc('hour', happened_at, 'UTC'), {_TABLE}, {_MONEY}, count(*), sum(pot), sum(rake)
  from hands group by 1, 2, 3, 4, 5, 6, 7, 8
""",
    f"""
insert into rake_table_days
select (hour at time zone 'UTC')::date, {_TABLE}, {_MONEY}, sum(hands), sum(pot), sum(rake)
  from rake_table_hours group by 1, 2, 3, 4, 5, 6, 7, 8
""",
    f"""
insert into rake_schedule_hours
select hour, {_TABLE}, 'topspoker:1', {_MONEY}, hands, pot, rake from rake_table_hours
""",
    f"""
insert into rake_player_days
select h.day, p.player, h.small_bet, h.big_bet, {_MONEY}, count(*), sum(p.paid), sum(p.borne)
  from hands h, {SEATS} group by 1, 2, 3, 4, 5, 6
""",
    f"""
insert into rake_player_months
select date_trunc('month', day)::date, player, {_MONEY}, sum(hands), sum(pot), sum(rake)
  from rake_player_days group by 1, 2, 3, 4
""",
)

SHARES = f"""
insert into rake_player_shares
select date_trunc('hour', h.happened_at, 'UTC'), p.player, {_TABLE}, 'topspoker:1', {_MONEY},
       count(*), sum(p.paid), sum(p.borne), sum(p.borne), sum(p.borne), sum(p.borne), sum(p.borne)
  from hands h, {SEATS} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""
"""Every method says the same here: it is the number of rows that counts."""

UNBALANCED = "select count(*) from (select from rake_ledger group by day having sum(amount) <> 0)"

INDEXES = """
select format('alter table %%I drop constraint %%I', conrelid::regclass::text, conname),
       format('alter table %%I add constraint %%I %%s', conrelid::regclass::text, conname,
              pg_get_constraintdef(oid))
  from pg_constraint
 where contype = 'p' and conrelid in ('hands'::regclass, 'rake_ledger'::regclass)
union all
select format('drop index %%I', indexrelid::regclass::text), pg_get_indexdef(indexrelid)
  from pg_index
 where not indisprimary and indrelid in ('hands'::regclass, 'rake_ledger'::regclass)
"""
"""What takes an index of the large tables away, and what makes it again."""

TUNING = ("work_mem = '512MB'", "maintenance_work_mem = '1GB'", "jit = off")


def fill(owner: psycopg.Connection, ledger: Ledger) -> None:
    """Make the hands, books and sums of a room; `owner` is in its schema.

    Indexes are made when the rows are there and balance is looked at once, not row by row.
    """
    for setting in TUNING:
        owner.execute(f"set {setting}".encode())
    owner.execute("alter table rake_ledger disable trigger user")  # They would keep every row.
    indexes = owner.execute(INDEXES.replace("%%", "%").encode()).fetchall()
    for drop, _ in indexes:
        owner.execute(drop)
    for table in ("hands", "rake_ledger"):
        owner.execute(f"alter table {table} set unlogged".encode())
    for statement in _statements(ledger):
        _execute(owner, statement, ledger._asdict())
    for _, make in indexes:
        owner.execute(make)
    wrong = owner.execute(UNBALANCED.encode()).fetchone()
    assert wrong == (0,), "every book adds up to zero"
    owner.execute("alter table rake_ledger enable trigger user")


def _statements(ledger: Ledger) -> tuple[str, ...]:
    """What is made of a ledger, in order; seats and shares are many rows, and no ledger."""
    return (HANDS, BOOKS, *SUMS, *((PLAYERS, SHARES) if ledger.seated else ()))


def _execute(owner: psycopg.Connection, statement: str, asked: Mapping[str, Any]) -> None:
    owner.execute(statement.encode(), asked)
