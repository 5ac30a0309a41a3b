"""Erasing one thing that was put with a case: a letter with a stranger's name, a scan too many."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from services.disputes import InCase, OnHold, erase, load_case
from services.live import By
from services.privacy.holds import protected
from services.store.room import Room


def erase_kept(
    room: Room, case: UUID, kept: UUID, reason: str, by: By, *, at: datetime | None = None
) -> InCase:
    """As `services.disputes.erase`, unless a hold of any sort protects the case.

    Holds are set on cases, on hands and on players. Raises `OnHold` and what `erase` does.
    """
    opened = load_case(room.store, case).case.opened
    held = protected(room)
    if opened.hand in held.hands or opened.complainant in held.players:
        raise OnHold("the case, its hand or the complainant is on legal hold: nothing is erased")
    return erase(room, case, kept, reason, by, at=at)
