"""`dispute erase`: what was put with a case is kept no longer, and that is on record."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from services.cli.dispute_asking import Called, Subject, by_subject
from services.cli.dispute_showing import show_case
from services.cli.output import Format, FormatOption
from services.cli.rooms import current_room
from services.disputes import case_sheet
from services.disputes.naming import case_called
from services.privacy.case_files import erase_kept


def erase(
    dispute: Called,
    kept: Annotated[UUID, typer.Argument(help="the note, file or evidence, by its id")],
    subject: Subject,
    reason: Annotated[str, typer.Option("--reason", help="why, without anybody's name")],
    form: FormatOption = Format.TABLE,
) -> None:
    """Erase a note, a file or evidence of a case; its digest stays, and who did it and why."""
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        done = erase_kept(room, case, kept, reason, by)
        show_case(case_sheet(room, done.loaded), form)
