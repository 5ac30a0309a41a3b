"""Routes that do something in a dispute: each is one command, answered with the case after it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Request, Response
from msgspec.structs import replace

from domain.disputes import commands as q
from services.api import dispute_bodies as b
from services.api.answers import answer
from services.api.arriving import arrived
from services.api.describing import answers
from services.api.dispute_wishes import hold_of, opening_of, ruling_of
from services.api.disputes import CaseId
from services.api.parts import InService
from services.api.table_bodies import Nothing
from services.api.wanting import Asker, body_of, describes
from services.disputes import (
    CaseSheet,
    InCase,
    add_attachment,
    add_note,
    case_sheet,
    handle,
    open_case,
)
from services.live import By
from services.privacy.case_files import erase_kept
from services.store.room import Room

router = APIRouter(tags=["disputes"])

Route = Callable[[Callable[..., Response]], Callable[..., Response]]
SHEET: dict[str, Any] = answers(CaseSheet, refuses=True)
RULING = {"ruling": "c5a1d9c0-5a3e-4f63-8f2b-7d1a90e4b3c2"}
KEPT = {"kept": "a9e0c1d2-3b4c-4d5e-8f60-718293a4b5c6", "reason": "a stranger's letter"}
PICTURE = {"content": "iVBORw0KGgo=", "media_type": "image/png", "name": "table.png"}


def takes(path: str, summary: str, body: type[msgspec.Struct], example: dict[str, Any]) -> Route:
    """A route that is sent `body` and answers with the case."""
    return router.post(
        f"/v1/disputes{path}", summary=summary, openapi_extra=describes(body, example), **SHEET
    )


class Desk(msgspec.Struct, frozen=True):
    """Where somebody works at a case: whose request it is, and when it arrived."""

    room: Room
    case: UUID
    by: By
    at: datetime

    def does(self, command: q.CaseCommand) -> Response:
        """Run a command, stamped with the request's arrival."""
        timed = replace(command, at=self.at)
        return sheet(self.room, handle(self.room.store, self.case, timed, self.by))


def desk(request: Request, parts: InService, case: CaseId, by: Asker) -> Desk:
    """The case in the path, before whoever asks."""
    return Desk(parts.room, case, by, arrived(request))


AtDesk = Annotated[Desk, Depends(desk)]
NoWords = Annotated[Nothing, Depends(body_of(Nothing))]
RulingNamed = Annotated[b.RulingNamed, Depends(body_of(b.RulingNamed))]


def sheet(room: Room, done: InCase) -> Response:
    """The case after what was done."""
    return answer(case_sheet(room, done.loaded))


@takes("", "Take up a complaint", b.ComplaintMade, b.OPENING)
def opening(
    request: Request,
    parts: InService,
    by: Asker,
    made: Annotated[b.ComplaintMade, Depends(body_of(b.ComplaintMade))],
) -> Response:
    """The eight weeks to answer it begin when the complaint was made."""
    command = opening_of(parts.room, made, by, arrived(request))
    return sheet(parts.room, open_case(parts.room.store, command, by))


@takes("/{dispute}/acknowledge", "Say that the complainant was told it arrived", Nothing, {})
def acknowledge(at: AtDesk, _: NoWords) -> Response:
    """Once."""
    return at.does(q.Acknowledge(by=at.by.actor))


# -- what is kept ----------------------------------------------------------------------------------


@takes(
    "/{dispute}/notes",
    "Put a note with a case",
    b.NoteWritten,
    {"text": "He showed the seven first."},
)
def notes(
    at: AtDesk, written: Annotated[b.NoteWritten, Depends(body_of(b.NoteWritten))]
) -> Response:
    """The text is kept outside the log, where it can be erased."""
    return sheet(at.room, add_note(at.room, at.case, written.text, at.by, at=at.at))


@takes("/{dispute}/attachments", "Put a file with a case", b.FileHandedIn, PICTURE)
def attachments(
    at: AtDesk, file: Annotated[b.FileHandedIn, Depends(body_of(b.FileHandedIn))]
) -> Response:
    """The bytes are kept outside the log, where they can be erased; their digest is in it."""
    kind, name = file.media_type, file.name
    kept = add_attachment(at.room, at.case, file.content, kind, at.by, name=name, at=at.at)
    return sheet(at.room, kept)


@takes("/{dispute}/erasures", "Erase something kept with a case", b.KeptNamed, KEPT)
def erasures(at: AtDesk, named: Annotated[b.KeptNamed, Depends(body_of(b.KeptNamed))]) -> Response:
    """Its digest stays in the log, and who had it erased and why; never while it is on hold."""
    done = erase_kept(at.room, at.case, named.kept, named.reason, at.by, at=at.at)
    return sheet(at.room, done)


# -- rulings ---------------------------------------------------------------------------------------


@takes(
    "/{dispute}/rulings",
    "Propose a ruling",
    b.RulingWanted,
    {"kind": "uphold", "reason": "The low was read right.", "rule": "P2"},
)
def rulings(
    at: AtDesk, wanted: Annotated[b.RulingWanted, Depends(body_of(b.RulingWanted))]
) -> Response:
    """It moves nothing until somebody else approves it."""
    return at.does(ruling_of(at.room, at.case, wanted, at.by, at.at))


@takes("/{dispute}/approvals", "Approve a ruling", b.RulingNamed, RULING)
def approvals(at: AtDesk, named: RulingNamed) -> Response:
    """Never by whoever proposed it; what it moves is moved in the same moment."""
    return at.does(q.ApproveRuling(ruling=named.ruling, by=at.by.actor))


@takes("/{dispute}/withdrawals", "Withdraw a ruling", b.RulingNamed, RULING)
def withdrawals(at: AtDesk, named: RulingNamed) -> Response:
    """It can then not be approved any more."""
    return at.does(q.WithdrawRuling(ruling=named.ruling, by=at.by.actor))


# -- the end of a case -----------------------------------------------------------------------------


@takes("/{dispute}/answer", "Say that the complainant has his answer", b.AnswerGiven, {})
def answered(
    at: AtDesk, given: Annotated[b.AnswerGiven, Depends(body_of(b.AnswerGiven))]
) -> Response:
    """Within eight weeks of the complaint."""
    return at.does(q.AnswerCase(letter=given.letter, by=at.by.actor))


@takes("/{dispute}/close", "Close a case", Nothing, {})
def close(at: AtDesk, _: NoWords) -> Response:
    """Once it is answered and no ruling waits."""
    return at.does(q.CloseCase(by=at.by.actor))


@takes(
    "/{dispute}/reopen", "Go on with a closed case", b.Reopening, {"reason": "a picture came in"}
)
def reopen(
    at: AtDesk, reopening: Annotated[b.Reopening, Depends(body_of(b.Reopening))]
) -> Response:
    """With eight weeks anew."""
    return at.does(q.ReopenCase(reason=reopening.reason, by=at.by.actor))


@takes(
    "/{dispute}/hold",
    "Set or lift a legal hold",
    b.HoldWanted,
    {"state": "set", "reason": "asked by a court"},
)
def hold(at: AtDesk, wanted: Annotated[b.HoldWanted, Depends(body_of(b.HoldWanted))]) -> Response:
    """While it is on hold nothing about it is erased."""
    return at.does(hold_of(wanted, at.by, at.at))
