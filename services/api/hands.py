"""Routes of hands: finding them, and everything about one."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from domain.units import Game
from services.api import bodies as b
from services.api import sheets
from services.api.answers import (
    answer,
    next_link,
    streamed_lines,
    tagged,
    tagged_lines,
    wants_lines,
)
from services.api.describing import answers
from services.api.files import PLAIN, Hand
from services.api.parts import InService, Parts
from services.api.sight import SeenHand
from services.explaining import Explanation
from services.explaining import explain as explain_hand
from services.lookup import players_called
from services.replaying import ReplayFrame, replay_step
from services.reports import HandFound, HandsPage, HandsWanted, find_hands

MOST = 1_000

router = APIRouter(tags=["hands"])

Text = Annotated[str | None, Query(max_length=200, pattern=PLAIN)]
Day = Annotated[date | None, Query(description="A UTC day, such as 2026-01-31; included.")]
Step = Annotated[
    int | None, Query(ge=1, le=1_000_000, description="1 for the first event; else the last.")
]


@router.get("/v1/hands", **answers(HandsPage, lines=HandFound))
def search(
    request: Request,
    parts: InService,
    number: Text = None,
    table: Text = None,
    player: Text = None,
    game: Game | None = None,
    from_day: Annotated[Day, Query(alias="from")] = None,
    to_day: Annotated[Day, Query(alias="to")] = None,
    min_pot: Annotated[
        Decimal | None,
        Query(ge=0, le=10**15, description="In whole units of the hand's currency: 20 is $20.00."),
    ] = None,
    findings: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
    after: Annotated[str | None, Query(max_length=200, description="`next` of a page.")] = None,
) -> Response:
    """Hands by what they were, newest first. As JSON Lines, one hand a line."""
    wanted = HandsWanted(
        number=number,
        table=table,
        players=None if player is None else players_called(parts.room, player),
        game=game,
        from_day=from_day,
        to_day=to_day,
        min_pot=min_pot,
        findings=findings,
        limit=limit,
        after=after,
    )
    page = find_hands(parts.room.connect, wanted)
    link = next_link(request, page.next)
    if wants_lines(request):
        return streamed_lines(page.hands, link=link)
    return answer(page, link=link)


@router.get("/v1/hands/{hand}", **answers(b.HandSheet))
def hand(request: Request, parts: InService, file: Hand) -> Response:
    """One hand: what was played, by whom, for how much, and the verdict."""
    return tagged(request, sheets.hand_sheet(file, conflicting=_conflicting(parts, file.hand)))


@router.get("/v1/hands/{hand}/events", **answers(b.EventsOfHand, lines=b.EventLine))
def events(request: Request, seen: SeenHand) -> Response:
    """Every event of the hand in order, hidden cards as `??`."""
    if wants_lines(request):
        return tagged_lines(request, sheets.event_lines(seen.file, seen.view))
    return tagged(request, sheets.events_of_hand(seen.file, seen.view))


@router.get("/v1/hands/{hand}/replay", **answers(ReplayFrame))
def replay(request: Request, seen: SeenHand, step: Step = None) -> Response:
    """The table after a step of the hand."""
    file = seen.file
    frame = replay_step(str(file.hand), file.events, step, seen.view, file.names)
    return tagged(request, frame)


@router.get("/v1/hands/{hand}/pots", **answers(b.PotsOfHand))
def pots(request: Request, file: Hand) -> Response:
    """Main pot and side pots: who paid, who could win, what was paid out."""
    return tagged(request, sheets.pots_of_hand(file))


@router.get("/v1/hands/{hand}/odd-chips", **answers(b.OddChipsOfHand))
def odd_chips(request: Request, seen: SeenHand) -> Response:
    """Every odd chip: to whom, by which rule, and what was compared."""
    return tagged(request, sheets.odd_chips_of_hand(seen.file, seen.view))


@router.get("/v1/hands/{hand}/rake", **answers(b.RakeOfHand))
def rake(request: Request, file: Hand) -> Response:
    """What the house took from the hand, why so much, from whom, and the hand's books."""
    return tagged(request, sheets.rake_of_hand(file))


@router.get("/v1/hands/{hand}/verdict", **answers(b.VerdictOnHand))
def verdict(request: Request, seen: SeenHand) -> Response:
    """Whether the hand was played and paid by the rules, judged now from its events."""
    return tagged(request, sheets.verdict_on_hand(seen.file, seen.view))


@router.get("/v1/hands/{hand}/explain", **answers(Explanation))
def explain(request: Request, seen: SeenHand, step: Step = None) -> Response:
    """Why the hand, or one step of it, came out as it did, with the rules' ids."""
    file = seen.file
    return tagged(request, explain_hand(str(file.hand), file.events, step, seen.view, file.names))


def _conflicting(parts: Parts, hand: UUID) -> bool:
    """Whether another record of this hand contradicts it; only all hands together can say."""
    found = find_hands(parts.room.connect, HandsWanted(hand=hand, limit=1)).hands
    return any(row.conflicting for row in found)
