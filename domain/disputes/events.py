"""Facts of one case, in past tense. Stored for ever: add fields with defaults, never rename.

People are opaque ids: `by` and its like are subjects, `complainant` is whoever complains. What
was written or sent in lies outside, where it can be erased; here is only what it is known by.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, cast, get_args
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.discreet import Discreet
from domain.events import SeatMove
from domain.house_rules import Remedy
from domain.units import ChipsMoved

Category = Literal[
    "award", "odd_chip", "rake", "time_out", "connection",
    "cards", "betting", "conduct", "software", "other",
]  # fmt: skip
Channel = Literal["table", "chat", "email", "phone", "form", "post", "regulator"]
RulingKind = Literal["uphold", "void", "corrected_award", "goodwill"]
EvidenceKind = Literal["what_if", "gathered", "other"]


class PolicyInForce(Discreet, frozen=True, kw_only=True, gc=False):
    """The house rules the hand was played under, by name and version."""

    name: str
    version: int


class Event(Discreet, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """Base of every stored fact. The tag is the stored name, so files and classes may move.

    `at` is when it was done.
    """

    at: datetime | None = None


class CaseOpened(Event, frozen=True, tag="case_opened.v1"):
    """Somebody complained of a hand, at a step of it or as a whole; to be answered by `due_at`."""

    hand: UUID
    step: int | None
    category: Category
    complainant: str
    channel: Channel
    submitted_at: datetime
    due_at: datetime
    by: str


class CaseAcknowledged(Event, frozen=True, tag="case_acknowledged.v1"):
    """The complainant was told that his complaint has arrived."""

    by: str


class NoteAdded(Event, frozen=True, tag="note_added.v1"):
    """Something was written down; `salted_sha256` is over a salt and the text, kept outside."""

    kept: UUID
    salted_sha256: str
    size: int
    by: str


class AttachmentAdded(Event, frozen=True, tag="attachment_added.v1"):
    """A file was handed in; its bytes are kept outside and may be erased."""

    kept: UUID
    sha256: str
    size: int
    media_type: str
    by: str


class EvidenceKept(Event, frozen=True, tag="evidence_kept.v1"):
    """Something worked out from the record was put with the case.

    `asked` says what was asked, in words without cards or names. Cards have 52 values, so the
    digest is over a salt too.
    """

    kept: UUID
    kind: EvidenceKind
    asked: str
    salted_sha256: str
    size: int
    by: str


class RulingProposed(Event, frozen=True, tag="ruling_proposed.v1"):
    """What one person would rule, with every amount: seats, rake and house sum to zero.

    `rake` and `house` are what they get (positive) or give (negative). `remedy` names the room's
    way with hands that went wrong, where the ruling follows it; `step` is where it goes back to.
    `evidence` is what was kept with the case and gave the amounts. `hand_step` is how many facts
    the hand had for whoever proposed it; None in rulings from before that was noted.
    """

    ruling: UUID
    kind: RulingKind
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
    hand_step: int | None = None


class RulingWithdrawn(Event, frozen=True, tag="ruling_withdrawn.v1"):
    """It is not to be approved any more."""

    ruling: UUID
    by: str


class RulingApproved(Event, frozen=True, tag="ruling_approved.v1"):
    """Somebody else agreed; what it moves was moved in the same moment."""

    ruling: UUID
    approved_by: str


class CaseAnswered(Event, frozen=True, tag="case_answered.v1"):
    """The complainant has his answer; `letter` is the note or file with it, if it is kept."""

    letter: UUID | None
    by: str


class CaseClosed(Event, frozen=True, tag="case_closed.v1"):
    """Nothing more is done here, unless it is opened again."""

    by: str


class CaseReopened(Event, frozen=True, tag="case_reopened.v1"):
    """It goes on, with a new time to answer in."""

    reason: str
    due_at: datetime
    by: str


class LegalHoldSet(Event, frozen=True, tag="legal_hold_set.v1"):
    """Nothing about the case, its hand and those who played it may be erased."""

    reason: str
    by: str


class LegalHoldLifted(Event, frozen=True, tag="legal_hold_lifted.v1"):
    """What may be erased may be erased again."""

    by: str


class ReportMade(Event, frozen=True, tag="report_made.v1"):
    """A report of the case was made; whoever has a copy can tell by the digest that it is it."""

    sha256: str
    size: int
    by: str


class KeptErased(Event, frozen=True, tag="kept_erased.v1"):
    """What was put with the case is not kept any more; what it was known by stays (D5)."""

    kept: UUID
    reason: str
    by: str


CaseEvent = (
    CaseOpened | CaseAcknowledged | NoteAdded | AttachmentAdded | EvidenceKept
    | RulingProposed | RulingWithdrawn | RulingApproved
    | CaseAnswered | CaseClosed | CaseReopened | LegalHoldSet | LegalHoldLifted | ReportMade
    | KeptErased
)  # fmt: skip

TYPES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(CaseEvent))
"""The stored types of a case's facts."""

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = cast("Callable[[bytes | str], CaseEvent]", decoder(cast("type[Any]", CaseEvent)))
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: CaseEvent) -> str:
    """The stored type of an event, such as `case_opened.v1`."""
    return str(event.__struct_config__.tag)
