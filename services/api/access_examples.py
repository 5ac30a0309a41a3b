"""An example of the access log, as the route answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID, uuid5

import msgspec

from services.access_report import AccessEntry, AccessPage


def access_examples(hand: UUID, number: str) -> Iterator[msgspec.Struct]:
    """An auditor saw all cards of a hand."""
    entry = AccessEntry(
        position=4711,
        at=datetime(2026, 1, 12, 9, 30, tzinfo=UTC),
        what="cards_seen",
        actor=str(uuid5(hand, "auditor")),
        subject="Gaming board",
        role="auditor",
        key="6435d766be369924",
        hand=hand,
        number=number,
        view="all",
        purpose="complaint 17",
    )
    yield entry
    yield AccessPage(entries=(entry,), next=None, complete_to=4720)
