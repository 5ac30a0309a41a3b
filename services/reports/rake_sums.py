"""Whether the sums made in advance are what the hands and the books come to, one by one."""

from __future__ import annotations

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from projections.rake_shares import RAKE_SHARES
from projections.rollups import ROLLUPS
from projections.shape import SumRow
from services.reports.queries import Connect, named_queries, one_moment

BELONG_TOGETHER = ("hands", "hand_players", "rake_ledger", ROLLUPS.name, RAKE_SHARES.name)

LIKE = {"rake_schedule_hours": "rake_table_hours", "rake_player_shares": "rake_player_days"}
"""Tables that add up the same as another, and tell more of it apart."""

LEVEL = "select count(distinct position) <= 1 from projection_positions where name = any(%s)"


def sums_that_differ(connect: Connect) -> tuple[str, ...] | None:
    """The tables of sums that do not hold what they should.

    None if it cannot be told at this moment, because a projection is ahead of the others.
    """
    with one_moment(connect) as connection:
        if not _true(connection, LEVEL.encode(), (list(BELONG_TOGETHER),)):
            return None
        # Adding up every hand of a large room takes longer than anything else may.
        connection.execute("set local statement_timeout = 0")
        wrong = [table.table for table in ROLLUPS.sums if _true(connection, _unlike(table), ())]
        queries = named_queries("rake_shares.sql")
        for finer, table in LIKE.items():
            if table not in wrong and _true(connection, queries[f"unlike_{finer}"], ()):
                wrong.append(finer)
        return tuple(wrong)


def _unlike(table: type[SumRow]) -> bytes:
    """Whether a row is in the table and should not be, or should be and is not."""
    added_up = named_queries("rollups.sql")[f"sum_{table.table}"].rstrip(b";")
    columns = SQL(", ").join(map(Identifier, table.__struct_fields__))
    stored = SQL("select {} from {}").format(columns, Identifier(table.table)).as_bytes()
    some = SQL(" or ").join(SQL("{} <> 0").format(Identifier(name)) for name in table.amounts)
    due = b"select %b from (%b) as sums where %b" % (columns.as_bytes(), added_up, some.as_bytes())
    query = b"with stored as (%b), due as (%b) select exists (table stored except all table due)"
    return query % (stored, due) + b" or exists (table due except all table stored)"


def _true(connection: Connection, query: bytes, parameters: tuple[object, ...]) -> bool:
    row = connection.execute(query, parameters).fetchone()
    return row is not None and bool(row[0])
