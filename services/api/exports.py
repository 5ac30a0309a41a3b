"""The route of exports: a bundle of hands, made on the spot and sent as a file."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import FileResponse

from domain.decoding import decoder
from services.access.sightings import stated_purpose
from services.api import problems
from services.api.archives import ANSWER, as_archive
from services.api.bodies import ExportWanted
from services.api.describing import REF
from services.api.guard import caller_of
from services.api.parts import InService, Parts
from services.api.sight import ViewParameter, WhyHeader, WhyParameter, possible_views
from services.bundles.exporting import Onlooker, export_bundle
from services.lookup import UnknownHand, find_hand
from services.replaying import PUBLIC, parse_view

EXAMPLE = '{"hands": ["D00001"]}'
BODY: dict[str, Any] = {
    "requestBody": {
        "required": False,
        "content": {
            "application/json": {
                "schema": {"$ref": REF.format(name="ExportWanted")},
                "example": {"hands": ["D00001"]},
            }
        },
    }
}

WANTED = decoder(ExportWanted)

router = APIRouter(tags=["exports"])


async def wanted(request: Request) -> ExportWanted:
    """What the body asks for; no body asks for everything."""
    body = await request.body()
    try:
        return WANTED(body) if body else ExportWanted()
    except msgspec.DecodeError as wrong:
        raise problems.bad_parameter("body", str(wrong), (EXAMPLE,)) from None


@router.post(
    "/v1/exports",
    summary="Export a bundle of hands",
    response_class=FileResponse,
    responses=ANSWER,
    openapi_extra=BODY,
)
def export(
    request: Request,
    parts: InService,
    body: Annotated[ExportWanted, Depends(wanted)],
    view: ViewParameter = "public",
    why: WhyParameter = None,
    why_header: WhyHeader = None,
) -> FileResponse:
    """A bundle of the hands named, or of all, to be checked by anybody anywhere."""
    caller, seen = caller_of(request), parse_view(view)
    if seen.kind not in caller.sights:
        raise problems.ViewNotAllowed(possible_views(caller))
    purpose = None if seen == PUBLIC else stated_purpose(why or why_header)
    hands = _named(parts, body)
    who = Onlooker(actor=caller.actor, key=caller.holder.id, role=caller.holder.role)
    make = partial(export_bundle, parts.room, view=seen, why=purpose, hands=hands, onlooker=who)
    return as_archive("studledger-bundle.zip", make)


def _named(parts: Parts, body: ExportWanted) -> list[UUID] | None:
    """The hands named, each once; None for all. Raises a problem that names those unknown."""
    if body.hands is None:
        return None
    found: dict[UUID, None] = {}
    unknown: dict[str, None] = {}
    for called in body.hands:
        try:
            found[find_hand(parts.room, called).hand] = None
        except UnknownHand:
            unknown[called] = None
    if unknown:
        raise problems.hands_not_found(list(unknown))
    return list(found)
