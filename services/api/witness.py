"""Routes of posted hands: other people's software says fact by fact what it deals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any
from uuid import UUID

import msgspec
from anyio import to_thread
from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.requests import ClientDisconnect

from domain.decoding import decoder
from domain.events import HandEvent
from services.api import problems
from services.api.accepting import JSON, LINES, chosen
from services.api.answers import PRIVATE, answer, encode
from services.api.describing import REF, answers
from services.api.guard import caller_of
from services.api.parts import InService
from services.api.witness_bodies import ReleaseAnswer, ReleaseWanted, SuspendedHands
from services.errors import StaleStream
from services.readers.strict import UnknownField, event_of
from services.witness import LineAnswer, NotSuspended, Sender, Witness
from services.witness.lines import require_named
from services.witness.taking import RELEASED

CHUNK = 200
"""Lines per commit."""

EXAMPLE = '{"hand":"G-7","n":3,"event":{"type":"folded.v1","seat":4}}'
BUSY = {"Retry-After": problems.RETRY_SECONDS}

HANDS: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {LINES: {"schema": {"type": "string"}, "example": EXAMPLE}},
    }
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What became of each line, in their order",
        "content": {LINES: {"schema": {"$ref": REF.format(name=LineAnswer.__name__)}}},
    }
}
RELEASE: dict[str, Any] = {
    "requestBody": {
        "required": False,
        "content": {
            JSON: {
                "schema": {"$ref": REF.format(name=ReleaseWanted.__name__)},
                "example": {"event": {"type": "folded.v1", "seat": 4}},
            }
        },
    }
}

Lines = list[tuple[int, bytes]]
SuspendedId = Annotated[UUID, Path(alias="hand", description="The hand's id.")]

router = APIRouter(tags=["witness"])


@router.post(
    "/v1/witness/hands",
    summary="Post facts of hands dealt elsewhere",
    response_class=Response,
    responses=ANSWERS,
    openapi_extra=HANDS,
)
async def post_hands(request: Request, parts: InService) -> Response:
    """Each line is stored, known already, kept aside or refused; the answer says which, by line."""
    form = chosen(request, LINES)
    witness, sender = Witness(parts.room), _sender(request)
    told: list[LineAnswer] = []
    try:
        async for lines in _chunks(request.stream()):
            told += await _unless_stale(partial(witness.take, lines, sender))
    except ClientDisconnect:
        return Response(status_code=400)  # Nobody hears it; what was stored will be known.
    if not told:
        raise problems.bad_parameter("body", "send one line per fact", (EXAMPLE,))
    content = b"".join(encode(one) + b"\n" for one in told)
    return Response(content, headers=PRIVATE, media_type=form)


@router.get(
    "/v1/witness/suspended", summary="Posted hands that are suspended", **answers(SuspendedHands)
)
def suspended(parts: InService) -> Response:
    """Hands with a fact that could not be applied, and the reason; no facts are shown."""
    return answer(SuspendedHands(hands=Witness(parts.room).aside.suspended()))


async def wanted(request: Request) -> HandEvent | None:
    """The corrected event of the body, if there is one, as strictly read as any."""
    body = await request.body()
    try:
        given = _WANTED(body or b"{}").event
        event = None if bytes(given) == b"null" else event_of(given)
        if event is not None:
            require_named(event)
    except (msgspec.DecodeError, UnknownField) as wrong:
        possible = '{"event":{"type":"folded.v1","seat":4}}'
        raise problems.bad_parameter("body", str(wrong), (possible, "{}")) from None
    return event


@router.post(
    "/v1/witness/suspended/{hand}",
    summary="Let a suspended hand go on",
    openapi_extra=RELEASE,
    **answers(ReleaseAnswer),
)
async def release(
    request: Request,
    parts: InService,
    hand: SuspendedId,
    event: Annotated[HandEvent | None, Depends(wanted)],
) -> Response:
    """With the event that should have been sent, or without: then all from there is sent again."""
    witness, sender = Witness(parts.room), _sender(request, RELEASED)
    try:
        told = await _unless_stale(partial(witness.release, hand, event, sender))
    except NotSuspended:
        raise problems.HandNotFound("no suspended hand has this id") from None
    still = hand in await to_thread.run_sync(witness.aside.reasons, [hand])
    return answer(ReleaseAnswer(hand=hand, suspended=still, lines=tuple(told)))


class _Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """As `ReleaseWanted`, the event still to be read."""

    event: msgspec.Raw = msgspec.Raw(b"null")


_WANTED = decoder(_Wanted)


def _sender(request: Request, causation: str | None = None) -> Sender:
    subject = caller_of(request).holder.subject
    return Sender(id=subject, request_id=correlation_id.get(), causation=causation)


async def _unless_stale(work: Callable[[], list[LineAnswer]]) -> list[LineAnswer]:
    """Work in a thread. Raises a problem if others at the same hands never leave a turn."""
    try:
        return await to_thread.run_sync(work)
    except StaleStream as stale:
        raise problems.DatabaseTooBusy(str(stale), headers=BUSY) from None


async def _chunks(body: AsyncIterator[bytes]) -> AsyncIterator[Lines]:
    """The lines of a body as they come, numbered from 1, some at a time; blank ones left out."""
    lines: Lines = []
    number, rest = 0, b""
    async for part in body:
        *whole, rest = (rest + part).split(b"\n")
        for raw in whole:
            number += 1
            if raw.strip():
                lines.append((number, raw.strip()))
            if len(lines) == CHUNK:
                yield lines
                lines = []
    if rest.strip():
        lines.append((number + 1, rest.strip()))
    if lines:
        yield lines
