"""Examples of what the ledger answers: a day with one late ruling, a session, their accounts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import msgspec

from domain.closing import AccountTotal, DayClosed
from services.api.ledger_bodies import DayToClose
from services.ledger import (
    Accounts,
    Balance,
    Closes,
    CloseTold,
    LateEntry,
    LedgerDay,
    SessionFound,
    SessionsFound,
)
from services.ledger.report import TableRake

TABLE = UUID("3c9e51d0-66aa-4b61-8f5e-0d7c1e2f9a10")
HAND = UUID("9f1c52aa-7d1e-5c0b-8a44-2f6b0c9d7e13")
PLAYER = "5f0c1d7a-9b3e-4c86-a1d2-0e97b4c35f68"
DAY = date(2026, 1, 9)
BEGAN = datetime(2026, 1, 9, tzinfo=UTC)
CLOSED_AT = datetime(2026, 1, 10, 6, 15, tzinfo=UTC)


def ledger_examples() -> Iterator[msgspec.Struct]:
    """One of each answer, and what of it can be a line."""
    amounts = {"House:Cashier": -20_000, "House:Rake": 150, "Player:Table": 19_850}
    balances = tuple(_balance(account, amount) for account, amount in amounts.items())
    yield balances[0]
    yield Accounts(accounts=balances, complete_to=4711, log_at=4711)
    yield _session()
    yield SessionsFound(sessions=(_session(),), complete_to=4711, log_at=4711)
    yield _closed()
    yield Closes(closes=(_closed(),), next=DAY + timedelta(days=1))
    yield CloseTold(closed=_closed(), new=True)
    yield DayToClose(day=DAY)
    yield _day()


def _balance(account: str, balance: int) -> Balance:
    return Balance(account=account, money_kind="real", currency="USD", exponent=2, balance=balance)


def _session() -> SessionFound:
    return SessionFound(
        table=TABLE,
        table_name="Amber",
        n=2,
        left_n=41,
        seat=3,
        player=PLAYER,
        seated_at=BEGAN + timedelta(hours=20),
        left_at=BEGAN + timedelta(hours=22),
        hands=17,
        bought_in=20_000,
        won=-150,
        cashed_out=19_850,
        stack=0,
        in_hand=None,
        money_kind="real",
        currency="USD",
        exponent=2,
        posted=-150,
        difference=0,
    )


def _totals() -> tuple[AccountTotal, ...]:
    moved = {"House:Cashier": -20_000, "House:Rake": 150, "Player:Table": 19_850}
    return tuple(
        AccountTotal(
            account=account,
            money_kind="real",
            currency="USD",
            exponent=2,
            opening=0,
            movements=amount,
            late=0,
            closing=amount,
        )
        for account, amount in moved.items()
    )


def _closed() -> DayClosed:
    return DayClosed(
        at=CLOSED_AT,
        by="2f6b1c7e-52a0-4a55-8f0a-6f1f0a3b9d11",
        day=DAY,
        time_zone="UTC",
        day_start="00:00",
        since=BEGAN,
        until=BEGAN + timedelta(days=1),
        position=4200,
        previous=None,
        hands=17,
        totals=_totals(),
        report_sha256="5d" * 32,
    )


def _day() -> LedgerDay:
    table = TableRake(
        table_id=str(TABLE),
        table_name="Amber",
        game="stud8",
        small_bet=200,
        big_bet=400,
        currency="USD",
        exponent=2,
        hands=17,
        pot=4_300,
        rake=150,
    )
    return LedgerDay(
        day=DAY,
        time_zone="UTC",
        day_start="00:00",
        closed=_closed(),
        rake=(table,),
        accounts=_totals(),
        late=(),
        since_closed=(_late("House:Goodwill", -500), _late(f"Player:{PLAYER}:Adjustment", 500)),
        in_progress=(),
        complete_to=4711,
        log_at=4711,
    )


def _late(account: str, amount: int) -> LateEntry:
    return LateEntry(
        happened_at=BEGAN + timedelta(hours=21),
        stream=UUID("71b0e2c9-3f50-5d1b-9a3e-6c0a8b4f2d77"),
        n=1,
        hand=HAND,
        number="T3c9e51d0-9",
        memo="ruling",
        account=account,
        money_kind="real",
        currency="USD",
        exponent=2,
        amount=amount,
    )
