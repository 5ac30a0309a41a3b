"""A dispute for somebody outside: its report as a PDF, and the facts with their proofs."""

from __future__ import annotations

from functools import partial
from typing import Any

from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from services.access.sightings import stated_purpose
from services.api import archives
from services.api.accepting import PDF, chosen
from services.api.answers import as_file
from services.api.arriving import arrived
from services.api.disputes import CaseId, record_seen, require_sight
from services.api.guard import caller_of
from services.api.parts import InService
from services.api.sight import ViewParameter, WhyParameter
from services.bundles.exporting import Onlooker
from services.dispute_bundle import export_case
from services.disputes import load_case
from services.disputes.report import make_report
from services.live import By
from services.replaying import PUBLIC, parse_view

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


@router.post(
    "/v1/disputes/{dispute}/bundle",
    summary="A case to take away and check",
    response_class=FileResponse,
    responses=archives.ANSWER,
)
def bundle(
    request: Request,
    parts: InService,
    case: CaseId,
    view: ViewParameter = "public",
    why: WhyParameter = None,
) -> FileResponse:
    """The facts of the case and of its hand with their proofs, and of cards what the view may see.

    Notes, files and evidence stay here; their digests are in it.
    """
    caller, seen, purpose = caller_of(request), parse_view(view), None
    if seen != PUBLIC:
        require_sight(request, parts, load_case(parts.room.store, case).case.opened.hand, view)
        purpose = stated_purpose(why or f"bundle of dispute {case}")
    who = Onlooker(actor=caller.actor, key=caller.holder.id, role=caller.holder.role)
    make = partial(export_case, parts.room, case=case, view=seen, why=purpose, onlooker=who)
    return archives.as_archive(f"dispute-{case}.zip", make)
