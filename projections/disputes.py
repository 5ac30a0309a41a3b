"""The register of disputes: every case as one row, and every ruling with what it moves."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

import msgspec

from domain.disputes.case import Case, Ruling, evolve
from domain.disputes.events import TYPES, CaseClosed, CaseEvent, CaseReopened, decode
from projections.shape import StoredRow, StreamKind, StreamProjection, Told, as_json, in_utc


class Row(msgspec.Struct, frozen=True):
    """The case so far, and when it was closed."""

    case: Case
    closed_at: datetime | None = None


class CaseRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """One case. `ruling` is the kind of the last one and `stage` what became of it.

    `version` is how many facts the row takes in, `position` that of the last one in the log.
    """

    table: ClassVar[str] = "disputes"
    key: ClassVar[str] = "id"

    id: UUID
    hand: UUID
    step: int | None
    category: str
    complainant: str
    channel: str
    status: str
    submitted_at: datetime
    opened_at: datetime
    acknowledged_at: datetime | None
    due_at: datetime
    answered_at: datetime | None
    closed_at: datetime | None
    on_hold: bool
    rulings: int
    ruling: str | None
    stage: str | None
    proposed_by: str | None
    approved_by: str | None
    version: int
    position: int


class RulingRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """One ruling of a case; amounts in minor units of the hand's money."""

    table: ClassVar[str] = "dispute_rulings"
    key: ClassVar[str] = "dispute"

    dispute: UUID
    ruling: UUID
    hand: UUID
    kind: str
    stage: str
    rule: str
    policy: str
    moves: str
    rake: int
    house: int
    proposed_by: str
    approved_by: str | None


def project(row: Row | None, event: CaseEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(evolve(None, event))
    closed_at = row.closed_at
    if isinstance(event, CaseClosed | CaseReopened):
        closed_at = event.at if isinstance(event, CaseClosed) else None
    return Row(evolve(row.case, event), closed_at)


def rows(row: Row, told: Told) -> tuple[StoredRow, ...]:
    """The row of the case and those of its rulings."""
    case = row.case
    return (_of_case(row, told), *(_of_ruling(case, ruling, told) for ruling in case.rulings))


def _of_case(row: Row, told: Told) -> CaseRow:
    case, opened = row.case, row.case.opened
    last = case.rulings[-1] if case.rulings else None
    return CaseRow(
        id=told.stream,
        hand=opened.hand,
        step=opened.step,
        category=opened.category,
        complainant=opened.complainant,
        channel=opened.channel,
        status=case.status,
        submitted_at=in_utc(opened.submitted_at),
        opened_at=in_utc(opened.at or told.recorded_at),
        acknowledged_at=_utc(case.acknowledged_at),
        due_at=in_utc(case.due_at),
        answered_at=_utc(case.answered_at),
        closed_at=_utc(row.closed_at),
        on_hold=case.on_hold,
        rulings=len(case.rulings),
        ruling=last.proposed.kind if last else None,
        stage=last.stage if last else None,
        proposed_by=last.proposed.proposed_by if last else None,
        approved_by=last.approved_by if last else None,
        version=case.version,
        position=told.position,
    )


def _of_ruling(case: Case, ruling: Ruling, told: Told) -> RulingRow:
    proposed = ruling.proposed
    return RulingRow(
        dispute=told.stream,
        ruling=proposed.ruling,
        hand=case.opened.hand,
        kind=proposed.kind,
        stage=ruling.stage,
        rule=proposed.rule,
        policy=f"{proposed.policy.name} {proposed.policy.version}",
        moves=as_json(proposed.moves),
        rake=proposed.rake,
        house=proposed.house,
        proposed_by=proposed.proposed_by,
        approved_by=ruling.approved_by,
    )


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else in_utc(at)


DISPUTES = StreamProjection(
    name="disputes",
    of=StreamKind(TYPES, frozenset({"case_closed.v1"}), decode),
    project=project,
    tables=(CaseRow, RulingRow),
    rows=rows,
)
