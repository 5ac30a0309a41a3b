"""`rake reconcile`: the operator's own figures beside ours, hand by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from services.cli.exits import DIFFERS, USAGE, Stop
from services.cli.finding import FromDay, ToDay, parse_days
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    note,
    say,
)
from services.cli.rooms import current_room
from services.reports.operator_lines import BadOperatorFile, operator_lines
from services.reports.reconciling import Discrepancy, Reconciliation
from services.reports.reconciling import reconcile as compare

COLUMNS = ("kind", "line", "number", "hand", "ours", "theirs", "why")


def reconcile(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="a line a hand, with its rake")],
    from_: FromDay = None,
    to: ToDay = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Compare the operator's figures with ours: what differs, hand by hand, and why.

    Exit 0 if all agree, 3 if anything differs or cannot be read.
    """
    days, result = parse_days(from_, to), Reconciliation()
    try:
        with current_room() as room:
            lines = operator_lines(file)
            _show(compare(room.connect, room.store, lines, days, result), result, form)
    except BadOperatorFile as wrong:
        raise Stop(str(wrong), USAGE) from None
    if result.found:
        raise typer.Exit(DIFFERS)


def _show(found: Iterator[Discrepancy], result: Reconciliation, form: Format) -> None:
    match form:
        case Format.JSON:
            differences = list(found)
            emit_json(
                {
                    "lines": result.lines,
                    "compared": result.compared,
                    "found": result.found,
                    "differences": differences,
                    "complete_to": result.complete_to,
                    "log_at": result.log_at,
                }
            )
        case Format.JSONL:
            emit_lines(found)
        case Format.CSV:
            emit_csv(COLUMNS, (_cells(one) for one in found))
        case _:
            _tell(found, result)


def _cells(one: Discrepancy) -> tuple[object, ...]:
    return tuple(getattr(one, column) for column in COLUMNS)


def _tell(found: Iterator[Discrepancy], result: Reconciliation) -> None:
    """A sentence each: there may be more of them than a table can be drawn of."""
    for one in found:
        place = "" if one.line is None else f"line {one.line}, "
        which = "" if one.number is None and one.hand is None else f"hand {one.number or one.hand}"
        figures = f": ours {one.ours or 'none'}, theirs {one.theirs or 'none'}"
        about = figures if one.kind.endswith("_differs") else ""
        say(f"{one.kind.replace('_', ' ')}: {place}{which}{about}: {one.why}".replace(", :", ":"))
    wrong = sum(result.found.values())
    lines, hands = counted(result.lines, "line"), counted(result.compared, "hand")
    say(f"{lines} compared with {hands}: {counted(wrong, 'difference') if wrong else 'all agree'}.")
    note(f"complete up to event {result.complete_to}")
