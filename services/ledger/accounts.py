"""What is on each account: all postings added up, currency by currency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from psycopg import Connection

from domain.disputes.adjustments import adjustment_account, table_account
from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment
from services.reports.rake import head_of

Row = TypeVar("Row")

READS = ("hands", "hand_players", "rake_ledger", "adjustments", "tables", "table_ledger")
"""The projections the whole ledger is made of."""


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """What is on an account, in minor units; never two currencies or kinds of money in one."""

    account: str
    money_kind: str
    currency: str
    exponent: int
    balance: int


class Accounts(msgspec.Struct, frozen=True, kw_only=True):
    """Balances up to event `complete_to`. All accounts of a currency together are nothing."""

    accounts: tuple[Balance, ...]
    complete_to: int
    log_at: int


def accounts(connect: Connect, players: Sequence[str] | None = None) -> Accounts:
    """Every account, those of all players and of all pots taken together; or these players' own.

    Every posting of the room is added up, or every one of the players' hands.
    """
    with one_moment(connect) as connection:
        # Adding up every hand of a large room takes longer than anything else may.
        connection.execute("set local statement_timeout = 0")
        if players is None:
            found = asked(connection, "balances", {}, Balance)
        else:
            own = [
                account(one) for one in players for account in (table_account, adjustment_account)
            ]
            parameters = {"players": list(players), "accounts": own}
            found = asked(connection, "balances_of_players", parameters, Balance)
        reached = complete_to(connection, READS)
        return Accounts(accounts=found, complete_to=reached, log_at=head_of(connection))


def asked(
    connection: Connection, query: str, parameters: Mapping[str, Any], row: type[Row]
) -> tuple[Row, ...]:
    """The answer to a query of the ledger, in which kinds of accounts are written once."""
    queries = named_queries("ledger.sql")
    text = queries[query].replace(b"{kind}", queries["kinds_of_account"])
    return ask(connection, text, parameters, row)
