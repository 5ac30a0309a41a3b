"""The days of a room that are closed, as its log has them."""

from __future__ import annotations

from domain.closing import DAYS, DayClosed, decode
from services.store.port import EventStore


def closed_days(store: EventStore) -> tuple[DayClosed, ...]:
    """Every close, in order."""
    return tuple(map(decode, store.states(DAYS)))
