"""Finding tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from services.reports.hands import BadCursor
from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment


class TablesWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which tables; what is None is not asked for. `after` is a page's `next`.

    `called` is a name or an id.
    """

    called: str | None = None
    game: str | None = None
    is_open: bool | None = None
    limit: int = 50
    after: str | None = None


class TableFound(msgspec.Struct, frozen=True, kw_only=True):
    """One table. Amounts in minor units of `currency`.

    `seats` are those taken, `hand` is the one being played, `hands` how many have begun.
    `version` is how many facts the table has, `position` that of the last in the log.
    """

    id: UUID
    name: str
    game: str
    site: str
    small_bet: int
    big_bet: int
    ante: int
    bring_in: int
    money_kind: str
    currency: str
    exponent: int
    house_rules: str
    max_seats: int
    seats: int
    hand: UUID | None
    hands: int
    is_open: bool
    opened_at: datetime
    closed_at: datetime | None
    version: int
    position: int


class TablesPage(msgspec.Struct, frozen=True, kw_only=True):
    """Tables, open ones first, each by name. `next` continues the list; None at its end.

    `complete_to` is the position of the last event the list takes in.
    """

    tables: tuple[TableFound, ...]
    next: str | None
    complete_to: int


def find_tables(connect: Connect, wanted: TablesWanted) -> TablesPage:
    """The tables wanted, at most `limit`. Raises BadCursor."""
    parameters: dict[str, Any] = msgspec.structs.asdict(wanted) | _place(wanted.after)
    # One more than wanted tells whether the list goes on.
    parameters["limit"] = wanted.limit + 1
    with one_moment(connect) as connection:
        query = named_queries("tables.sql")["find_tables"]
        found = ask(connection, query, parameters, TableFound)
        reached = complete_to(connection, ("tables",))
    tables = found[: wanted.limit]
    return TablesPage(
        tables=tables,
        next=_cursor(tables[-1]) if len(found) > len(tables) and tables else None,
        complete_to=reached,
    )


def _cursor(last: TableFound) -> str:
    return f"{'open' if last.is_open else 'closed'}~{last.id}~{last.name}"


def _place(cursor: str | None) -> dict[str, Any]:
    if cursor is None:
        return dict.fromkeys(("after_open", "after_id", "after_name"))
    state, _, rest = cursor.partition("~")
    table, _, name = rest.partition("~")
    try:
        return {"after_open": state == "open", "after_id": UUID(table), "after_name": name}
    except ValueError:
        raise BadCursor("this is no place in a list of tables") from None
