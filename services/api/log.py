"""Routes of the verifiable log: the newest checkpoint, and proofs under it."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from services.api import problems
from services.api.answers import PRIVATE, tagged
from services.api.describing import answers
from services.api.parts import InService, Parts
from services.log.checkpoints import Checkpoints
from services.log.errors import NoCheckpoint, NotSealed
from services.log.proving import Consistency, Prover

MOST = 2**63 - 1

Position = Annotated[int, Path(ge=1, le=MOST, description="the event's position in the log")]
Earlier = Annotated[
    int, Query(alias="from", ge=1, le=MOST, description="leaves of the earlier tree")
]
Later = Annotated[
    int | None, Query(alias="to", ge=1, le=MOST, description="leaves of the later tree; the newest")
]

router = APIRouter(tags=["log"])


def _text(what: str) -> dict[str, Any]:
    """How a route is declared that answers with a text of this kind."""
    content = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "response_class": Response,
        "responses": {200: {"description": what, "content": content}},
    }


@router.get("/v1/log/checkpoint", summary="The newest checkpoint", **_text("A signed note"))
def checkpoint(parts: InService) -> Response:
    """The newest checkpoint, exactly as it was signed; the first is signed when asked for."""
    with contextlib.suppress(NoCheckpoint):
        return _plain(Checkpoints(parts.room).newest().note)
    return _plain(Checkpoints(parts.room).sign().note)


@router.get(
    "/v1/log/proof/{position}",
    summary="That an event is in the log",
    **_text("A proof of inclusion, `c2sp.org/tlog-proof@v1`"),
)
def proof(parts: InService, position: Position) -> Response:
    """A proof that an event is in the newest signed tree, with the event's public form."""
    checkpoint(parts)
    return _plain(str(Prover(parts.room).inclusion(position)))


@router.get("/v1/log/consistency", summary="That the log only grew", **answers(Consistency))
def consistency(
    request: Request, parts: InService, earlier: Earlier, later: Later = None
) -> Response:
    """A proof that the log of `to` leaves goes on from that of `from` leaves."""
    try:
        return tagged(request, Prover(parts.room).consistency(earlier, later or _newest(parts)))
    except NotSealed as wrong:
        raise problems.bad_parameter("from" if later is None else "to", str(wrong)) from None


def _newest(parts: Parts) -> int:
    checkpoint(parts)
    return Checkpoints(parts.room).newest().size


def _plain(text: str) -> Response:
    return Response(text, headers=PRIVATE, media_type="text/plain; charset=utf-8")
