"""Which facts the feed has, and how one of them is written: what is not named here is left out."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from domain.discreet import Discreet
from domain.tables.events import TYPES as TABLE_TYPES
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

FEED_TYPES = HAND_TYPES | TABLE_TYPES
"""Keys, sightings and whatever else is in the log is nobody's to follow."""


class Shown(Discreet, frozen=True, kw_only=True):
    """One fact as it is sent: `text` is the JSON of its `Line`, masked for a view.

    `table` is the table it happened at, where we dealt the hand ourselves. `recorded` is the fact
    as stored, for views that may know more.
    """

    position: int
    stream: UUID
    type: str
    table: UUID | None
    text: str
    recorded: Recorded

    @property
    def size(self) -> int:
        """Bytes it takes to keep, near enough."""
        return len(self.text) + len(self.recorded.state)


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    position: int
    stream: UUID
    n: int
    type: str
    recorded_at: datetime
    event: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def shown(fact: Recorded, event: bytes, table: UUID | None) -> Shown:
    """A fact with what may be known of its event, as JSON."""
    line = _Line(
        position=fact.position,
        stream=fact.stream,
        n=fact.n,
        type=fact.type,
        recorded_at=fact.recorded_at,
        event=msgspec.Raw(event),
    )
    return Shown(
        position=fact.position,
        stream=fact.stream,
        type=fact.type,
        table=table,
        text=_encode(line).decode(),
        recorded=fact,
    )
