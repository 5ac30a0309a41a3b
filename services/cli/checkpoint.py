"""`checkpoint`: what the log signs, and where it is published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.exits import NOT_FOUND, USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
    working,
)
from services.cli.rooms import current_room
from services.log.checkpoints import Checkpoints, Signed
from services.log.errors import NoCheckpoint
from services.proof.notes import to_base64

app = typer.Typer(no_args_is_help=True, help="What the log signs, and where it is published.")

COLUMNS = ("epoch", "size", "root", "signed")
MOST_WHY = 500

Size = Annotated[int | None, typer.Argument(metavar="SIZE", help="of so many leaves; the newest")]
Why = Annotated[str, typer.Option("--why", help="what happened; it stays for ever")]
Last = Annotated[
    Path | None,
    typer.Option("--last", metavar="FILE", help="the last published one, if the folder has it not"),
]


@app.command()
def new() -> None:
    """Seal every event there is, sign the tree as it is then, and publish it."""
    with current_room(projected=False) as room, working("sealing"):
        checkpoints = Checkpoints(room)
        made = checkpoints.sign()
    note(f"published in {checkpoints.folder.path}")
    _print(made)


@app.command()
def show(size: Size = None) -> None:
    """The newest checkpoint, or that of SIZE leaves, exactly as it was signed."""
    with current_room(projected=False) as room:
        checkpoints = Checkpoints(room)
        try:
            found = checkpoints.newest() if size is None else checkpoints.of_size(size)
        except NoCheckpoint as none:
            raise Stop(str(none), NOT_FOUND) from None
    _print(found)


@app.command()
def publish() -> None:
    """Add to the folder what it lacks; what is in it stays as it is."""
    with current_room(projected=False) as room:
        checkpoints = Checkpoints(room)
        added = checkpoints.publish()
    say(f"{counted(added, 'checkpoint')} added to {checkpoints.folder.path}")


@app.command("list")
def list_(form: FormatOption = Format.TABLE) -> None:
    """Every checkpoint there ever was."""
    with current_room(projected=False) as room:
        signed = Checkpoints(room).all()
    rows = [_row(one) for one in signed]
    if form is Format.TABLE:
        emit_table(COLUMNS, rows, right=("epoch", "size"))
    elif form is Format.CSV:
        emit_csv(COLUMNS, rows)
    elif form is Format.JSONL:
        emit_lines(map(_told, signed))
    else:
        emit_json({"checkpoints": [_told(one) for one in signed]})


@app.command("new-epoch")
def new_epoch(why: Why, last: Last = None) -> None:
    """Go on with a new tree where the database does not go on from what was published.

    Its first leaf names the last published checkpoint and says why.
    """
    reason = " ".join(why.split())
    if not reason or len(reason) > MOST_WHY or not reason.isprintable():
        raise Stop(f"--why says what happened, in 1 to {MOST_WHY} characters", USAGE)
    with current_room(projected=False) as room, working("sealing anew"):
        made = Checkpoints(room).new_epoch(reason, last)
    note(f"epoch {made.epoch} begins")
    _print(made)


def _print(signed: Signed) -> None:
    """As it was signed, to the byte: nothing is added and nothing replaced."""
    typer.echo(signed.note, nl=False)


def _row(signed: Signed) -> tuple[str, ...]:
    root = to_base64(signed.checkpoint.root)
    return str(signed.epoch), str(signed.size), root, f"{signed.signed_at:%Y-%m-%d %H:%M:%S}"


def _told(signed: Signed) -> dict[str, object]:
    checkpoint = signed.checkpoint
    return {
        "origin": checkpoint.origin,
        "epoch": signed.epoch,
        "size": signed.size,
        "root": to_base64(checkpoint.root),
        "signed_at": signed.signed_at,
        "note": signed.note,
    }
