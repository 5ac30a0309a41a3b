"""A case as it stands, and what each fact means for it: the pure reducer over its events.

It never chooses and never refuses; it raises `CorruptHistory` only for facts that cannot be
applied at all, such as the approval of what nobody proposed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec.structs import replace

from domain.discreet import Discreet
from domain.disputes import events as d
from domain.errors import CorruptHistory

Stage = Literal["proposed", "withdrawn", "approved"]
Status = Literal["open", "acknowledged", "ruling_proposed", "answered", "closed"]


class Ruling(Discreet, frozen=True, kw_only=True):
    """What was proposed and what became of it."""

    proposed: d.RulingProposed
    stage: Stage = "proposed"
    approved_by: str | None = None
    approved_at: datetime | None = None

    @property
    def id(self) -> UUID:
        """What it is known by."""
        return self.proposed.ruling


class Kept(Discreet, frozen=True):
    """Something put with the case: its bytes lie outside, or did until they were `erased`."""

    id: UUID
    kind: Literal["note", "attachment", "evidence"]
    digest: str
    size: int
    erased: bool = False


class Case(Discreet, frozen=True, kw_only=True):
    """A case after `version` facts. `due_at` is when the answer is due at the latest."""

    opened: d.CaseOpened
    due_at: datetime
    version: int = 1
    acknowledged_at: datetime | None = None
    acknowledged: bool = False
    answered_at: datetime | None = None
    answered: bool = False
    closed: bool = False
    on_hold: bool = False
    rulings: tuple[Ruling, ...] = ()
    kept: tuple[Kept, ...] = ()
    reports: tuple[str, ...] = ()

    @property
    def pending(self) -> Ruling | None:
        """The proposal that waits for approval; there is never more than one."""
        return next((ruling for ruling in self.rulings if ruling.stage == "proposed"), None)

    @property
    def status(self) -> Status:
        """How far it has come, in one word."""
        if self.closed:
            return "closed"
        if self.pending is not None:
            return "ruling_proposed"
        if self.answered:
            return "answered"
        return "acknowledged" if self.acknowledged else "open"

    def overdue(self, at: datetime) -> bool:
        """Whether the answer is still owed after its time."""
        return not self.answered and not self.closed and at > self.due_at

    def ruling(self, ruling: UUID) -> Ruling | None:
        """The ruling of this id, whatever became of it."""
        return next((one for one in self.rulings if one.id == ruling), None)

    def has(self, kept: UUID) -> bool:
        """Whether this was put with the case, erased or not."""
        return any(one.id == kept for one in self.kept)

    def still_has(self, kept: UUID) -> bool:
        """Whether this was put with the case and not erased since."""
        return any(one.id == kept and not one.erased for one in self.kept)


def replay(events: Iterable[d.CaseEvent]) -> Case:
    """The case after all `events`. Raises `CorruptHistory`, also if none came."""
    case: Case | None = None
    for event in events:
        case = evolve(case, event)
    if case is None:
        raise CorruptHistory("a case without any event")
    return case


def evolve(case: Case | None, event: d.CaseEvent) -> Case:
    """Apply one fact. Raises `CorruptHistory` if it cannot be applied at all."""
    if case is None:
        if not isinstance(event, d.CaseOpened):
            raise CorruptHistory(f"{d.tag_of(event)} before case_opened.v1")
        return Case(opened=event, due_at=event.due_at)
    case = replace(case, version=case.version + 1)
    match event:
        case d.CaseOpened():
            raise CorruptHistory("a case is opened twice")
        case d.NoteAdded() | d.AttachmentAdded() | d.EvidenceKept():
            return replace(case, kept=(*case.kept, _kept(event)))
        case d.KeptErased(kept=kept):
            return replace(case, kept=_without(case, kept))
        case d.RulingProposed():
            return replace(case, rulings=(*case.rulings, Ruling(proposed=event)))
        case d.RulingWithdrawn() | d.RulingApproved():
            return _ruled(case, event)
    return _gone_on(case, event)


GoneOn = (
    d.CaseAcknowledged | d.CaseAnswered | d.CaseClosed | d.CaseReopened
    | d.LegalHoldSet | d.LegalHoldLifted | d.ReportMade
)  # fmt: skip


def _gone_on(case: Case, event: GoneOn) -> Case:
    match event:
        case d.CaseAcknowledged(at=at):
            return replace(case, acknowledged=True, acknowledged_at=at)
        case d.CaseAnswered(at=at):
            return replace(case, answered=True, answered_at=at)
        case d.CaseClosed():
            return replace(case, closed=True)
        case d.CaseReopened(due_at=due_at):
            return replace(case, closed=False, answered=False, answered_at=None, due_at=due_at)
        case d.LegalHoldSet() | d.LegalHoldLifted():
            return replace(case, on_hold=isinstance(event, d.LegalHoldSet))
        case d.ReportMade(sha256=sha256):
            return replace(case, reports=(*case.reports, sha256))


def _kept(event: d.NoteAdded | d.AttachmentAdded | d.EvidenceKept) -> Kept:
    match event:
        case d.NoteAdded():
            return Kept(event.kept, "note", event.salted_sha256, event.size)
        case d.AttachmentAdded():
            return Kept(event.kept, "attachment", event.sha256, event.size)
        case d.EvidenceKept():
            return Kept(event.kept, "evidence", event.salted_sha256, event.size)


def _without(case: Case, kept: UUID) -> tuple[Kept, ...]:
    if not case.still_has(kept):
        raise CorruptHistory("kept_erased.v1 of what is not kept")
    return tuple(replace(one, erased=one.erased or one.id == kept) for one in case.kept)


def _ruled(case: Case, event: d.RulingWithdrawn | d.RulingApproved) -> Case:
    pending = case.pending
    if pending is None or pending.id != event.ruling:
        raise CorruptHistory(f"{d.tag_of(event)} of what is not proposed")
    if isinstance(event, d.RulingWithdrawn):
        ruled = replace(pending, stage="withdrawn")
    else:
        ruled = replace(
            pending, stage="approved", approved_by=event.approved_by, approved_at=event.at
        )
    others = [ruling for ruling in case.rulings if ruling.id != event.ruling]
    return replace(case, rulings=(*others, ruled))
