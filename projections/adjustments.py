"""What rulings posted outside hands: double entry, player by player, balanced fact by fact."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar
from uuid import UUID

import msgspec

from domain.disputes.adjustments import TAG, AdjustmentPosted, decode
from projections.shape import StoredRow, StreamKind, StreamProjection, Told, in_utc


class Row(msgspec.Struct, frozen=True):
    """All that was posted for a player."""

    posted: tuple[AdjustmentPosted, ...] = ()


class AdjustmentRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """One posting of the `n`-th fact of a player's ledger; `day` is the value date."""

    table: ClassVar[str] = "adjustments"
    key: ClassVar[str] = "ledger"

    ledger: UUID
    n: int
    line: int
    dispute: UUID
    ruling: UUID
    hand: UUID
    player: str
    account: str
    amount: int
    day: date
    posted_at: datetime
    money_kind: str
    currency: str
    exponent: int


def project(row: Row | None, event: AdjustmentPosted) -> Row:
    """Fold one fact. Pure."""
    before = row.posted if row else ()
    assert sum(posting.amount for posting in event.postings) == 0, "an entry adds up to zero"
    return Row((*before, event))


def rows(row: Row, told: Told) -> tuple[AdjustmentRow, ...]:
    """One row per posting."""
    return tuple(
        AdjustmentRow(
            ledger=told.stream,
            n=n,
            line=line,
            dispute=event.case,
            ruling=event.ruling,
            hand=event.hand,
            player=event.player,
            account=posting.account,
            amount=posting.amount,
            day=event.value_date,
            posted_at=in_utc(event.at or told.recorded_at),
            money_kind=event.money.kind,
            currency=event.money.currency,
            exponent=event.money.exponent,
        )
        for n, event in enumerate(row.posted, 1)
        for line, posting in enumerate(event.postings, 1)
    )


ADJUSTMENTS = StreamProjection(
    name="adjustments",
    of=StreamKind(frozenset({TAG}), frozenset(), decode),
    project=project,
    tables=(AdjustmentRow,),
    rows=rows,
)
