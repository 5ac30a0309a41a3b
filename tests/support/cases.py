"""Cases in a room: a raked hand told, complained of, ruled on by two people."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from msgspec.structs import replace

from domain import events as e
from domain.disputes import commands as q
from services.disputes import (
    handle,
    open_case,
)
from services.live import By
from services.store.port import Append, facts
from services.store.room import Room
from tests.support import disputes as s
from tests.support.bdd import Table

FLORA = By(actor=str(UUID(int=2)), role="floor")
APPIA = By(actor=str(UUID(int=3)), role="approver")


def told(room: Room, table: Table | None = None, kind: Any = "dealt") -> UUID:
    """A raked hand in the log, as dealt here or as it came."""
    first, *rest = (table or s.RAKED).log
    assert isinstance(first, e.HandStarted)
    started = replace(first, source=e.Source(kind=kind, format=None, text_sha256=None))
    append = Append(
        stream=uuid4(), expected=0, facts=facts([started, *rest]), actor="test", secret=True
    )
    room.store.append([append])
    return append.stream


def complaint(hand: UUID, **changes: Any) -> q.OpenCase:
    return s.opening(hand=hand, by=FLORA.actor, **changes)


def opened(room: Room, hand: UUID) -> UUID:
    return open_case(room.store, complaint(hand), FLORA).loaded.id


def proposed(room: Room, case: UUID, **changes: Any) -> UUID:
    wanted = s.proposing(by=FLORA.actor, ruling=uuid4(), **changes)
    handle(room.store, case, wanted, FLORA)
    return wanted.ruling


def approve(room: Room, case: UUID, ruling: UUID, by: By = APPIA) -> Any:
    return handle(room.store, case, s.approving(ruling=ruling, by=by.actor), by)


def last_of(room: Room, hand: UUID) -> e.HandEvent:
    return e.decode(room.store.states(hand)[-1])


def events_of(room: Room, hand: UUID) -> tuple[e.HandEvent, ...]:
    return tuple(map(e.decode, room.store.states(hand)))
