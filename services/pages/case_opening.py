"""Taking up a complaint: about a hand, often at the step that somebody looks at."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
from fastapi import APIRouter, Query, Request, Response

from domain.errors import Refused
from services.api import dispute_bodies as b
from services.api.arriving import arrived
from services.api.asking import Short
from services.api.dispute_wishes import opening_of
from services.api.files import OnFile, on_file
from services.api.parts import InService, Parts
from services.disputes import CasesWanted, find_cases, open_case
from services.live import KeyReused
from services.lookup import AmbiguousHand, UnknownHand
from services.pages.case_acting import by_of, words_of
from services.pages.case_words import CATEGORIES, CHANNELS
from services.pages.fields import asked, moment
from services.pages.forms import Form, FormError, SentForm
from services.pages.rendering import complete, page, see_other
from services.replaying import ReplayFrame, replay_step

router = APIRouter(include_in_schema=False)

SOMEBODY_ELSE = "else"
CHOICES = {"by_category": tuple(CATEGORIES.items()), "by_channel": tuple(CHANNELS.items())}
LABELS = {
    "hand": "Hand",
    "step": "Step",
    "category": "What it is about",
    "complainant": "Who complains",
    "complainant_id": "His id",
    "channel": "How it came",
    "submitted": "Day",
    "submitted_time": "Time",
}
Typed = Annotated[str | None, Query()]


@router.get("/cases/new")
def new_case(
    request: Request, parts: InService, hand: Typed = None, step: Typed = None
) -> Response:
    """A form to fill in; about which hand and step may be in the address."""
    form = Form({"hand": hand or "", "step": step or "", "channel": "table"})
    return _asking(request, parts, form, 422 if _hand(parts, form) is None and hand else 200)


@router.post("/cases")
def opening(request: Request, parts: InService, form: SentForm) -> Response:
    """The case is open, and its eight weeks have begun when the complaint was made."""
    by, at = by_of(request, form), arrived(request)
    try:
        command = opening_of(parts.room, _complaint(parts, form), by, at)
        done = open_case(parts.room.store, command, by)
    except FormError:
        return _asking(request, parts, form, 422)
    except (Refused, KeyReused) as no:
        return _asking(request, parts, form, 409, words_of(no))
    return see_other(f"/cases/{done.loaded.id}")


def _asking(
    request: Request, parts: Parts, form: Form, status: int = 200, refusal: str | None = None
) -> Response:
    """The form, and what is known of the hand it names."""
    file = _hand(parts, form)
    frame = None if file is None else _frame(file, form)
    found = None if file is None else find_cases(parts.room.connect, CasesWanted(hand=file.hand))
    return page(
        request,
        "case_new.html",
        status,
        form=form,
        refusal=refusal,
        command=uuid4(),
        file=file,
        frame=frame,
        others=found.disputes if found else (),
        complete=found and complete(parts.room, found.complete_to),
        players=() if file is None else _players(file),
        labels=LABELS,
        **CHOICES,
    )


def _complaint(parts: Parts, form: Form) -> b.ComplaintMade:
    """What was typed. Raises FormError once all fields are looked at."""
    _hand(parts, form)
    submitted = moment(form, "submitted", "submitted_time")
    step = asked(form, "step", int)
    who = form.value("complainant")
    field = "complainant_id" if who in ("", SOMEBODY_ELSE) else "complainant"
    if not form.value(field).strip():
        form.errors[field] = "somebody complains: a player of the hand, or an id"
    form.require_no_mistake()
    made: dict[str, Any] = {
        "hand": form.text("hand", required=True),
        "category": form.value("category"),
        "complainant": form.text(field, required=True),
        "channel": form.value("channel"),
        "step": step,
        "submitted_at": submitted,
    }
    try:
        return msgspec.convert(made, b.ComplaintMade)
    except msgspec.ValidationError as wrong:
        _, _, where = str(wrong).partition("`$.")
        raise FormError(form, where.rstrip("`"), str(wrong).partition(" - at")[0]) from None


def _hand(parts: Parts, form: Form) -> OnFile | None:
    """The hand named; what is wrong with the name is noted beside it."""
    called = asked(form, "hand", Short)
    if called is None:
        return None
    try:
        return on_file(parts.room, called)
    except UnknownHand:
        form.errors["hand"] = "no hand of this room has this number or id"
    except AmbiguousHand:
        query = urlencode({"number": called})
        form.errors["hand"] = f"several hands have this number: take one from /hands?{query}"
    return None


def _frame(file: OnFile, form: Form) -> ReplayFrame | None:
    """The table at the step that is complained of, as everybody saw it, or at the end."""
    step = asked(form, "step", int)
    if step is not None and not 1 <= step <= len(file.events):
        form.errors.setdefault("step", f"the hand has steps 1 to {len(file.events)}")
        return None
    return replay_step(str(file.hand), file.events, step, names=file.names)


def _players(file: OnFile) -> list[tuple[str, str]]:
    """Who may have been wronged: everybody dealt in, and others."""
    seated = [
        (taken.player, f"seat {taken.seat}: {file.names.get(taken.player, taken.player)}")
        for taken in file.started.seats
    ]
    return [("", "choose"), *seated, (SOMEBODY_ELSE, "somebody else")]
