"""The route of a dispute's report: a PDF, whose digest goes into the case."""

from __future__ import annotations

from typing import Any

from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Request, Response

from services.api.accepting import PDF, chosen
from services.api.answers import as_file
from services.api.arriving import arrived
from services.api.disputes import CaseId, record_seen
from services.api.guard import caller_of
from services.api.parts import InService
from services.api.sight import ViewParameter, WhyParameter
from services.disputes import load_case
from services.disputes.report import make_report
from services.live import By
from services.replaying import parse_view

router = APIRouter(tags=["disputes"])

ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report; its SHA-256 is in the case",
        "content": {PDF: {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get(
    "/v1/disputes/{dispute}/report",
    summary="A case written down",
    response_class=Response,
    responses=ANSWER,
)
def report(
    request: Request,
    parts: InService,
    case: CaseId,
    view: ViewParameter = "public",
    why: WhyParameter = None,
) -> Response:
    """The table at the step, the evidence, rulings and who made them, the money they moved.

    The same bytes as long as nothing was added to the record.
    """
    form, caller, seen = chosen(request, PDF), caller_of(request), parse_view(view)
    if seen.kind != "public":
        hand = load_case(parts.room.store, case).case.opened.hand
        record_seen(request, parts, hand, view, why or f"report of dispute {case}")
    by = By(actor=caller.actor, role=caller.holder.role, request_id=correlation_id.get())
    made = make_report(parts.room, case, by, seen, at=arrived(request))
    return as_file(made.pdf, form, f"dispute-{case}.pdf")
