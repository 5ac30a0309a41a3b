"""`rake report`: hands, matched pot and rake, added up as finance asks for it."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from services.cli.amounts import money
from services.cli.exits import FAILURE, USAGE, Stop
from services.cli.finding import parse_days
from services.cli.output import (
    counted,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.cli.rooms import current_room
from services.lookup import players_called
from services.reports import (
    DIMENSIONS,
    BadRakeQuestion,
    RakeLine,
    RakeReport,
    RakeWanted,
    dimensions,
    gaming_day_start,
    rake_report,
)
from services.reports.rake_cells import FIGURES, NAME, Names, key, keys
from services.reports.rake_csv import rake_csv
from services.store.room import Room


class ReportFormat(StrEnum):
    """The forms of a rake report."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    XLSX = "xlsx"


By = Annotated[
    str, typer.Option("--by", metavar="DIMENSION,…", help=f"any of {', '.join(DIMENSIONS)}")
]
First = Annotated[str | None, typer.Option("--from", metavar="DAY", help="first gaming day")]
Last = Annotated[str | None, typer.Option("--to", metavar="DAY", help="last gaming day")]
Zone = Annotated[str, typer.Option(metavar="NAME", help="whose days, such as America/New_York")]
DayStart = Annotated[
    str,
    typer.Option("--gaming-day-start", metavar="HH:MM", help="when a gaming day begins there"),
]
Table = Annotated[str | None, typer.Option(help="only this table, by name or id")]
Game = Annotated[str | None, typer.Option(help="only stud, stud8 or stud_hilo")]
Player = Annotated[str | None, typer.Option(help="only the part of this player, by name or id")]
Top = Annotated[
    int | None,
    typer.Option(min=1, help="only the lines with the most rake of each day, month and currency"),
]
Form = Annotated[
    ReportFormat,
    typer.Option("--format", help="table for people; json, jsonl or csv for programs; or xlsx"),
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="where the xlsx goes")
]


def report(
    by: By = "",
    from_: First = None,
    to: Last = None,
    time_zone: Zone = "UTC",
    day_start: DayStart = "00:00",
    table: Table = None,
    game: Game = None,
    player: Player = None,
    top: Top = None,
    form: Form = ReportFormat.TABLE,
    output: Output = None,
) -> None:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's."""
    if (form is ReportFormat.XLSX) != (output is not None):
        raise Stop("--format xlsx and -o FILE go together; the other formats go to stdout", USAGE)
    first, last = parse_days(from_, to)
    try:
        wanted = RakeWanted(
            by=dimensions(by),
            from_day=first,
            to_day=last,
            time_zone=time_zone,
            gaming_day_start=gaming_day_start(day_start),
            table=table,
            game=game,
            top=top,
        )
        with current_room() as room:
            answer, wanted, names = _ask(room, wanted, player)
    except BadRakeQuestion as bad:
        raise Stop(str(bad), USAGE) from None
    if output is None:
        _show(answer, wanted, names, form)
    else:
        # Only here: what workbooks are made with takes a while to load.
        from services.reports.rake_xlsx import rake_workbook

        _save(output, rake_workbook(answer, wanted, names))


def _ask(
    room: Room, wanted: RakeWanted, player: str | None
) -> tuple[RakeReport, RakeWanted, Names]:
    """The answer, what was asked once the player's name is resolved, and the names in it."""
    if player is not None:
        wanted = msgspec.structs.replace(wanted, players=players_called(room, player))
    answer = rake_report(room.connect, wanted)
    ids = {line.player for line in answer.lines if line.player is not None}
    return answer, wanted, room.players.names(ids)


def _save(path: Path, workbook: bytes) -> None:
    try:
        path.write_bytes(workbook)
    except OSError as refused:
        raise Stop(f"{path} cannot be written: {refused.strerror}", FAILURE) from None
    note(f"written to {path}")


def _show(answer: RakeReport, wanted: RakeWanted, names: Names, form: ReportFormat) -> None:
    match form:
        case ReportFormat.JSON:
            emit_json(_document(answer, wanted, names))
        case ReportFormat.JSONL:
            emit_lines(_object(line, wanted, names) for line in answer.lines)
        case ReportFormat.CSV:
            typer.echo(rake_csv(answer, wanted, names), nl=False)
        case _:
            tell(answer, wanted, names)


def _document(answer: RakeReport, wanted: RakeWanted, names: Names) -> dict[str, Any]:
    return {
        "by": wanted.by,
        "from": wanted.from_day,
        "to": wanted.to_day,
        "time_zone": wanted.time_zone,
        "gaming_day_start": f"{wanted.gaming_day_start:%H:%M}",
        "lines": [_object(line, wanted, names) for line in answer.lines],
        "complete_to": answer.complete_to,
    }


def _object(line: RakeLine, wanted: RakeWanted, names: Names) -> dict[str, Any]:
    """A line with the dimensions asked for; amounts in minor units of `currency`."""
    found: dict[str, Any] = {}
    for column in keys(wanted):
        if column == "stakes":
            found |= {"small_bet": line.small_bet, "big_bet": line.big_bet}
        elif column == NAME:
            found[NAME] = names.get(line.player or "")
        else:
            found[column] = getattr(line, column)
    return found | {name: getattr(line, name) for name in ("exponent", *FIGURES)}


def tell(answer: RakeReport, wanted: RakeWanted, names: Names) -> None:
    """Print a rake report for people, with the total of each currency."""
    if not answer.lines:
        note("no raked hand is like that")
    columns = tuple(name for name in keys(wanted) if name not in {NAME, "currency"})
    figures = ("hands", "pot", "rake", "per 100 hands", "rake %")
    rows = [(*_who(line, columns, names), *_figures(line)) for line in answer.lines]
    emit_table((*columns, *figures), rows, right=figures, spare=("per 100 hands",))
    if wanted.top is None:
        _tell_totals(answer.lines, wanted)
    note(f"complete up to event {answer.complete_to}")


def _who(line: RakeLine, columns: tuple[str, ...], names: Names) -> tuple[str, ...]:
    """What a line is about, one cell a column; a player by his name, if it is known."""
    cells = {column: str(key(line, column, names)) for column in columns}
    if "player" in cells:
        cells["player"] = str(key(line, NAME, names)) or cells["player"]
    return tuple(cells.values())


def _figures(line: RakeLine) -> tuple[str, ...]:
    per_100, percentage = line.rake_per_100_hands, line.effective_percentage
    return (
        str(line.hands),
        money(line.pot, line.currency, line.exponent),
        money(line.rake, line.currency, line.exponent),
        "" if per_100 is None else money(per_100, line.currency, line.exponent),
        "" if percentage is None else percentage,
    )


def _tell_totals(lines: tuple[RakeLine, ...], wanted: RakeWanted) -> None:
    """One total a currency. Hands of several players are not told: they may be the same hands."""
    ordered = sorted(lines, key=_money)
    for (currency, exponent), same in groupby(ordered, key=_money):
        of_currency = list(same)
        rake = money(sum(line.rake for line in of_currency), currency, exponent)
        hands = counted(sum(line.hands for line in of_currency), "hand")
        say(f"Rake {rake}." if "player" in wanted.by else f"Rake {rake} in {hands}.")


def _money(line: RakeLine) -> tuple[str, int]:
    return line.currency, line.exponent
