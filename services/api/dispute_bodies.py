"""What is sent to disputes. Unknown fields are refused."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta

from domain.discreet import Discreet
from domain.disputes.events import Category, Channel, RulingKind
from domain.events import SeatMove
from domain.house_rules import Remedy
from domain.units import ChipsMoved
from services.disputes import CaseEvidence, CaseSheet, CasesPage

OPENING: dict[str, Any] = {
    "hand": "D00001",
    "step": 12,
    "category": "award",
    "complainant": "5f0c1d7a-9b3e-4c86-a1d2-0e97b4c35f68",
    "channel": "email",
    "submitted_at": "2026-01-09T12:00:00Z",
}
"""A complaint, as an example."""

Short = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
Words = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]
Text = Annotated[str, Meta(min_length=1, max_length=20_000, pattern=r"^[^\x00]+$")]
Base64 = Annotated[bytes, Meta(min_length=1)]
MediaType = Annotated[str, Meta(pattern=r"^[a-z]+/[a-zA-Z0-9.+-]{1,80}$")]


class _Wanted(Discreet, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of what is sent."""


class ComplaintMade(_Wanted, frozen=True):
    """A complaint about a hand, by id or number. `complainant` is an opaque id, never a name.

    Without `submitted_at` he complains now.
    """

    hand: Short
    category: Category
    complainant: Short
    channel: Channel
    step: int | None = None
    submitted_at: Annotated[datetime, Meta(tz=True)] | None = None


class NoteWritten(_Wanted, frozen=True):
    """A note for the case; it is kept outside the log."""

    text: Text


class FileHandedIn(_Wanted, frozen=True):
    """A file for the case, in base64; it is kept outside the log, its digest in it."""

    content: Base64
    media_type: MediaType
    name: Short | None = None


class Supposition(_Wanted, frozen=True):
    """What is to be different, as `GET /v1/hands/{hand}/whatif` has it: one or several of these."""

    step: int | None = None
    instead: Short | None = None
    policy: tuple[Short, ...] = ()
    schedule: Short | None = None

    @property
    def asked(self) -> tuple[str | None, tuple[str, ...], str | None]:
        """The decision, policies and rake schedule."""
        return self.instead, self.policy, self.schedule


class KeptNamed(_Wanted, frozen=True):
    """A note, file or evidence of the case, and why it is erased. No names: that stays for ever."""

    kept: UUID
    reason: Words


class RulingWanted(_Wanted, frozen=True):
    """What should be ruled, every amount in minor units; see `docs/disputes.md`.

    `evidence` names a kept what-if; without `moves` a corrected award takes its amounts, and one
    with the remedy `roll_back` those that follow from its `step`.
    """

    kind: RulingKind
    reason: Words
    rule: Short
    moves: tuple[SeatMove, ...] = ()
    rake: ChipsMoved = 0
    remedy: Remedy | None = None
    step: int | None = None
    evidence: UUID | None = None


class RulingNamed(_Wanted, frozen=True):
    """A ruling of the case."""

    ruling: UUID


class AnswerGiven(_Wanted, frozen=True):
    """The complainant has his answer; `letter` is the note or file with it."""

    letter: UUID | None = None


class HoldWanted(_Wanted, frozen=True):
    """A legal hold, set for a reason or lifted."""

    state: Literal["set", "lifted"]
    reason: Words = "none given"


class Reopening(_Wanted, frozen=True):
    """Why a closed case goes on."""

    reason: Words


DISPUTE_BODIES = (
    CaseEvidence,
    CasesPage,
    CaseSheet,
    ComplaintMade,
    NoteWritten,
    FileHandedIn,
    Supposition,
    KeptNamed,
    RulingWanted,
    RulingNamed,
    AnswerGiven,
    HoldWanted,
    Reopening,
)
"""What is sent to disputes and what they answer."""
