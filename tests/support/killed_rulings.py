"""What a process does in a case until it is killed: it proposes, or approves, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from uuid import UUID

from domain.disputes import adjustments as a
from services.disputes import load_case
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.cases import approve, proposed
from tests.support.faults import Report

Asked = tuple[UUID, UUID]
"""A case, and a ruling that waits in it."""


def propose_and_linger(report: Report, settings: Settings, case: UUID) -> None:
    """Propose a ruling and do nothing else any more."""
    with open_room(settings) as room:
        report("proposed", proposed(room, case))
        Event().wait()


def approve_all(report: Report, settings: Settings, asked: Sequence[Asked]) -> None:
    """Approve one ruling after the other, and then nothing any more."""
    with open_room(settings) as room:
        report("open")
        for case, ruling in asked:
            approve(room, case, ruling)
            report("approved", ruling)
        Event().wait()


def parts_of_a_ruling(room: Room, case: UUID) -> dict[str, int]:
    """How many facts of its last ruling are where they belong: in the case, its hand, ledgers."""
    loaded = load_case(room.store, case).case
    ruling, hand = loaded.rulings[-1], loaded.opened.hand
    cause = f"ruling {ruling.id}"
    posted = (
        fact
        for number in (1, 2, 3)
        for fact in room.store.load(a.ledger_stream(f"player-{number}"))
        if fact.causation == cause
    )
    return {
        "case": int(ruling.stage == "approved"),
        "hand": sum(fact.causation == cause for fact in room.store.load(hand)),
        "ledgers": len(list(posted)),
    }
