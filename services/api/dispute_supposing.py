"""The route that keeps a what-if with a case: worked out anew, its amounts for a ruling to take."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from services.api.answers import answer
from services.api.describing import answers
from services.api.dispute_acts import AtDesk, Desk
from services.api.dispute_bodies import Supposition
from services.api.disputes import record_seen
from services.api.files import on_file
from services.api.parts import InService, Parts
from services.api.sight import ViewParameter, WhyParameter
from services.api.wanting import body_of, describes
from services.api.whatif import answered
from services.disputes import CaseSheet, InCase, case_sheet, keep_what_if, load_case
from services.disputes.supposing import Supposed
from services.replaying import PUBLIC, parse_view

router = APIRouter(tags=["disputes"])

EXAMPLE = {"step": 20, "instead": "fold"}


@router.post(
    "/v1/disputes/{dispute}/evidence",
    summary="Keep a what-if with a case",
    openapi_extra=describes(Supposition, EXAMPLE),
    **answers(CaseSheet, refuses=True),
)
def suppose(
    request: Request,
    parts: InService,
    at: AtDesk,
    wanted: Annotated[Supposition, Depends(body_of(Supposition))],
    view: ViewParameter = "public",
    why: WhyParameter = None,
) -> Response:
    """What would have followed; a `corrected_award` that names it alone takes its amounts."""
    return answer(case_sheet(at.room, keep(request, parts, at, wanted, view, why).loaded))


def keep(
    request: Request, parts: Parts, at: Desk, wanted: Supposition, view: str, why: str | None
) -> InCase:
    """Work it out in this view, on record where that shows what was not shown, and keep it.

    Raises a problem for what cannot be asked, as where nothing is kept.
    """
    hand, seen = load_case(at.room.store, at.case).case.opened.hand, parse_view(view)
    if seen != PUBLIC:
        record_seen(request, parts, hand, view, why or f"dispute {at.case}")
    answered(on_file(at.room, str(hand)), seen, wanted.step, wanted.asked)
    supposed = Supposed(
        step=wanted.step,
        instead=wanted.instead,
        policies=wanted.policy,
        schedule=wanted.schedule,
    )
    return keep_what_if(at.room, at.case, supposed, at.by, seen, at=at.at)
