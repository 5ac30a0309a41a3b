"""The route of rake reports."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from domain.units import Game
from services.api.answers import answer, streamed_lines, wants_lines
from services.api.bodies import RakeAnswer
from services.api.describing import answers
from services.api.files import PLAIN
from services.api.parts import InService
from services.lookup import players_called
from services.reports import (
    DIMENSIONS,
    RakeLine,
    RakeWanted,
    dimensions,
    gaming_day_start,
    rake_report,
)

MOST = 1_000

router = APIRouter(tags=["rake"])

Text = Annotated[str | None, Query(max_length=200, pattern=PLAIN)]
By = Annotated[
    str, Query(max_length=200, description=f"Any of {', '.join(DIMENSIONS)}, with commas.")
]
Zone = Annotated[str, Query(max_length=64, description="Whose days they are: Europe/London.")]
Start = Annotated[
    str, Query(alias="gaming_day_start", max_length=5, description="When a day begins there.")
]
Top = Annotated[
    int | None, Query(ge=1, le=MOST, description="Of each day or month only the most raked.")
]


def wanted(
    parts: InService,
    by: By = "",
    from_day: Annotated[date | None, Query(alias="from", description="First day.")] = None,
    to_day: Annotated[date | None, Query(alias="to", description="Last day, included.")] = None,
    time_zone: Zone = "UTC",
    day_start: Start = "00:00",
    table: Text = None,
    game: Game | None = None,
    player: Text = None,
    top: Top = None,
) -> RakeWanted:
    """The question asked. Raises BadRakeQuestion."""
    return RakeWanted(
        by=dimensions(by),
        from_day=from_day,
        to_day=to_day,
        time_zone=time_zone,
        gaming_day_start=gaming_day_start(day_start),
        table=table,
        game=game,
        players=None if player is None else players_called(parts.room, player),
        top=top,
    )


@router.get("/v1/rake", **answers(RakeAnswer, lines=RakeLine))
def report(
    request: Request, parts: InService, wanted: Annotated[RakeWanted, Depends(wanted)]
) -> Response:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's."""
    found = rake_report(parts.room.connect, wanted)
    if wants_lines(request):
        return streamed_lines(found.lines)
    players = {line.player for line in found.lines if line.player is not None}
    return answer(
        RakeAnswer(
            by=wanted.by,
            from_day=wanted.from_day,
            to_day=wanted.to_day,
            time_zone=wanted.time_zone,
            gaming_day_start=f"{wanted.gaming_day_start:%H:%M}",
            lines=found.lines,
            players=parts.room.players.names(players),
            complete_to=found.complete_to,
        )
    )
