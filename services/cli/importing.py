"""`import`: hand histories into the log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from services.cli.exits import USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    counting,
    emit_csv,
    emit_json,
    emit_lines,
    say,
)
from services.cli.rooms import current_room
from services.importing import ImportResult, import_paths, retry_quarantine
from services.projecting import projector_of

Paths = Annotated[
    list[Path] | None,
    # Unreadable ones are the import's business: it names them and goes on.
    typer.Argument(metavar="PATH", readable=False, help="files or folders of hand histories"),
]
ReaderName = Annotated[
    str | None, typer.Option("--reader", help="the format; found out by itself otherwise")
]
RulesName = Annotated[
    str | None, typer.Option("--house-rules", help="a preset; each format has its own otherwise")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="read and judge, store nothing")]
Retry = Annotated[
    bool, typer.Option("--retry-quarantine", help="try again what was rejected before")
]


def import_(
    paths: Paths = None,
    reader: ReaderName = None,
    house_rules: RulesName = None,
    dry_run: DryRun = False,
    retry: Retry = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Import hand histories; what cannot be read is set aside and named, the rest goes on.

    Exit 4 if some hands were rejected or conflict, 1 if nothing was recognised.
    """
    if bool(paths) == retry:
        raise Stop("name files or folders, or say --retry-quarantine", USAGE)
    with current_room(projected=False) as room, counting("hands read") as count:
        progress = _progress(count)
        if retry:
            result = retry_quarantine(
                room, reader=reader, house_rules=house_rules, dry_run=dry_run, progress=progress
            )
        else:
            result = import_paths(
                room,
                paths or (),
                reader=reader,
                house_rules=house_rules,
                dry_run=dry_run,
                progress=progress,
            )
        projector_of(room).catch_up()
    _show(result, form, dry_run=dry_run)
    raise typer.Exit(result.exit_code())


def _progress(count: Callable[[int], None]) -> Callable[[str, ImportResult], None]:
    return lambda file, result: count(result.hands)


def _show(result: ImportResult, form: Format, *, dry_run: bool) -> None:
    if form is Format.JSON:
        emit_json(result.as_json())
    elif form is Format.JSONL:
        emit_lines(result.rejected)
    elif form is Format.CSV:
        rows = [(one.file, one.line, one.reason) for one in result.rejected]
        emit_csv(("file", "line", "reason"), rows)
    else:
        _tell(result, dry_run=dry_run)


def _tell(result: ImportResult, *, dry_run: bool) -> None:
    done = "would be imported" if dry_run else "imported"
    say(
        f"{counted(result.imported, 'hand')} {done}, {result.duplicates} known already,"
        f" {result.skipped} of other games skipped."
    )
    for conflict in result.conflicts:
        hands = ", ".join(map(str, conflict.hands))
        say(f"CONFLICT {conflict.number}: records differ, kept apart as {hands}")
    for rejected in result.rejected:
        say(f"REJECTED {rejected.file}:{rejected.line}: {rejected.reason}")
    if result.unlisted:
        say(f"{counted(result.unlisted, 'more record')} rejected.")
    if result.kept and not dry_run:
        say("Rejected hands are kept; try them again with `studledger import --retry-quarantine`.")
