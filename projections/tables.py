"""Every table as one row: what is played there, who holds how many seats, which hand is on."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

import msgspec

from domain.tables.events import TYPES, TableClosed, TableEvent, decode
from domain.tables.table import Table, evolve
from projections.shape import StoredRow, StreamKind, StreamProjection, Told, in_utc


class Row(msgspec.Struct, frozen=True):
    """The table so far, how many facts that takes in, and when it was closed."""

    table: Table
    version: int = 1
    closed_at: datetime | None = None


class OneTable(StoredRow, frozen=True, kw_only=True, gc=False):
    """One table. Amounts in minor units.

    `seats` are those taken, `hand` is the one being played, `hands` how many have begun.
    `position` is that of the table's last fact in the log, `version` how many there are.
    """

    table: ClassVar[str] = "tables"
    key: ClassVar[str] = "id"

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


def project(row: Row | None, event: TableEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(evolve(None, event))
    closed_at = event.at if isinstance(event, TableClosed) else row.closed_at
    return Row(evolve(row.table, event), row.version + 1, closed_at)


def rows(row: Row, told: Told) -> tuple[OneTable]:
    """The one row of the table."""
    table, opened = row.table, row.table.opened
    return (
        OneTable(
            id=told.stream,
            name=opened.name,
            game=opened.game,
            site=opened.site,
            small_bet=opened.stakes.small_bet,
            big_bet=opened.stakes.big_bet,
            ante=opened.stakes.ante,
            bring_in=opened.stakes.bring_in,
            money_kind=opened.money.kind,
            currency=opened.money.currency,
            exponent=opened.money.exponent,
            house_rules=f"{opened.house_rules.name} {opened.house_rules.version}",
            max_seats=opened.max_seats,
            seats=len(table.seats),
            hand=table.playing.hand if table.playing else None,
            hands=table.hands_begun,
            is_open=not table.closed,
            opened_at=in_utc(opened.at or told.recorded_at),
            closed_at=in_utc(row.closed_at) if row.closed_at else None,
            version=row.version,
            position=told.position,
        ),
    )


OF_TABLES = StreamKind(TYPES, frozenset({"table_closed.v1"}), decode)
"""The kind of stream a table is."""

TABLES = StreamProjection(
    name="tables",
    of=OF_TABLES,
    project=project,
    tables=(OneTable,),
    rows=rows,
)
