"""The page of one case: the complaint, the evidence laid out, what was ruled, what comes next."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID, uuid4

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from services.access import PAGES, sights_of
from services.api import asking
from services.api.arriving import arrived
from services.api.disputes import case_id, record_seen
from services.api.parts import InService, Parts, parts_of
from services.api.sight import ViewParameter, WhyParameter
from services.disputes import load_case
from services.pages.case_showing import CaseShown, case_shown
from services.pages.case_words import WORDS
from services.pages.fields import asked
from services.pages.forms import Form
from services.pages.rendering import complete, page
from services.pages.visiting import led_here, visitor_of
from services.replaying import PUBLIC, NoSuchStep, parse_view

router = APIRouter(include_in_schema=False)

NO_ID = UUID(int=0)
"""Names nothing: what stands for an id that is none."""

VIEW_WORDS = {"public": "what everybody saw", "all": "all cards"}


def case_called(case: Annotated[asking.Short, Path()]) -> UUID:
    """The id in the address. Raises `UnknownCase` for what is none."""
    return case_id(case)


CaseId = Annotated[UUID, Depends(case_called)]


@router.get("/cases/{case}")
def case_page(
    request: Request,
    parts: InService,
    case: CaseId,
    view: ViewParameter = "public",
    step: Annotated[str | None, Query()] = None,
    why: WhyParameter = None,
) -> Response:
    """A case with its evidence at a step, in a view; hidden cards are on record before."""
    loaded, seen = load_case(parts.room.store, case), parse_view(view)
    form = Form({"view": view, "step": step or "", "why": why or ""})
    wanted = asked(form, "step", asking.Step)
    if seen != PUBLIC and led_here(request):
        form.errors["why"] = "another site led here: say what they are looked at for"
    if form.errors:
        return again(request, parts, case, form, 422)
    if seen != PUBLIC:
        record_seen(request, parts, loaded.case.opened.hand, view, why or f"dispute {case}")
    try:
        shown = case_shown(parts.room, loaded, seen, wanted, arrived(request))
    except NoSuchStep as no:
        form.errors["step"] = str(no)
        return again(request, parts, case, form, 422)
    typed = {"view": view, "step": str(shown.found.step), "why": why or ""}
    return shown_page(request, shown, Form(typed))


def again(
    request: Request, parts: Parts, case: UUID, form: Form, status: int, refusal: str | None = None
) -> Response:
    """The page again after a form that was not accepted: what was typed stays, and why stands."""
    loaded = load_case(parts.room.store, case)
    shown = case_shown(parts.room, loaded, PUBLIC, None, arrived(request))
    return shown_page(request, shown, form, status, refusal=refusal)


def shown_page(
    request: Request, shown: CaseShown, form: Form, status: int = 200, refusal: str | None = None
) -> Response:
    """The page of a case, with a form that may be typed into already."""
    view = shown.found.view
    return page(
        request,
        "case.html",
        status,
        shown=shown,
        form=form,
        refusal=refusal,
        views=_views(request, shown),
        letters=_letters(shown),
        command=uuid4,
        complete=complete(parts_of(request).room, shown.known_to),
        views_words=_view_words(shown.found.view),
        seen_query=seen_query(view, form.value("why")),
        step_path=f"/cases/{shown.sheet.id}" + seen_query(view, form.value("why"), step=""),
        most_bytes=f"{parts_of(request).settings.max_body:,}",
        **WORDS,
    )


def _view_words(view: str) -> str:
    return VIEW_WORDS.get(view) or f"as {view.replace(':', ' ')} saw it"


def seen_query(view: str, why: str, **more: str) -> str:
    """A view, and what for, as the query of another page in it."""
    named = {} if view == "public" else {"view": view, "why": why}
    query = urlencode({name: text for name, text in named.items() if text} | more)
    return f"?{query}" if query else ""


def _views(request: Request, shown: CaseShown) -> list[tuple[str, str]]:
    """The views the role may have of the hand now: of a live one only what everybody saw."""
    sights = sights_of(visitor_of(request).role, "GET /cases/{case}", PAGES) or frozenset()
    views = [("public", VIEW_WORDS["public"])]
    if shown.over and "seat" in sights:
        views += [
            (f"seat:{one.seat}", f"as seat {one.seat} saw it") for one in shown.found.frame.seats
        ]
    if shown.over and "all" in sights:
        views.append(("all", VIEW_WORDS["all"]))
    return views


def _letters(shown: CaseShown) -> list[tuple[str, str]]:
    """What is kept of the case that may be the answer."""
    kept = [one for one in shown.sheet.kept if one.kind != "evidence" and one.media_type]
    notes = [(str(one.id), _called(one.name, one.text)) for one in kept]
    return [("", "none is kept here"), *notes]


def _called(name: str | None, text: str | None) -> str:
    words = name or " ".join((text or "").split())
    return words if len(words) <= 60 else f"{words[:59]}…"
