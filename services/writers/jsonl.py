"""JSON Lines: one event a line, as `studledger import` reads them again."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec

from domain.events import HandEvent
from services.writers.hand import SeenHand


class EventLine(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a hand; `n` counts from 1."""

    hand: UUID
    n: int
    event: HandEvent


_encode = msgspec.json.Encoder().encode


def lines_of(hand: SeenHand) -> Iterator[bytes]:
    """The hand's events, a line each."""
    for n, event in enumerate(hand.events, 1):
        yield _encode(EventLine(hand=hand.hand, n=n, event=event)) + b"\n"
