"""Routes of disputes: cases found, opened, collected for, ruled on by two people, closed."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from msgspec.structs import replace

from domain.disputes import commands as q
from domain.disputes.case import Status
from domain.disputes.events import Category
from services.access import Sighting, record_sighting
from services.api import asking, problems
from services.api import dispute_bodies as b
from services.api.answers import answer, next_link, streamed_lines, wants_lines
from services.api.arriving import arrived
from services.api.describing import answers
from services.api.files import on_file
from services.api.guard import caller_of
from services.api.parts import InService, Parts
from services.api.sight import ViewParameter, WhyParameter, possible_views
from services.api.table_bodies import Nothing
from services.api.wanting import Asker, body_of, describes
from services.disputes import (
    CaseEvidence,
    CaseFound,
    CaseSheet,
    CasesPage,
    CasesWanted,
    InCase,
    UnknownCase,
    add_attachment,
    add_note,
    amounts_of,
    case_sheet,
    find_cases,
    gather,
    handle,
    load_case,
    load_hand,
    open_case,
)
from services.live import By
from services.replaying import is_over, parse_view
from services.store.players import as_id

router = APIRouter(tags=["disputes"])

SHEET: dict[str, Any] = answers(CaseSheet, refuses=True)


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
    caller = caller_of(request)
    if parse_view(view).kind not in caller.sights:
        raise problems.ViewNotAllowed(possible_views(caller))
    if not is_over(load_hand(parts.room.store, hand).events):
        raise problems.HandStillLive("until it is over, nobody sees another's hidden cards")
    seen = Sighting(
        actor=caller.actor,
        key=caller.holder.id,
        role=caller.holder.role,
        hand=hand,
        view=view,
        purpose=why,
    )
    record_sighting(parts.room.store, seen, request_id=correlation_id.get())


@router.post(
    "/v1/disputes",
    summary="Take up a complaint",
    openapi_extra=describes(b.ComplaintMade, b.OPENING),
    **SHEET,
)
def opening(
    request: Request,
    parts: InService,
    by: Asker,
    made: Annotated[b.ComplaintMade, Depends(body_of(b.ComplaintMade))],
) -> Response:
    """The eight weeks to answer it begin when the complaint was made."""
    at = arrived(request)
    command = q.OpenCase(
        hand=on_file(parts.room, made.hand).hand,
        category=made.category,
        complainant=made.complainant,
        channel=made.channel,
        step=made.step,
        submitted_at=made.submitted_at or at,
        by=by.actor,
        at=at,
    )
    return _sheet(parts, open_case(parts.room.store, command, by))


@router.post(
    "/v1/disputes/{dispute}/acknowledge",
    summary="Say that the complainant was told it arrived",
    openapi_extra=describes(Nothing, {}),
    **SHEET,
)
def acknowledge(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    _: Annotated[Nothing, Depends(body_of(Nothing))],
) -> Response:
    """Once."""
    return _handled(request, parts, case, q.Acknowledge(by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/notes",
    summary="Put a note with a case",
    openapi_extra=describes(b.NoteWritten, {"text": "He showed the seven first."}),
    **SHEET,
)
def notes(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    written: Annotated[b.NoteWritten, Depends(body_of(b.NoteWritten))],
) -> Response:
    """The text is kept outside the log, where it can be erased."""
    return _sheet(parts, add_note(parts.room, case, written.text, by, at=arrived(request)))


@router.post(
    "/v1/disputes/{dispute}/attachments",
    summary="Put a file with a case",
    openapi_extra=describes(
        b.FileHandedIn, {"content": "iVBORw0KGgo=", "media_type": "image/png", "name": "table.png"}
    ),
    **SHEET,
)
def attachments(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    file: Annotated[b.FileHandedIn, Depends(body_of(b.FileHandedIn))],
) -> Response:
    """The bytes are kept outside the log, where they can be erased; their digest is in it."""
    at, name = arrived(request), file.name
    kept = add_attachment(parts.room, case, file.content, file.media_type, by, name=name, at=at)
    return _sheet(parts, kept)


@router.post(
    "/v1/disputes/{dispute}/rulings",
    summary="Propose a ruling",
    openapi_extra=describes(
        b.RulingWanted, {"kind": "uphold", "reason": "The low was read right.", "rule": "P2"}
    ),
    **SHEET,
)
def rulings(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    wanted: Annotated[b.RulingWanted, Depends(body_of(b.RulingWanted))],
) -> Response:
    """It moves nothing until somebody else approves it."""
    moves, rake = wanted.moves, wanted.rake
    if wanted.kind == "corrected_award" and wanted.evidence is not None and not moves:
        moves, rake = amounts_of(parts.room, case, wanted.evidence)
    command = q.ProposeRuling(
        ruling=uuid4() if by.command_id is None else uuid5(by.command_id, "ruling"),
        kind=wanted.kind,
        reason=wanted.reason,
        rule=wanted.rule,
        moves=moves,
        rake=rake,
        remedy=wanted.remedy,
        step=wanted.step,
        evidence=wanted.evidence,
        by=by.actor,
    )
    return _handled(request, parts, case, command, by)


NamedRuling = Annotated[b.RulingNamed, Depends(body_of(b.RulingNamed))]
RULING = {"ruling": "c5a1d9c0-5a3e-4f63-8f2b-7d1a90e4b3c2"}


@router.post(
    "/v1/disputes/{dispute}/approvals",
    summary="Approve a ruling",
    openapi_extra=describes(b.RulingNamed, RULING),
    **SHEET,
)
def approvals(
    request: Request, parts: InService, case: CaseId, by: Asker, named: NamedRuling
) -> Response:
    """Never by whoever proposed it; what it moves is moved in the same moment."""
    return _handled(request, parts, case, q.ApproveRuling(ruling=named.ruling, by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/withdrawals",
    summary="Withdraw a ruling",
    openapi_extra=describes(b.RulingNamed, RULING),
    **SHEET,
)
def withdrawals(
    request: Request, parts: InService, case: CaseId, by: Asker, named: NamedRuling
) -> Response:
    """It can then not be approved any more."""
    return _handled(request, parts, case, q.WithdrawRuling(ruling=named.ruling, by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/answer",
    summary="Say that the complainant has his answer",
    openapi_extra=describes(b.AnswerGiven, {}),
    **SHEET,
)
def answered(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    given: Annotated[b.AnswerGiven, Depends(body_of(b.AnswerGiven))],
) -> Response:
    """Within eight weeks of the complaint."""
    return _handled(request, parts, case, q.AnswerCase(letter=given.letter, by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/close",
    summary="Close a case",
    openapi_extra=describes(Nothing, {}),
    **SHEET,
)
def close(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    _: Annotated[Nothing, Depends(body_of(Nothing))],
) -> Response:
    """Once it is answered and no ruling waits."""
    return _handled(request, parts, case, q.CloseCase(by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/reopen",
    summary="Go on with a closed case",
    openapi_extra=describes(b.Reopening, {"reason": "a picture came in"}),
    **SHEET,
)
def reopen(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    reopening: Annotated[b.Reopening, Depends(body_of(b.Reopening))],
) -> Response:
    """With eight weeks anew."""
    return _handled(request, parts, case, q.ReopenCase(reason=reopening.reason, by=by.actor), by)


@router.post(
    "/v1/disputes/{dispute}/hold",
    summary="Set or lift a legal hold",
    openapi_extra=describes(b.HoldWanted, {"state": "set", "reason": "asked by a court"}),
    **SHEET,
)
def hold(
    request: Request,
    parts: InService,
    case: CaseId,
    by: Asker,
    wanted: Annotated[b.HoldWanted, Depends(body_of(b.HoldWanted))],
) -> Response:
    """While it is on hold nothing about it is erased."""
    command: q.CaseCommand = q.LiftHold(by=by.actor)
    if wanted.state == "set":
        command = q.SetHold(reason=wanted.reason, by=by.actor)
    return _handled(request, parts, case, command, by)


def _handled(
    request: Request, parts: Parts, case: UUID, command: q.CaseCommand, by: By
) -> Response:
    """Run a command, stamped with the request's arrival."""
    timed = replace(command, at=arrived(request))
    return _sheet(parts, handle(parts.room.store, case, timed, by))


def _sheet(parts: Parts, done: InCase) -> Response:
    return answer(case_sheet(parts.room, done.loaded))
