"""`projections`: how far the read models are, and building them anew."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.output import (
    Format,
    FormatOption,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
    working,
)
from services.cli.rooms import current_room
from services.projecting import projector_of

app = typer.Typer(no_args_is_help=True, help="How far the read models are, and rebuilding them.")

Names = Annotated[list[str] | None, typer.Argument(help="projections; all if none is named")]


@app.command()
def status(form: FormatOption = Format.TABLE) -> None:
    """Position, head of the log and lag of every projection, and the hands they set aside."""
    with current_room(projected=False) as room:
        projector = projector_of(room)
        progress, aside = projector.status(), projector.set_aside()
    columns = ("projection", "position", "head", "behind")
    rows = [(p.name, p.position, p.head, p.behind) for p in progress]
    if form is Format.TABLE:
        emit_table(columns, [tuple(map(str, row)) for row in rows], right=columns[1:])
    elif form is Format.CSV:
        emit_csv(columns, rows)
    elif form is Format.JSONL:
        emit_lines(progress)
    else:
        emit_json({"projections": progress, "set_aside": aside})
    for one in aside:
        note(f"hand {one.hand} is set aside since event {one.position}: {one.reason}")


@app.command()
def rebuild(names: Names = None) -> None:
    """Build projections anew from the first event; reports read the old rows until then."""
    with current_room(projected=False) as room, working("deriving from the first event"):
        position = projector_of(room).rebuild(names or ())
    say(f"rebuilt up to event {position}")
