"""Proposing a ruling: what is wanted is checked and shown before it is proposed."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID, uuid4

import msgspec
from fastapi import APIRouter, Query, Request, Response

from domain.disputes.events import EvidenceKept
from domain.house_rules import HouseRules
from services.api import dispute_bodies as b
from services.api.arriving import arrived
from services.api.dispute_wishes import ruling_of
from services.api.parts import InService, Parts
from services.disputes import LoadedCase, handle, load_case, load_hand
from services.disputes.loading import LoadedHand
from services.disputes.previewing import preview
from services.pages.case import CaseId
from services.pages.case_acting import MOST_WORDS, NOT_DONE, by_of, words_of
from services.pages.case_amounts import BALANCE, note_imbalance, seat_field, typed_moves
from services.pages.case_showing import Row, Standing, ruling_rows, standing
from services.pages.case_words import KINDS, REMEDIES, WORDS
from services.pages.fields import asked
from services.pages.forms import Form, FormError, SentForm
from services.pages.rendering import page, see_other
from services.store.players import as_id
from services.store.room import Room

router = APIRouter(include_in_schema=False)

LABELS = {
    "kind": "Kind",
    "rule": "Rule",
    "reason": "Reason",
    "remedy": "Way of the room",
    "step": "Step that still counts",
    "evidence": "Amounts from",
    BALANCE: "Amounts",
    "rake": "Rake",
}
Typed = Annotated[str | None, Query()]


class Subject(msgspec.Struct, frozen=True):
    """The case and the hand that is ruled on, and what its seats are called."""

    loaded: LoadedCase
    hand: LoadedHand
    seats: dict[int, str]

    @property
    def stands(self) -> Standing:
        """What each won or lost, as the hand stands now."""
        return standing(self.hand)


@router.get("/cases/{case}/rulings")
def ruling_form(
    request: Request, parts: InService, case: CaseId, kind: Typed = None, evidence: Typed = None
) -> Response:
    """A form to fill in; the kind, or a kept what-if, may be in the address."""
    form = Form(
        {"kind": kind or ("corrected_award" if evidence else ""), "evidence": evidence or ""}
    )
    return _asking(request, parts, case, form)


@router.post("/cases/{case}/rulings")
def proposing(request: Request, parts: InService, case: CaseId, form: SentForm) -> Response:
    """Checks what should be ruled and shows what it comes to, or proposes it."""
    by, at, store = by_of(request, form), arrived(request), parts.room.store
    try:
        command = ruling_of(parts.room, case, _wanted(parts.room, case, form), by, at)
        if form.value("do") == "check":
            subject = _subject(parts.room, case)
            proposed = preview(store, case, command)
            rows = tuple(ruling_rows(proposed, subject.seats, subject.stands))
            return _asking(request, parts, case, form, checked=rows)
        handle(store, case, command, by)
    except FormError:
        return _asking(request, parts, case, form, 422)
    except NOT_DONE as no:
        return _asking(request, parts, case, form, 409, refusal=words_of(no))
    return see_other(f"/cases/{case}#rulings")


def _asking(
    request: Request,
    parts: Parts,
    case: UUID,
    form: Form,
    status: int = 200,
    *,
    refusal: str | None = None,
    checked: tuple[Row, ...] | None = None,
) -> Response:
    subject = _subject(parts.room, case)
    started = subject.hand.hand.started
    return page(
        request,
        "case_ruling.html",
        status,
        case=case,
        form=form,
        refusal=refusal,
        checked=checked,
        waiting=subject.loaded.case.pending is not None,
        over=subject.hand.hand.completed or subject.hand.hand.voided,
        command=uuid4(),
        number=started.number,
        money=started.money,
        rules=started.house_rules,
        fields=_fields(subject),
        labels=LABELS | {seat_field(seat): name for seat, name in subject.seats.items()},
        by_kind=tuple(KINDS.items()),
        by_remedy=_remedies(started.house_rules),
        by_evidence=_evidence(subject.loaded),
        **WORDS,
    )


def _subject(room: Room, case: UUID) -> Subject:
    loaded = load_case(room.store, case)
    hand = load_hand(room.store, loaded.case.opened.hand)
    taken = hand.hand.started.seats
    names = room.players.names([one.player for one in taken])
    seats = {one.seat: f"seat {one.seat}: {names.get(one.player, one.player)}" for one in taken}
    return Subject(loaded, hand, seats)


def _fields(subject: Subject) -> list[tuple[str, str, int]]:
    """The name of each amount's field, whose it is, and what he has won or lost as it stands."""
    stands = subject.stands
    seats = [(seat_field(seat), name, stands[seat]) for seat, name in subject.seats.items()]
    return [*seats, ("rake", "rake", stands[None])]


def _remedies(rules: HouseRules) -> list[tuple[str, str]]:
    """The ways of the room that were in force at the hand (D4)."""
    protected = rules.timeout_outcome == "all_in"
    of_floor = ("refund_and_void", "roll_back")
    ways = {"all_in_protection" if protected else "check_or_fold"}
    ways.update(way for way in of_floor if rules.incident_remedy in ("floor", way))
    return [("", "none"), *((way, words) for way, words in REMEDIES.items() if way in ways)]


def _evidence(loaded: LoadedCase) -> list[tuple[str, str]]:
    """What was worked out before and may give the amounts."""
    still = {one.id for one in loaded.case.kept if not one.erased}
    what_ifs = [
        (str(event.kept), f"what if: {event.asked}")
        for event in loaded.events
        if isinstance(event, EvidenceKept) and event.kind == "what_if" and event.kept in still
    ]
    return [("", "as typed below"), *what_ifs]


def _wanted(room: Room, case: UUID, form: Form) -> b.RulingWanted:
    """What was typed. Raises FormError once all fields are looked at."""
    started = _subject(room, case).hand.hand.started
    kind, remedy = form.value("kind"), form.value("remedy")
    evidence, step = as_id(form.value("evidence")), asked(form, "step", int)
    moves, rake = typed_moves(form, [one.seat for one in started.seats], started.money)
    if kind == "corrected_award" and not form.errors:
        note_imbalance(form, moves, rake, started.money)
    if not kind:
        form.errors["kind"] = "choose what is ruled"
    for name in ("rule", "reason"):
        if not form.value(name).strip():
            form.errors[name] = "this is needed"
    form.require_no_mistake()
    wanted: dict[str, Any] = {
        "kind": kind,
        "reason": " ".join(form.text("reason", most=MOST_WORDS).split()),
        "rule": form.text("rule").upper(),
        "moves": moves,
        "rake": rake,
        "remedy": remedy or None,
        "step": step,
        "evidence": evidence,
    }
    try:
        return msgspec.convert(wanted, b.RulingWanted)
    except msgspec.ValidationError as wrong:
        _, _, where = str(wrong).partition("`$.")
        raise FormError(form, where.rstrip("`"), str(wrong).partition(" - at")[0]) from None
