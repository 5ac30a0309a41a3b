"""What somebody wants of a dispute as a command: the same whether it came as JSON or as a form."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid4, uuid5

from domain.disputes import commands as q
from services.api import dispute_bodies as b
from services.api.files import on_file
from services.disputes import amounts_of
from services.live import By
from services.store.room import Room


def opening_of(room: Room, made: b.ComplaintMade, by: By, at: datetime) -> q.OpenCase:
    """Take up this complaint, made `at` now if it does not say when.

    Raises `UnknownHand` or `AmbiguousHand`.
    """
    return q.OpenCase(
        hand=on_file(room, made.hand).hand,
        category=made.category,
        complainant=made.complainant,
        channel=made.channel,
        step=made.step,
        submitted_at=made.submitted_at or at,
        by=by.actor,
        at=at,
    )


def ruling_of(
    room: Room, case: UUID, wanted: b.RulingWanted, by: By, at: datetime
) -> q.ProposeRuling:
    """Propose this ruling, its amounts those of the kept what-if it names, if it names none.

    Raises `UnknownFile` or `NoAmounts`.
    """
    moves, rake = wanted.moves, wanted.rake
    if wanted.kind == "corrected_award" and wanted.evidence is not None and not moves:
        moves, rake = amounts_of(room, case, wanted.evidence)
    return q.ProposeRuling(
        ruling=uuid4() if by.command_id is None else uuid5(by.command_id, "ruling"),
        kind=wanted.kind,
        reason=wanted.reason,
        rule=wanted.rule,
        moves=moves,
        rake=rake,
        remedy=wanted.remedy,
        step=wanted.step,
        evidence=wanted.evidence,
        by=by.actor,
        at=at,
    )


def hold_of(wanted: b.HoldWanted, by: By, at: datetime) -> q.SetHold | q.LiftHold:
    """Set a legal hold or lift it."""
    if wanted.state == "lifted":
        return q.LiftHold(by=by.actor, at=at)
    return q.SetHold(reason=wanted.reason, by=by.actor, at=at)
