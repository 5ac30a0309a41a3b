"""Hands at a table: how one begins with the stacks there, and what it leaves when it ends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from domain.events import Deck, HandStarted, SeatStack, Source, TableRef
from domain.tables.commands import BeginHand, EndHand
from domain.tables.decide import decide
from domain.tables.events import HandBegun
from domain.units import Seat
from services.identity import hand_id
from services.store.port import Append
from services.tables.loading import LoadedTable, appending


def hand_number(table: UUID, ordinal: int) -> str:
    """The number printed on the table's hand: `T3c9e51d0-1` for the first."""
    return f"T{table.hex[:8]}-{ordinal}"


def hand_of(loaded: LoadedTable, ordinal: int) -> UUID:
    """The id of the table's hand of this ordinal, begun or to be begun."""
    return hand_id(loaded.table.opened, hand_number(loaded.id, ordinal), digest="")


def begun(
    loaded: LoadedTable, dealer: Seat | None, at: datetime, ordinal: int | None = None
) -> HandBegun:
    """The table's next hand, dealt to everybody who plays; the disc moves unless a dealer is named.

    `ordinal` is its own, one more than hands were begun if not said. Raises `Refused`: a hand is
    being played, fewer than two have chips, the table is closed (G4).
    """
    table = loaded.table
    ordinal = ordinal or table.hands_begun + 1
    number, hand = hand_number(loaded.id, ordinal), hand_of(loaded, ordinal)
    (event,) = decide(table, BeginHand(hand=hand, number=number, dealer=dealer, at=at))
    assert isinstance(event, HandBegun)
    return event


def hand_at(loaded: LoadedTable, begun: HandBegun, deck: Deck) -> HandStarted:
    """The first fact of the hand that begins: the table's terms, seats and stacks."""
    opened = loaded.table.opened
    return HandStarted(
        game=opened.game,
        stakes=opened.stakes,
        money=opened.money,
        house_rules=opened.house_rules,
        rake_schedule=opened.rake_schedule,
        site=opened.site,
        number=begun.number,
        table=TableRef(id=str(loaded.id), name=opened.name, max_seats=opened.max_seats),
        dealer=begun.dealer,
        seats=begun.seats,
        played_at=begun.at,
        deck=deck,
        source=Source(kind="dealt", format=None, text_sha256=None),
        at=begun.at,
    )


def ended(
    loaded: LoadedTable,
    hand: UUID,
    stacks: Iterable[SeatStack],
    voided: bool,
    at: datetime,
    actor: str,
    *,
    command_id: UUID | None = None,
    request_id: str | None = None,
    causation: str | None = None,
) -> Append:
    """That the hand ended with these stacks, and who now leaves, for the table's stream.

    Raises `Refused` if it is not the hand being played there or chips are missing (P8, P9).
    """
    command = EndHand(hand=hand, stacks=tuple(stacks), voided=voided, at=at)
    return appending(
        loaded,
        decide(loaded.table, command),
        actor,
        command_id=command_id,
        request_id=request_id,
        causation=causation,
    )
