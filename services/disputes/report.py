"""The report of a case as a PDF: the same bytes whenever it is made of the same record.

It is dated by the last fact of its case, not by whoever makes it, and leaves out what came after:
that the report itself was made, and who looked at the hand to make it.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from uuid import UUID

import msgspec
import typst
from msgspec.structs import replace

from domain.discreet import Discreet
from domain.disputes.commands import NoteReport
from domain.disputes.events import ReportMade
from services.disputes.evidence import gather
from services.disputes.handling import handle
from services.disputes.loading import LoadedCase, load_case
from services.disputes.report_contents import ReportContents, report_contents
from services.disputes.sheet import case_sheet
from services.live import By, Idempotency
from services.replaying import PUBLIC, View
from services.store.room import Room

TEMPLATE = "report.typ"


class Report(Discreet, frozen=True, kw_only=True):
    """A finished report; `sha256` of its bytes is in the case."""

    dispute: UUID
    pdf: bytes
    sha256: str


def make_report(
    room: Room, case: UUID, by: By, view: View = PUBLIC, *, at: datetime | None = None
) -> Report:
    """The report of a case, noted in it unless the same one was made before.

    A view of hidden cards has to be on record before. Raises `UnknownCase`, `BadView`,
    `CorruptHistory` and what `handle` raises.
    """
    loaded = load_case(room.store, case)
    contents = report_contents(case_sheet(room, loaded), gather(room, loaded, view), dated(loaded))
    pdf = typeset(contents, dated(loaded))
    digest = sha256(pdf).hexdigest()
    if digest not in loaded.case.reports:
        noted = NoteReport(sha256=digest, size=len(pdf), by=by.actor, at=at)
        handle(room.store, case, noted, replace(by, key=Idempotency(f"report {digest}", digest)))
    return Report(dispute=case, pdf=pdf, sha256=digest)


def dated(loaded: LoadedCase) -> datetime:
    """When the last fact was added that is not about a report."""
    last = [event for event in loaded.events if not isinstance(event, ReportMade)][-1]
    return last.at or loaded.case.opened.submitted_at


def typeset(contents: ReportContents, at: datetime) -> bytes:
    """A tagged PDF of these contents, dated `at` to the second.

    It promises no standard: those refuse letters that no font has, and a name may have any.
    """
    made = typesetter(contents).compile(format="pdf", timestamp=int(at.timestamp()), pdf_tags=True)
    assert isinstance(made, bytes), "one document is one file"
    return made


def typesetter(contents: ReportContents) -> typst.Compiler:
    """What sets these contents, with the fonts it brings along; they are its data, not its text."""
    template = files(__package__).joinpath(TEMPLATE).read_bytes()
    words = msgspec.json.encode(contents).decode()
    return typst.Compiler(template, ignore_system_fonts=True, sys_inputs={"report": words})
