"""A case as it is shown: its dates, what is kept with it, its rulings, the money they moved."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from domain.discreet import Discreet
from domain.disputes.case import Case, Ruling, Stage, Status
from domain.disputes.events import (
    CaseEvent,
    Category,
    Channel,
    PolicyInForce,
    RulingKind,
)
from domain.events import HandStarted, SeatMove
from domain.house_rules import Remedy
from domain.ruled import Ruled, as_ruled
from domain.units import ChipsMoved
from services.disputes.files import CaseFile, files_of
from services.disputes.loading import LoadedCase, load_hand
from services.store.room import Room


class KeptSheet(Discreet, frozen=True, kw_only=True):
    """Something kept with the case; `text` of notes only, all but the digest null once erased."""

    id: UUID
    kind: str
    sha256: str
    size: int
    media_type: str | None
    name: str | None
    text: str | None


class RulingSheet(Discreet, frozen=True, kw_only=True):
    """A ruling with every amount, in minor units of the hand's currency."""

    id: UUID
    kind: RulingKind
    stage: Stage
    reason: str
    rule: str
    moves: tuple[SeatMove, ...]
    rake: ChipsMoved
    house: ChipsMoved
    policy: PolicyInForce
    remedy: Remedy | None
    step: int | None
    evidence: UUID | None
    proposed_by: str
    proposed_at: datetime | None
    approved_by: str | None
    approved_at: datetime | None


class CaseSheet(Discreet, frozen=True, kw_only=True):
    """A case as it stands. `ruled` is the hand's money as played and as ruled, if it was."""

    id: UUID
    hand: UUID
    number: str
    site: str
    step: int | None
    category: Category
    complainant: str
    channel: Channel
    status: Status
    currency: str
    exponent: int
    submitted_at: datetime
    opened_at: datetime | None
    acknowledged_at: datetime | None
    due_at: datetime
    answered_at: datetime | None
    on_hold: bool
    rulings: tuple[RulingSheet, ...]
    kept: tuple[KeptSheet, ...]
    reports: tuple[str, ...]
    ruled: Ruled | None
    version: int
    events: tuple[CaseEvent, ...]


def case_sheet(room: Room, loaded: LoadedCase) -> CaseSheet:
    """The case with what is still kept of it, and its hand's money."""
    hand = load_hand(room.store, loaded.case.opened.hand)
    files = {file.id: file for file in files_of(room, loaded.id)}
    return sheet_of(loaded, hand.hand.started, as_ruled(hand.events), files)


def sheet_of(
    loaded: LoadedCase, started: HandStarted, ruled: Ruled | None, files: Mapping[UUID, CaseFile]
) -> CaseSheet:
    """The sheet of a case about this hand. Pure."""
    case, opened = loaded.case, loaded.case.opened
    return CaseSheet(
        id=loaded.id,
        hand=opened.hand,
        number=started.number,
        site=started.site,
        step=opened.step,
        category=opened.category,
        complainant=opened.complainant,
        channel=opened.channel,
        status=case.status,
        currency=started.money.currency,
        exponent=started.money.exponent,
        submitted_at=opened.submitted_at,
        opened_at=opened.at,
        acknowledged_at=case.acknowledged_at,
        due_at=case.due_at,
        answered_at=case.answered_at,
        on_hold=case.on_hold,
        rulings=tuple(map(_ruling, case.rulings)),
        kept=tuple(_kept(case, files)),
        reports=case.reports,
        ruled=ruled,
        version=case.version,
        events=loaded.events,
    )


def _ruling(ruling: Ruling) -> RulingSheet:
    proposed = ruling.proposed
    return RulingSheet(
        id=ruling.id,
        kind=proposed.kind,
        stage=ruling.stage,
        reason=proposed.reason,
        rule=proposed.rule,
        moves=proposed.moves,
        rake=proposed.rake,
        house=proposed.house,
        policy=proposed.policy,
        remedy=proposed.remedy,
        step=proposed.step,
        evidence=proposed.evidence,
        proposed_by=proposed.proposed_by,
        proposed_at=proposed.at,
        approved_by=ruling.approved_by,
        approved_at=ruling.approved_at,
    )


def _kept(case: Case, files: Mapping[UUID, CaseFile]) -> list[KeptSheet]:
    sheets = []
    for one in case.kept:
        file = None if one.erased else files.get(one.id)
        text = file.body.decode() if file is not None and one.kind == "note" else None
        sheets.append(
            KeptSheet(
                id=one.id,
                kind=one.kind,
                sha256=one.digest,
                size=one.size,
                media_type=file.media_type if file else None,
                name=file.name if file else None,
                text=text,
            )
        )
    return sheets
