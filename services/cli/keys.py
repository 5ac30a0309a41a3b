"""`keys`: the key that signs for the log, and passing from one to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.exits import FAILURE, Stop
from services.cli.output import note, say
from services.cli.rooms import current_room
from services.log.keys import LogKeys

app = typer.Typer(no_args_is_help=True, help="The key that signs for the log.")

Into = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="a new file, if the key is in a variable"),
]


@app.command()
def new() -> None:
    """Make the first key. The verifier key, which is for auditors, is the last line printed."""
    with current_room(projected=False) as room:
        key = LogKeys(room.settings, room.store).make()
    say(str(key.verifier))


@app.command()
def show() -> None:
    """Every verifier key there ever was; the one that holds now is the last line printed."""
    with current_room(projected=False) as room:
        keys = LogKeys(room.settings, room.store)
        keys.signer()
        known = keys.known()
    for key in known[:-1]:
        note(f"before: {key}")
    say(str(known[-1]))


@app.command()
def rotate(into: Into = None) -> None:
    """Pass from the key at hand to a new one; both sign that. Its verifier key is the last line."""
    with current_room(projected=False) as room:
        try:
            key = LogKeys(room.settings, room.store).rotate(into)
        except FileExistsError:
            raise Stop(f"there is a file {into} already", FAILURE) from None
    if into is not None:
        note(f"the new key is in {into}: set STUDLEDGER_LOG_KEY to what it holds")
    say(str(key.verifier))
