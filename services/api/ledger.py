"""Routes of the ledger: accounts, sessions, gaming days, and the days that are closed."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import Field

from domain.closing import CannotClose, DayClosed
from services.api import asking, problems
from services.api.answers import answer, streamed_lines, wants_lines
from services.api.arriving import arrived
from services.api.asking import readable, said
from services.api.describing import answers
from services.api.guard import caller_of
from services.api.ledger_bodies import DayToClose
from services.api.parts import InService
from services.api.wanting import body_of, describes
from services.ledger import (
    Accounts,
    Balance,
    Closes,
    CloseTold,
    CloseWanted,
    LedgerDay,
    LedgerQuestion,
    SessionFound,
    SessionsFound,
    SessionsWanted,
    accounts,
    close_day,
    closes,
    ledger_day,
    sessions,
)
from services.lookup import players_called
from services.reports.rake_wanted import UTC, gaming_day_start, zone_of

router = APIRouter(tags=["ledger"])


OneDay = Annotated[asking.Day, asking.DAY, Path(description="A gaming day, such as 2026-01-31.")]
Zone = Annotated[
    Annotated[str, Field(max_length=64)] | None,
    said("the IANA database has no such time zone", UTC, "America/New_York", "Europe/London"),
    Query(description="Whose day it is; as days were closed before, or UTC."),
]
Start = Annotated[
    str,
    readable(lambda text: text and gaming_day_start(text)),
    Query(alias="gaming_day_start", description="When it begins there, such as 06:00."),
]


@router.get(
    "/v1/ledger/accounts", summary="Balances of accounts", **answers(Accounts, lines=Balance)
)
def balances(request: Request, parts: InService, player: asking.Player = None) -> Response:
    """What is on each account, players' and pots taken together; or on those of one player."""
    players = None if player is None else players_called(parts.room, player)
    told = accounts(parts.room.connect, players)
    return streamed_lines(told.accounts) if wants_lines(request) else answer(told)


@router.get(
    "/v1/ledger/sessions",
    summary="Sessions, reconciled",
    **answers(SessionsFound, lines=SessionFound),
)
def sat_down(
    request: Request,
    parts: InService,
    table: asking.Table = None,
    player: asking.Player = None,
    from_day: asking.FirstDay = None,
    to_day: asking.LastDay = None,
    limit: asking.Limit = asking.MOST,
) -> Response:
    """From buy-in to leaving, with what the table's stacks and the hands' books say."""
    asking.in_order(from_day, to_day)
    wanted = SessionsWanted(
        called=table,
        players=None if player is None else players_called(parts.room, player),
        from_day=from_day,
        to_day=to_day,
        limit=limit,
    )
    told = sessions(parts.room.connect, wanted)
    return streamed_lines(told.sessions) if wants_lines(request) else answer(told)


@router.get("/v1/ledger/days/{day}", summary="One gaming day", **answers(LedgerDay))
def day(parts: InService, day: OneDay, time_zone: Zone = None, day_start: Start = "") -> Response:
    """What each kind of account opened with, moved and closed with; as closed, or so far."""
    if time_zone is not None:
        zone_of(time_zone)
    asked = LedgerQuestion(day=day, time_zone=time_zone, day_start=day_start or None)
    return answer(ledger_day(parts.room, asked))


@router.get("/v1/rake/closes", summary="Closed days", **answers(Closes, lines=DayClosed))
def closed(request: Request, parts: InService) -> Response:
    """Every closed gaming day, in order, and which is closed next."""
    told = closes(parts.room)
    return streamed_lines(told.closes) if wants_lines(request) else answer(told)


@router.post(
    "/v1/rake/closes",
    summary="Close a gaming day",
    openapi_extra=describes(DayToClose, {"day": "2026-01-09"}),
    **answers(CloseTold),
)
def close(
    request: Request,
    parts: InService,
    wanted: Annotated[DayToClose, Depends(body_of(DayToClose))],
) -> Response:
    """The day is frozen for good. A day that is closed already is answered as it is."""
    asked = CloseWanted(**msgspec.structs.asdict(wanted))
    try:
        told = close_day(parts.room, asked, caller_of(request).actor, arrived(request))
    except CannotClose as wrong:
        raise problems.DayStaysOpen(str(wrong)) from None
    return answer(told)
