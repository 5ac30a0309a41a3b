"""What can be taken away of a case: its report, a bundle that proves it, the files kept with it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from starlette.exceptions import HTTPException

from services.api import asking, dispute_reports, problems
from services.api.answers import PRIVATE
from services.api.parts import InService
from services.api.sight import ViewParameter, WhyParameter
from services.disputes import UnknownFile, file_of, load_case
from services.pages.case import NO_ID, CaseId
from services.pages.forms import SentForm
from services.pages.visiting import led_here
from services.store.players import as_id

router = APIRouter(include_in_schema=False)

NEVER_OPENED = "application/octet-stream"
"""What strangers handed in is saved, never shown by the browser as a page of ours."""


@router.get("/cases/{case}/report")
def report(
    request: Request,
    parts: InService,
    case: CaseId,
    view: ViewParameter = "public",
    why: WhyParameter = None,
) -> Response:
    """The case written down, as a PDF whose digest goes into the case."""
    if led_here(request):  # It goes into the case, and who saw hidden cards for it on record.
        raise problems.NotThisSession("another site led here: take it from the page of the case")
    return dispute_reports.report(request, parts, case, view, why)


@router.post("/cases/{case}/bundle")
def bundle(request: Request, parts: InService, case: CaseId, form: SentForm) -> Response:
    """The facts of the case and its hand with their proofs, as the view may see them."""
    view, why = form.value("view") or "public", form.text("why") or None
    return dispute_reports.bundle(request, parts, case, view, why)


@router.get("/cases/{case}/files/{kept}")
def kept_file(parts: InService, case: CaseId, kept: Annotated[asking.Short, Path()]) -> Response:
    """A note or an attachment, as it was put there; evidence is shown by the page, in a view."""
    load_case(parts.room.store, case)
    try:
        file = file_of(parts.room, case, as_id(kept) or NO_ID)
    except UnknownFile:
        raise HTTPException(404) from None
    if file.kind == "evidence":
        raise HTTPException(404)
    name = quote(file.name or f"{file.kind}-{file.id}", safe="")
    headers = PRIVATE | {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(file.body, headers=headers, media_type=NEVER_OPENED)
