"""`export`: hands for an auditor to take away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.bundles.exporting import export_bundle
from services.cli.exits import USAGE, Stop
from services.cli.output import Format, FormatOption, counting, emit_json, say
from services.cli.rooms import current_room
from services.cli.viewing import ViewOption, WhyOption, view_of
from services.lookup import find_hand

app = typer.Typer(no_args_is_help=True, help="Hands for an auditor to take away and check.")

Hands = Annotated[
    list[str] | None, typer.Argument(metavar="HAND…", help="ids or site numbers; all if none")
]
Out = Annotated[Path, typer.Option("-o", "--output", help="the archive to write")]


@app.command()
def bundle(
    hands: Hands = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    output: Out = Path("studledger-bundle.zip"),
    form: FormatOption = Format.TABLE,
) -> None:
    """Write hands, with the rules they were played under, into one archive.

    `studledger verify --bundle FILE` checks it anywhere, without a database or a network.
    """
    seen = view_of(view, why)
    if not output.parent.is_dir():
        raise Stop(f"there is no folder {output.parent}", USAGE)
    with current_room() as room, counting("hands written") as progress:
        chosen: list[UUID] | None = None
        if hands:
            chosen = list(dict.fromkeys(find_hand(room, called).hand for called in hands))
        manifest = export_bundle(room, output, view=seen, why=why, hands=chosen, progress=progress)
    if form is Format.TABLE:
        say(f"{manifest.hands} hands, {manifest.events} events, view {view}: {output}")
    else:
        emit_json({"file": str(output), "manifest": manifest})
