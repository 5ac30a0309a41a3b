"""What answers are made of where the program has no struct of its own for it.

Amounts are integers in minor units of `currency` (`exponent` 2 means cents), times UTC, cards
`Ah` or `??` where the view may not see them.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from domain.events import Attribution, Compared, HandEvent, ScheduleRef, Share
from domain.finding import Finding
from domain.legal import LegalAction
from domain.tables.events import TableEvent
from domain.units import Card, Chips, ChipsMoved, Half, Seat
from domain.verdict import Judgement
from services.access_report import AccessEntry, AccessPage
from services.api.dispute_bodies import DISPUTE_BODIES
from services.api.ledger_bodies import LEDGER_BODIES
from services.api.live_bodies import (
    ActionWanted,
    CardsOfStreet,
    ClockWanted,
    ConnectionSeen,
    IncidentSeen,
    LiveAnswer,
    VoidWanted,
)
from services.api.problems import WrongParameter
from services.api.table_bodies import TABLE_BODIES
from services.api.witness_bodies import ReleaseAnswer, ReleaseWanted, SuspendedHands
from services.explaining import Explanation, Line
from services.log.proving import Consistency
from services.lookup import Candidate
from services.replaying import ReplayFrame
from services.reports import HandFound, HandsPage, RakeLine
from services.whatif import WhatIfAnswer
from services.witness import LineAnswer

Called = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
"""What a hand is called by: its id or the site's number."""


class SeatSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a hand: what it put in, got back, won, and bore of the rake.

    `contributed` is what stayed in the pot; net = won + corrected - contributed.
    """

    seat: Seat
    player: str
    start_stack: Chips
    contributed: Chips
    returned: Chips
    won: Chips
    corrected: ChipsMoved
    rake: Chips
    net: ChipsMoved
    stack_after: Chips
    status: str


class HandSheet(HandFound, frozen=True, kw_only=True):
    """One hand as a list of hands has it, and who played it by which rules.

    `steps` is how many events it has, `house_rules` their name and version.
    """

    table_id: str
    ante: Chips
    bring_in: Chips
    dealer: Seat | None
    house_rules: str
    rake_schedule: ScheduleRef | None
    source: Literal["dealt", "imported", "posted"]
    steps: int
    seats: tuple[SeatSheet, ...]


class EventLine(msgspec.Struct, frozen=True, kw_only=True):
    """One event as the view may know it; `n` counts those of the hand from 1."""

    hand: UUID
    n: int
    recorded_at: datetime
    event: HandEvent


class EventsOfHand(msgspec.Struct, frozen=True, kw_only=True):
    """Every event of a hand, in order."""

    hand: UUID
    number: str
    view: str
    events: tuple[EventLine, ...]


class FeedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of the feed, as `data` of its event has it.

    `position` orders all facts of the room, `n` those of the stream: a hand or a table. `event`
    is null for stored bytes that are no fact this program knows.
    """

    position: int
    stream: UUID
    n: int
    type: str
    recorded_at: datetime
    event: HandEvent | TableEvent | None


class PaidIn(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat has in a pot; folded seats too."""

    seat: Seat
    amount: Chips


class HalfAwarded(msgspec.Struct, frozen=True, kw_only=True):
    """A pot or a half of it as it was paid out; `rule` decided who won."""

    half: Half
    amount: Chips
    shares: tuple[Share, ...]
    rule: str


class PotSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One pot, 0 the main pot: gross - rake is what there was to win."""

    pot: int
    name: str
    gross: Chips
    rake: Chips
    awarded: Chips
    claimants: tuple[Seat, ...]
    contributions: tuple[PaidIn, ...]
    halves: tuple[HalfAwarded, ...]


class PotsOfHand(msgspec.Struct, frozen=True, kw_only=True):
    """The pots a hand was played for; none before its betting is over, nor once it is void."""

    hand: UUID
    number: str
    currency: str
    exponent: int
    pots: tuple[PotSheet, ...]


class OddChip(msgspec.Struct, frozen=True, kw_only=True):
    """One odd chip: whose it became by which rule, and what was compared.

    `seat` is null for the odd chip of two halves where several share the bigger one.
    """

    step: int
    pot: int
    half: Half
    rule: str
    seat: Seat | None
    amount: Chips
    cards: tuple[Card, ...]
    words: str
    compared: tuple[Compared, ...]


class OddChipsOfHand(msgspec.Struct, frozen=True, kw_only=True):
    """Every odd chip of a hand, as the view may know why."""

    hand: UUID
    number: str
    view: str
    currency: str
    exponent: int
    odd_chips: tuple[OddChip, ...]


class HandPosting(msgspec.Struct, frozen=True, kw_only=True):
    """One posting of the hand's books; those of a step add up to zero."""

    step: int
    line: int
    account: str
    amount: ChipsMoved
    memo: str
    bearer: str | None


class RakeOfHand(msgspec.Struct, frozen=True, kw_only=True):
    """What the house took and why.

    `total` is as taken in the hand, `rake` what is left of it after rulings; both are 0 where the
    hand has none. `pots` says what each pot bears, `attribution` who. `because` says it in words.
    """

    hand: UUID
    number: str
    currency: str
    exponent: int
    schedule: ScheduleRef | None
    matched: Chips
    total: Chips
    rake: ChipsMoved
    pots: tuple[Chips, ...]
    row: str | None
    step: str | None
    attribution: Attribution | None
    because: tuple[Line, ...]
    postings: tuple[HandPosting, ...]


class VerdictOnHand(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the hand was played and paid by the rules; null until it is over.

    What a finding rests on is not in its words where the view may not see it.
    """

    hand: UUID
    number: str
    view: str
    verdict: Judgement | None
    rules_version: int
    steps: int
    findings: tuple[Finding, ...]
    open_questions: tuple[str, ...]


class RakeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Rake by the dimensions of `by`; what is not among them is null in every line.

    Days, both included, are those of `time_zone` and begin there at `gaming_day_start`. `players`
    names the ids in `lines`, where a name is known. `compared` is the first and the last day of
    the period compared with. `house` is what the house took altogether on these days, a line a
    currency, each hand counted once. `complete_to` is the position of the last event the answer
    takes in, `log_at` that of the last there is.
    """

    by: tuple[str, ...]
    from_day: date | None = msgspec.field(name="from")
    to_day: date | None = msgspec.field(name="to")
    time_zone: str
    gaming_day_start: str
    compared: tuple[date | None, date | None] | None = None
    lines: tuple[RakeLine, ...]
    house: tuple[RakeLine, ...] = ()
    players: dict[str, str]
    complete_to: int
    log_at: int


class Alive(msgspec.Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: Literal["ok"]


class ReadyCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One thing the service needs."""

    name: Literal["database", "schema", "projections", "books", "log", "clock"]
    ok: bool
    text: str


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service can do its work."""

    ready: bool
    checks: tuple[ReadyCheck, ...]


class ProblemBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457). `type` is stable; the texts are for people and are not."""

    type: str
    title: str
    status: int
    detail: str | None = None
    errors: tuple[WrongParameter, ...] | None = None
    candidates: tuple[Candidate, ...] | None = None
    rule: str | None = None
    turn: str | None = None
    legal: tuple[LegalAction, ...] | None = None


class ExportWanted(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which hands a bundle shall hold, by id or number; all of the room if none is named."""

    hands: Annotated[tuple[Called, ...], Meta(min_length=1, max_length=10_000)] | None = None


BODIES: tuple[type[msgspec.Struct], ...] = (
    HandsPage,
    HandSheet,
    EventsOfHand,
    EventLine,
    FeedLine,
    LineAnswer,
    SuspendedHands,
    ReleaseWanted,
    ReleaseAnswer,
    ReplayFrame,
    PotsOfHand,
    OddChipsOfHand,
    RakeOfHand,
    VerdictOnHand,
    Explanation,
    WhatIfAnswer,
    RakeAnswer,
    Consistency,
    AccessPage,
    AccessEntry,
    Alive,
    Readiness,
    ProblemBody,
    ExportWanted,
    ActionWanted,
    ConnectionSeen,
    CardsOfStreet,
    IncidentSeen,
    VoidWanted,
    ClockWanted,
    LiveAnswer,
    *TABLE_BODIES,
    *LEDGER_BODIES,
    *DISPUTE_BODIES,
)
"""Everything an answer may be; OpenAPI shows these and what they are made of."""
