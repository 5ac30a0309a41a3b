"""`dispute report` and `dispute bundle`: a case for somebody outside, to read and to check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.access import COMMAND_LINE
from services.cli.dispute_asking import Called, by_subject, require_seen
from services.cli.export_parts import require_folder
from services.cli.output import Format, FormatOption, emit_json, say
from services.cli.rooms import current_room
from services.cli.viewing import ViewOption, WhyOption, view_of
from services.dispute_bundle import export_case
from services.disputes.naming import case_called
from services.disputes.report import make_report
from services.live import By
from services.writers.files import appearing_whole

Out = Annotated[Path, typer.Option("-o", "--output", help="the PDF to write")]


def report(
    dispute: Called,
    output: Out = Path("dispute.pdf"),
    view: ViewOption = "public",
    why: WhyOption = None,
    subject: Annotated[str | None, typer.Option("--subject", help="who has it made")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Write a case down as a PDF: the table, the evidence, the ruling; its digest is kept."""
    seen = view_of(view, why)
    require_folder(output)
    with current_room() as room:
        case = case_called(room, dispute)
        require_seen(room, case, seen, why)
        by = By(actor=COMMAND_LINE, role="admin") if subject is None else by_subject(room, subject)
        made = make_report(room, case, by, seen)
    with appearing_whole(output) as out:
        out.write(made.pdf)
    if form is Format.TABLE:
        say(f"{output}: {len(made.pdf)} bytes, view {seen}, SHA-256 {made.sha256}")
        return
    emit_json(
        {
            "dispute": str(made.dispute),
            "file": str(output),
            "view": str(seen),
            "sha256": made.sha256,
            "size": len(made.pdf),
        }
    )


def bundle(
    dispute: Called,
    output: Annotated[Path, typer.Option("-o", "--output", help="the archive to write")] = Path(
        "dispute.zip"
    ),
    view: ViewOption = "public",
    why: WhyOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Write the facts of a case and its hand into one archive, with proofs.

    `studledger verify --bundle FILE` checks it anywhere, without a database or a network.
    """
    seen = view_of(view, why)
    require_folder(output)
    with current_room() as room:
        case = case_called(room, dispute)
        manifest = export_case(room, output, case, view=seen, why=why)
    if form is Format.TABLE:
        say(f"{output}: case {case} and its hand, {manifest.events} events, view {seen}")
        return
    emit_json({"dispute": str(case), "file": str(output), "manifest": manifest})
