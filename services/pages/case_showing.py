"""What the page of a case shows, worked out before a template sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from markupsafe import Markup

from domain.discreet import Discreet
from domain.disputes import events as d
from domain.ruled import Ruled
from domain.units import ChipsMoved, Seat
from services.disputes import (
    CaseEvidence,
    CaseSheet,
    LoadedCase,
    NoAmounts,
    UnknownFile,
    case_sheet,
    gather,
    load_hand,
)
from services.disputes.loading import LoadedHand
from services.disputes.report_contents import Part, clock_part, reasons
from services.disputes.sheet import RulingSheet
from services.disputes.supposing import kept_amounts
from services.pages.case_names import names_of_people
from services.pages.deadlines import Deadline, deadline
from services.replaying import PUBLIC, View
from services.replaying.svg import draw_svg
from services.replaying.svg_places import tall
from services.reports.queries import complete_to
from services.store.room import Room


class Row(msgspec.Struct, frozen=True):
    """Somebody's money before and after, and the difference: in minor units, None if unsaid."""

    who: str
    before: ChipsMoved | None
    after: ChipsMoved | None
    difference: ChipsMoved


class RulingShown(msgspec.Struct, frozen=True):
    """A ruling and what it does to whom; of one that waits, from how the hand stands now."""

    ruling: RulingSheet
    rows: tuple[Row, ...]


class WhatIfShown(Discreet, frozen=True, kw_only=True):
    """A what-if kept with the case; `rows` are None where `why_not` says why."""

    id: UUID
    asked: str
    view: str | None = None
    rows: tuple[Row, ...] | None = None
    why_not: str | None = None


class Fact(msgspec.Struct, frozen=True):
    """A fact of the case in a line."""

    n: int
    at: datetime | None
    type: str
    by: str
    said: str


class CaseShown(Discreet, frozen=True, kw_only=True):
    """A case and its evidence at a step in a view, as of now.

    All but the neighbouring hands is from the log itself; those are known up to `known_to`.
    """

    sheet: CaseSheet
    found: CaseEvidence
    over: bool
    deadline: Deadline
    people: Mapping[str, str]
    picture: Markup
    tall_picture: Markup
    reasons: tuple[Part, ...]
    clock: Part
    rulings: tuple[RulingShown, ...]
    ruled: tuple[Row, ...]
    what_ifs: tuple[WhatIfShown, ...]
    facts: tuple[Fact, ...]
    known_to: int
    kept_by: Mapping[UUID, Fact]

    @property
    def pending(self) -> RulingSheet | None:
        """The ruling that waits for approval."""
        return next((one for one in self.sheet.rulings if one.stage == "proposed"), None)


def case_shown(
    room: Room, loaded: LoadedCase, view: View, step: int | None, now: datetime
) -> CaseShown:
    """All of it. A view of hidden cards is on record before. Raises what `gather` does."""
    sheet, found = case_sheet(room, loaded), gather(room, loaded, view, step)
    hand = load_hand(room.store, sheet.hand)
    seats = seat_names(found)
    stands = standing(hand)
    return CaseShown(
        sheet=sheet,
        found=found,
        over=hand.hand.completed or hand.hand.voided,
        deadline=deadline(sheet.due_at, sheet.answered_at, now, closed=sheet.status == "closed"),
        people=names_of_people(room, _people(sheet, found)),
        # Our own drawing, in which every name is escaped.
        picture=Markup(draw_svg(found.frame)),
        tall_picture=Markup(draw_svg(found.frame, tall)),
        reasons=tuple(reasons(found)),
        clock=clock_part(found, now),
        rulings=tuple(
            RulingShown(one, tuple(ruling_rows(one, seats, stands)))
            for one in reversed(sheet.rulings)
        ),
        ruled=tuple(_ruled_rows(found.ruled, seats)) if found.ruled else (),
        what_ifs=tuple(_what_ifs(room, loaded, found, seats)),
        facts=tuple(_facts(loaded)),
        known_to=_known_to(room),
        kept_by=_kept_by(loaded),
    )


def _known_to(room: Room) -> int:
    """Up to which event the list of hands is complete, from which their neighbours are."""
    with room.connect() as connection:
        return complete_to(connection, ("hands",))


def seat_names(found: CaseEvidence) -> dict[Seat, str]:
    """Each seat and who sat there."""
    return {one.seat: f"seat {one.seat}: {one.player}" for one in found.frame.seats}


Standing = Mapping[Seat | None, ChipsMoved]
"""What each seat won or lost and, at None, the rake: as the hand stands."""


def standing(hand: LoadedHand) -> Standing:
    """As the hand stands now, after whatever was ruled."""
    stands: dict[Seat | None, ChipsMoved] = {None: hand.hand.rake}
    for one in hand.hand.seats:
        stands[one.seat] = one.stack - one.started_with
    return stands


def ruling_rows(
    ruling: RulingSheet | d.RulingProposed, seats: Mapping[Seat, str], stands: Standing
) -> Iterator[Row]:
    """Who gets or gives what; of one not approved yet, from where to where.

    Goodwill is the house's money: it changes nothing of the hand.
    """
    of_hand = ruling.kind != "goodwill" and getattr(ruling, "stage", "proposed") == "proposed"
    moves = {move.seat: move.amount for move in ruling.moves}
    for seat, name in seats.items():
        if (amount := moves.get(seat, 0)) or of_hand:
            yield _row(name, stands.get(seat) if of_hand else None, amount)
    if ruling.rake or of_hand:
        yield _row("rake", stands.get(None) if of_hand else None, ruling.rake)
    if ruling.house:
        yield _row("the house", None, ruling.house)


def _row(who: str, before: ChipsMoved | None, amount: ChipsMoved) -> Row:
    return Row(who, before, None if before is None else before + amount, amount)


def _ruled_rows(ruled: Ruled, seats: Mapping[Seat, str]) -> Iterator[Row]:
    """The hand's money as played and as ruled."""
    for one in ruled.seats:
        yield Row(seats[one.seat], one.played, one.ruled, one.difference)
    yield Row("rake", ruled.rake_played, ruled.rake_ruled, ruled.rake_difference)


def _what_ifs(
    room: Room, loaded: LoadedCase, found: CaseEvidence, seats: Mapping[Seat, str]
) -> Iterator[WhatIfShown]:
    """What was worked out before; its amounts where they rest on no more than the view shows."""
    for one in found.kept:
        if one.kind != "what_if":
            continue
        try:
            kept = kept_amounts(room, loaded.id, one.id)
        except (NoAmounts, UnknownFile) as none:
            yield WhatIfShown(id=one.id, asked=one.asked, why_not=str(none))
            continue
        if kept.view not in (str(PUBLIC), found.view):
            why = f"it was worked out from what the view {kept.view} shows: choose that view"
            yield WhatIfShown(id=one.id, asked=one.asked, view=kept.view, why_not=why)
            continue
        moves = {move.seat: move.amount for move in kept.moves}
        rows = [_row(name, None, moves.get(seat, 0)) for seat, name in seats.items()]
        yield WhatIfShown(
            id=one.id, asked=one.asked, view=kept.view,
            rows=(*rows, _row("rake", None, kept.rake)),
        )  # fmt: skip


def _people(sheet: CaseSheet, found: CaseEvidence) -> Iterator[str | None]:
    yield sheet.complainant
    for ruling in sheet.rulings:
        yield from (ruling.proposed_by, ruling.approved_by)
    yield from (one.actor for one in found.looked)
    yield from map(by_whom, sheet.events)


def by_whom(event: d.CaseEvent) -> str:
    """Who did it."""
    for name in ("by", "proposed_by", "approved_by"):
        if (who := getattr(event, name, None)) is not None:
            return str(who)
    return ""


def _facts(loaded: LoadedCase) -> Iterator[Fact]:
    for n, event in enumerate(loaded.events, 1):
        yield Fact(n, event.at, d.tag_of(event), by_whom(event), _said(event))


def _said(event: d.CaseEvent) -> str:
    """What whoever did it said to it, or what it was asked."""
    return str(getattr(event, "reason", None) or getattr(event, "asked", ""))


def _kept_by(loaded: LoadedCase) -> dict[UUID, Fact]:
    """What was put with the case, and the fact that says so."""
    added = (d.NoteAdded, d.AttachmentAdded)
    return {
        event.kept: fact
        for event, fact in zip(loaded.events, _facts(loaded), strict=True)
        if isinstance(event, added)
    }
