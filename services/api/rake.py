"""The route of rake reports."""

from __future__ import annotations

from datetime import date
from typing import Annotated, cast

from fastapi import APIRouter, Query, Request, Response

from services.api import problems
from services.api.answers import answer, streamed_lines, wants_lines
from services.api.bodies import RakeAnswer
from services.api.describing import answers
from services.api.parts import InService
from services.reports import DIMENSIONS, Dimension, RakeLine, rake_report

router = APIRouter(tags=["rake"])


@router.get("/v1/rake", **answers(RakeAnswer, lines=RakeLine))
def report(
    request: Request,
    parts: InService,
    by: Annotated[
        str, Query(max_length=200, description=f"Any of {', '.join(DIMENSIONS)}, with commas.")
    ] = "",
    from_day: Annotated[date | None, Query(alias="from")] = None,
    to_day: Annotated[date | None, Query(alias="to")] = None,
) -> Response:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's."""
    chosen = _dimensions(by)
    found = rake_report(parts.room.connect, chosen, from_day, to_day)
    if wants_lines(request):
        return streamed_lines(found.lines)
    players = {line.player for line in found.lines if line.player is not None}
    return answer(
        RakeAnswer(
            by=chosen,
            from_day=from_day,
            to_day=to_day,
            lines=found.lines,
            players=parts.room.players.names(players),
            complete_to=found.complete_to,
        )
    )


def _dimensions(text: str) -> tuple[Dimension, ...]:
    """The dimensions named, each once. Raises a problem that lists what is possible."""
    names = dict.fromkeys(name for part in text.split(",") if (name := part.strip()))
    for name in names:
        if name not in DIMENSIONS:
            raise problems.bad_parameter("by", "rake cannot be reported by this", DIMENSIONS)
    return tuple(cast(Dimension, name) for name in names)
