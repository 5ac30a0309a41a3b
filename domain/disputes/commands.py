"""What somebody asks of a case, in the imperative. `by` is the subject who asks."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from domain.commands import Command
from domain.disputes.events import Category, Channel, EvidenceKind, RulingKind
from domain.events import SeatMove
from domain.house_rules import Remedy
from domain.units import ChipsMoved


class _OfCase(Command, frozen=True):
    """Base of every command to a case."""

    by: str


class OpenCase(_OfCase, frozen=True, kw_only=True, tag="open_case"):
    """Take up a complaint about a hand (D1)."""

    hand: UUID
    category: Category
    complainant: str
    channel: Channel
    step: int | None = None
    submitted_at: datetime


class Acknowledge(_OfCase, frozen=True, tag="acknowledge"):
    """Say that the complainant was told it arrived."""


class AddNote(_OfCase, frozen=True, tag="add_note"):
    """Put a text with the case, kept outside."""

    kept: UUID
    salted_sha256: str
    size: int


class AddAttachment(_OfCase, frozen=True, tag="add_attachment"):
    """Put a file with the case, kept outside."""

    kept: UUID
    sha256: str
    size: int
    media_type: str


class KeepEvidence(_OfCase, frozen=True, tag="keep_evidence"):
    """Put with the case what was worked out from the record."""

    kept: UUID
    kind: EvidenceKind
    asked: str
    salted_sha256: str
    size: int


class ProposeRuling(_OfCase, frozen=True, tag="propose_ruling"):
    """Say what should be ruled (D2, D3, D4). What a void moves follows from the hand.

    So does what a hand rolled back moves, where no amount is named (D6).
    """

    ruling: UUID
    kind: RulingKind
    reason: str
    rule: str
    moves: tuple[SeatMove, ...] = ()
    rake: ChipsMoved = 0
    remedy: Remedy | None = None
    step: int | None = None
    evidence: UUID | None = None


class WithdrawRuling(_OfCase, frozen=True, tag="withdraw_ruling"):
    """Take a proposal back (D2)."""

    ruling: UUID


class ApproveRuling(_OfCase, frozen=True, tag="approve_ruling"):
    """Agree with a proposal of somebody else (D2); what it moves is moved."""

    ruling: UUID


class AnswerCase(_OfCase, frozen=True, tag="answer_case"):
    """Say that the complainant has his answer (D1)."""

    letter: UUID | None = None


class CloseCase(_OfCase, frozen=True, tag="close_case"):
    """End the case (D5)."""


class ReopenCase(_OfCase, frozen=True, tag="reopen_case"):
    """Go on with a closed case (D5)."""

    reason: str


class SetHold(_OfCase, frozen=True, tag="set_hold"):
    """Let nothing about it be erased."""

    reason: str


class LiftHold(_OfCase, frozen=True, tag="lift_hold"):
    """Let what may be erased be erased again."""


class NoteReport(_OfCase, frozen=True, tag="note_report"):
    """Say that a report was made, and what it is known by."""

    sha256: str
    size: int


class EraseKept(_OfCase, frozen=True, tag="erase_kept"):
    """Keep something no longer that was put with the case (D5)."""

    kept: UUID
    reason: str


CaseCommand = (
    OpenCase | Acknowledge | AddNote | AddAttachment | KeepEvidence
    | ProposeRuling | WithdrawRuling | ApproveRuling
    | AnswerCase | CloseCase | ReopenCase | SetHold | LiftHold | NoteReport | EraseKept
)  # fmt: skip
