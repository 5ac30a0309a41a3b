"""Chips on and off tables in double entry, and sessions: who sat where, from buy-in to leaving.

Who sits down or adds chips buys them from the cashier, who leaves gives them back. What play does
in between is in the ledgers of the hands; a session says what the table itself saw of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar, Literal
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.discreet import Discreet
from domain.disputes.adjustments import table_account
from domain.events import Money
from domain.tables import events as t
from domain.tables.table import Table, evolve
from domain.units import Chips, ChipsMoved, Seat
from projections.shape import EntryRow, StoredRow, StreamProjection, Told, in_utc
from projections.tables import OF_TABLES

CASHIER = "House:Cashier"

Memo = Literal["buy-in", "chips added", "cash-out"]


class Moved(Discreet, frozen=True):
    """Chips from the cashier to a player at the table (+), or back (-), by fact `n`."""

    n: int
    player: str
    amount: ChipsMoved
    memo: Memo
    at: datetime | None


class Session(Discreet, frozen=True, kw_only=True):
    """Somebody at a table from fact `n` on, until `left_n`. `won` is what his hands came to."""

    n: int
    seat: Seat
    player: str
    seated_at: datetime | None
    bought_in: Chips
    hands: int = 0
    won: ChipsMoved = 0
    left_n: int | None = None
    left_at: datetime | None = None
    cashed_out: Chips | None = None


class Row(msgspec.Struct, frozen=True):
    """The table so far; what moved on and off it; its sessions, and its hands by their facts."""

    table: Table
    n: int
    moved: tuple[Moved, ...] = ()
    sessions: tuple[Session, ...] = ()
    hands: tuple[tuple[int, UUID], ...] = ()


class TablePostingRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """One posting of the `n`-th fact of a table."""

    table: ClassVar[str] = "table_postings"
    key: ClassVar[str] = "table_id"

    table_id: UUID
    n: int
    line: int
    account: str
    amount: int
    memo: str
    happened_at: datetime
    money_kind: str
    currency: str
    exponent: int


class SessionRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """One session. `stack` is what he has in front of him now, `in_hand` the hand he is in."""

    table: ClassVar[str] = "table_sessions"
    key: ClassVar[str] = "table_id"

    table_id: UUID
    n: int
    left_n: int | None
    seat: int
    player: str
    seated_at: datetime
    left_at: datetime | None
    hands: int
    bought_in: int
    won: int
    cashed_out: int | None
    stack: int
    in_hand: UUID | None
    money_kind: str
    currency: str
    exponent: int


class TableHandRow(EntryRow, frozen=True, kw_only=True, gc=False):
    """The hand that began with fact `step` of the table."""

    table: ClassVar[str] = "table_hands"
    key: ClassVar[str] = "table_id"

    table_id: UUID


def project(row: Row | None, event: t.TableEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(evolve(None, event), 1)
    before, now = row.table, evolve(row.table, event)
    row = replace(row, table=now, n=row.n + 1)
    match event:
        case t.PlayerSeated():
            return _seated(row, event)
        case t.ChipsAdded(seat=seat, amount=amount):
            session = _sitting(row, seat)
            moved = Moved(row.n, session.player, amount, "chips added", event.at)
            bought_in = session.bought_in + amount
            return _changed(_moving(row, moved), session, bought_in=bought_in)
        case t.PlayerLeft(seat=seat, stack=stack):
            session = _sitting(row, seat)
            moved = Moved(row.n, session.player, -stack, "cash-out", event.at)
            left = {"left_n": row.n, "left_at": event.at, "cashed_out": stack}
            return _changed(_moving(row, moved), session, **left)
        case t.HandBegun(hand=hand):
            return replace(row, hands=(*row.hands, (row.n, hand)))
        case t.HandEnded():
            return _played(row, before, event)
        case (
            t.TableOpened() | t.PlayerLeaving() | t.SatOut() | t.SatIn() | t.TableClosed()
        ):  # fmt: skip
            return row


def _seated(row: Row, event: t.PlayerSeated) -> Row:
    session = Session(
        n=row.n,
        seat=event.seat,
        player=event.player,
        seated_at=event.at,
        bought_in=event.stack,
    )
    row = _moving(row, Moved(row.n, event.player, event.stack, "buy-in", event.at))
    return replace(row, sessions=(*row.sessions, session))


def _played(row: Row, before: Table, event: t.HandEnded) -> Row:
    """What the hand did to each stack it began with."""
    assert before.playing is not None, "evolve took the end of the hand in"
    begun = {taken.seat: taken.stack for taken in before.playing.seats}
    for left in event.stacks:
        session = _sitting(row, left.seat)
        won = session.won + left.stack - begun[left.seat]
        row = _changed(row, session, won=won, hands=session.hands + 1)
    return row


def _sitting(row: Row, seat: Seat) -> Session:
    return next(s for s in reversed(row.sessions) if s.seat == seat and s.left_n is None)


def _changed(row: Row, session: Session, **changes: object) -> Row:
    after = replace(session, **changes)
    return replace(row, sessions=tuple(after if s is session else s for s in row.sessions))


def _moving(row: Row, moved: Moved) -> Row:
    return replace(row, moved=(*row.moved, moved)) if moved.amount else row


def rows(row: Row, told: Told) -> tuple[StoredRow, ...]:
    """Postings, sessions and hands of the table."""
    money = row.table.opened.money
    return (
        *(posting for moved in row.moved for posting in _postings(moved, money, told)),
        *(_session(row, session, money, told) for session in row.sessions),
        *(TableHandRow(hand=hand, step=n, table_id=told.stream) for n, hand in row.hands),
    )


def _postings(moved: Moved, money: Money, told: Told) -> Iterator[TablePostingRow]:
    """Two that add up to zero."""
    entry = ((CASHIER, -moved.amount), (table_account(moved.player), moved.amount))
    assert sum(amount for _, amount in entry) == 0, "an entry adds up to zero"
    for line, (account, amount) in enumerate(entry, 1):
        yield TablePostingRow(
            table_id=told.stream,
            n=moved.n,
            line=line,
            account=account,
            amount=amount,
            memo=moved.memo,
            happened_at=in_utc(moved.at or told.recorded_at),
            money_kind=money.kind,
            currency=money.currency,
            exponent=money.exponent,
        )


def _session(row: Row, session: Session, money: Money, told: Told) -> SessionRow:
    sitting = None if session.left_n is not None else row.table.at(session.seat)
    playing = row.table.playing if sitting is not None else None
    return SessionRow(
        table_id=told.stream,
        n=session.n,
        left_n=session.left_n,
        seat=session.seat,
        player=session.player,
        seated_at=in_utc(session.seated_at or told.recorded_at),
        left_at=None if session.left_at is None else in_utc(session.left_at),
        hands=session.hands,
        bought_in=session.bought_in,
        won=session.won,
        cashed_out=session.cashed_out,
        stack=sitting.chips if sitting else 0,
        in_hand=playing.hand if playing and playing.has(session.seat) else None,
        money_kind=money.kind,
        currency=money.currency,
        exponent=money.exponent,
    )


TABLE_LEDGER = StreamProjection(
    name="table_ledger",
    of=OF_TABLES,
    project=project,
    tables=(TablePostingRow, SessionRow, TableHandRow),
    rows=rows,
)
