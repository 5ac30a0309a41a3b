"""`backup` and `restore`: a room as one file, and back into an empty room."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.backup import Restored, back_up
from services.backup import restore as put_back
from services.cli.exits import DIFFERS, FAILURE, Stop
from services.cli.output import counted, emit_table, note, say, working
from services.settings import load_settings

Target = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="where to")]
Source = Annotated[Path, typer.Argument(metavar="FILE", help="what `backup` wrote")]


def backup(output: Target) -> None:
    """Write the room into a file, as it is at one moment; keys and checkpoints are kept apart."""
    with working("backing up"):
        made = back_up(load_settings(), output)
    say(f"{counted(made.events, 'event')} of room {made.room} in {made.file}")
    note("Not in it, and needed with it; keep copies elsewhere than the backup:")
    for path in made.keys:
        note(f"  {path}")
    note(f"  {made.checkpoints} (published checkpoints)")


def restore(file: Source) -> None:
    """Put a backup into a room without events, and look whether keys and published log fit."""
    with working("restoring"):
        restored = put_back(load_settings(), file)
    say(f"{counted(restored.events, 'event')} restored into room {restored.room}")
    rows = [(one.name, "ok" if one.ok else "NOT OK", one.text) for one in restored.checks]
    emit_table(("check", "state", "what"), rows, flow=("what",))
    _end(restored)


def _end(restored: Restored) -> None:
    failed = {check.name for check in restored.checks if not check.ok}
    if not failed:
        say("Judge all of it now: studledger verify --all")
        return
    if failed == {"log"}:
        raise Stop("the backup and what was published do not fit together", DIFFERS)
    raise Stop(f"{counted(len(failed), 'check')} failed", FAILURE)
