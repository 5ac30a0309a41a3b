"""Routes that show disputes: the register, one case, and what the record says about it."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from uuid import UUID

from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from domain.disputes.case import Status
from domain.disputes.events import Category
from services.access import Sighting, record_sighting
from services.api import asking, problems
from services.api.answers import answer, next_link, streamed_lines, wants_lines
from services.api.arriving import arrived
from services.api.describing import answers
from services.api.files import on_file
from services.api.guard import Caller, caller_of
from services.api.parts import InService, Parts
from services.api.sight import ViewParameter, WhyParameter, possible_views
from services.disputes import (
    CaseEvidence,
    CaseFound,
    CaseSheet,
    CasesPage,
    CasesWanted,
    UnknownCase,
    case_sheet,
    find_cases,
    gather,
    load_case,
    load_hand,
)
from services.replaying import is_over, parse_view
from services.store.players import as_id

router = APIRouter(tags=["disputes"])


def case_id(dispute: Annotated[asking.Short, Path(description="The case's id.")]) -> UUID:
    """The id in the path. Raises `UnknownCase` for what is none."""
    found = as_id(dispute)
    if found is None:
        raise UnknownCase("a case is named by its id")
    return found


CaseId = Annotated[UUID, Depends(case_id)]
OfStatus = Annotated[Status | None, Query(alias="status", description="How far they have come.")]
OfCategory = Annotated[Category | None, Query(alias="category", description="What they are about.")]
From = Annotated[date | None, Query(alias="from", description="The first UTC day of complaints.")]
To = Annotated[date | None, Query(alias="to", description="The last UTC day of complaints.")]
Overdue = Annotated[
    bool,
    asking.said("write true or false", "true", "false"),
    Query(description="true: only those whose answer is owed after its time."),
]
AboutHand = Annotated[str | None, Query(description="The id of the hand they are about.")]
StepParameter = Annotated[
    int | None, Query(ge=1, description="A step of the hand; that of the complaint if not said.")
]


@router.get(
    "/v1/disputes", summary="The register of disputes", **answers(CasesPage, lines=CaseFound)
)
def register(
    request: Request,
    parts: InService,
    status: OfStatus = None,
    category: OfCategory = None,
    hand: AboutHand = None,
    first: From = None,
    last: To = None,
    overdue: Overdue = False,
    limit: asking.Limit = 50,
    after: asking.After = None,
) -> Response:
    """Cases, the latest complaint first. As JSON Lines, one case a line."""
    asking.in_order(first, last)
    wanted = CasesWanted(
        status=status,
        category=category,
        hand=None if hand is None else on_file(parts.room, hand).hand,
        first=first,
        last=last,
        overdue=overdue,
        limit=limit,
        after=after,
    )
    page = find_cases(parts.room.connect, wanted, arrived(request))
    link = next_link(request, page.next)
    if wants_lines(request):
        return streamed_lines(page.disputes, link=link)
    return answer(page, link=link)


@router.get("/v1/disputes/{dispute}", summary="One case", **answers(CaseSheet))
def one(parts: InService, case: CaseId) -> Response:
    """A case as it stands: dates, what is kept with it, rulings, money as played and as ruled."""
    return answer(case_sheet(parts.room, load_case(parts.room.store, case)))


@router.get(
    "/v1/disputes/{dispute}/evidence", summary="What the record says", **answers(CaseEvidence)
)
def evidence(
    request: Request,
    parts: InService,
    case: CaseId,
    view: ViewParameter = "public",
    step: StepParameter = None,
    why: WhyParameter = None,
) -> Response:
    """The step as the view saw it, the clock, the rules, the neighbours, and who looked."""
    loaded = load_case(parts.room.store, case)
    seen = parse_view(view)
    if seen.kind != "public":
        record_seen(request, parts, loaded.case.opened.hand, view, why or f"dispute {case}")
    return answer(gather(parts.room, loaded, seen, step))


def record_seen(request: Request, parts: Parts, hand: UUID, view: str, why: str) -> None:
    """Hidden cards are shown of a hand that is over, and on record before. Raises a problem."""
    caller = require_sight(request, parts, hand, view)
    seen = Sighting(
        actor=caller.actor,
        key=caller.holder.id,
        role=caller.holder.role,
        hand=hand,
        view=view,
        purpose=why,
    )
    record_sighting(parts.room.store, seen, request_id=correlation_id.get())


def require_sight(request: Request, parts: Parts, hand: UUID, view: str) -> Caller:
    """Whoever asks, if he may see this view of the hand now. Raises a problem."""
    caller = caller_of(request)
    if parse_view(view).kind not in caller.sights:
        raise problems.ViewNotAllowed(possible_views(caller))
    if not is_over(load_hand(parts.room.store, hand).events):
        raise problems.HandStillLive("until it is over, nobody sees another's hidden cards")
    return caller
