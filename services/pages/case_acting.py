"""What is done at the desk, form by form; each is done once, however often it is sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from asgi_correlation_id import correlation_id
from fastapi import APIRouter, Depends, Request, Response
from msgspec.structs import replace

from domain.disputes import commands as q
from domain.errors import Refused
from services.api import dispute_bodies as b
from services.api.arriving import arrived
from services.api.dispute_wishes import hold_of
from services.api.guard import caller_of
from services.api.parts import InService, Parts
from services.disputes import NoAmounts, OnHold, UnknownFile, add_attachment, add_note, handle
from services.live import By, Idempotency, KeyReused
from services.pages.case import NO_ID, CaseId, again
from services.pages.forms import Form, FormError, SentForm
from services.pages.rendering import see_other
from services.privacy.case_files import erase_kept
from services.store.players import as_id

router = APIRouter(include_in_schema=False)

NOT_DONE = (Refused, KeyReused, OnHold, UnknownFile, NoAmounts)
"""What the rules or the moment do not allow: told on the page, and nothing was done."""

MOST_NOTE, MOST_WORDS = 20_000, 500
MEDIA_TYPE = re.compile(r"[a-z]+/[a-zA-Z0-9.+-]{1,80}")
UNKNOWN_KIND = "application/octet-stream"


class Desk(msgspec.Struct, frozen=True):
    """Somebody who sent a form about a case, and when it arrived."""

    request: Request
    parts: Parts
    case: UUID
    form: Form
    by: By
    at: datetime

    def does(self, act: Callable[[], object], part: str, query: str = "") -> Response:
        """Do it and go back to that part of the page, or show the page with why it was not."""
        try:
            act()
        except FormError as wrong:
            return again(self.request, self.parts, self.case, wrong.form, 422)
        except NOT_DONE as no:
            return again(self.request, self.parts, self.case, self.form, 409, words_of(no))
        return see_other(f"/cases/{self.case}{query}#{part}")

    def commands(self, part: str, command: Callable[[], q.CaseCommand]) -> Response:
        """The same for one command, stamped with the form's arrival."""

        def act() -> None:
            timed = replace(command(), at=self.at)
            handle(self.parts.room.store, self.case, timed, self.by)

        return self.does(act, part)


def words_of(no: Exception) -> str:
    """Why something was not done, with the rule if it is one."""
    if isinstance(no, KeyReused):
        return "this form was sent before, with other words in it: look whether it is done"
    return f"{no} (rule {no.rule})" if isinstance(no, Refused) else str(no)


def by_of(request: Request, form: Form) -> By:
    """Who sent a form. Its hidden id makes of one that is sent twice one that is done once."""
    caller = caller_of(request)
    known = as_id(form.value("command"))
    return By(
        actor=caller.actor,
        role=caller.holder.role,
        player=caller.player,
        # What was wanted is told apart by what it comes to, not by the form's bytes.
        key=None if known is None else Idempotency(f"form {known}", ""),
        request_id=correlation_id.get(),
    )


def desk(request: Request, parts: InService, case: CaseId, form: SentForm) -> Desk:
    """The case in the address, before whoever sent the form."""
    return Desk(request, parts, case, form, by_of(request, form), arrived(request))


AtDesk = Annotated[Desk, Depends(desk)]


@router.post("/cases/{case}/acknowledge")
def acknowledge(at: AtDesk) -> Response:
    """The complainant was told that it arrived."""
    return at.commands("next", lambda: q.Acknowledge(by=at.by.actor))


@router.post("/cases/{case}/notes")
def note(at: AtDesk) -> Response:
    """Something is written down."""

    def act() -> object:
        text = at.form.text("note", most=MOST_NOTE, required=True)
        return add_note(at.parts.room, at.case, text, at.by, at=at.at)

    return at.does(act, "kept")


@router.post("/cases/{case}/attachments")
def attachment(at: AtDesk) -> Response:
    """A file is put with the case, under its own name and as what the browser takes it for."""

    def act() -> object:
        file = at.form.file("attachment")
        if not file:
            raise FormError(at.form, "attachment", "choose a file with something in it")
        kind, _, _ = file.media_type.partition(";")
        kind = kind.strip() if MEDIA_TYPE.fullmatch(kind.strip()) else UNKNOWN_KIND
        room = at.parts.room
        return add_attachment(room, at.case, bytes(file), kind, at.by, name=file.name, at=at.at)

    return at.does(act, "kept")


@router.post("/cases/{case}/erasures")
def erasure(at: AtDesk) -> Response:
    """Something is kept no longer; its digest stays."""

    def act() -> object:
        reason = at.form.text("erase_reason", most=MOST_WORDS, required=True)
        return erase_kept(at.parts.room, at.case, _named(at.form, "kept"), reason, at.by, at=at.at)

    return at.does(act, "kept")


@router.post("/cases/{case}/approvals")
def approval(at: AtDesk) -> Response:
    """Somebody else agrees, and what the ruling moves is moved."""
    ruling = _named(at.form, "ruling")
    return at.commands("rulings", lambda: q.ApproveRuling(ruling=ruling, by=at.by.actor))


@router.post("/cases/{case}/withdrawals")
def withdrawal(at: AtDesk) -> Response:
    """A ruling is taken back."""
    ruling = _named(at.form, "ruling")
    return at.commands("rulings", lambda: q.WithdrawRuling(ruling=ruling, by=at.by.actor))


@router.post("/cases/{case}/answer")
def answer(at: AtDesk) -> Response:
    """The complainant has his answer."""
    letter = as_id(at.form.value("letter"))
    return at.commands("next", lambda: q.AnswerCase(letter=letter, by=at.by.actor))


@router.post("/cases/{case}/close")
def close(at: AtDesk) -> Response:
    """The case ends."""
    return at.commands("next", lambda: q.CloseCase(by=at.by.actor))


@router.post("/cases/{case}/reopen")
def reopen(at: AtDesk) -> Response:
    """A closed case goes on."""

    def command() -> q.CaseCommand:
        reason = at.form.text("reopen_reason", most=MOST_WORDS, required=True)
        return q.ReopenCase(reason=reason, by=at.by.actor)

    return at.commands("next", command)


@router.post("/cases/{case}/hold")
def hold(at: AtDesk) -> Response:
    """A legal hold is set or lifted."""

    def command() -> q.CaseCommand:
        if at.form.value("state") == "lifted":
            return hold_of(b.HoldWanted(state="lifted"), at.by, at.at)
        reason = at.form.text("hold_reason", most=MOST_WORDS, required=True)
        return hold_of(b.HoldWanted(state="set", reason=reason), at.by, at.at)

    return at.commands("hold", command)


def _named(form: Form, field: str) -> UUID:
    """What a hidden field names; what is no id names nothing there is."""
    return as_id(form.value(field)) or NO_ID
