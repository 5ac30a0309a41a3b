"""`rake report`: hands, matched pot and rake, added up as finance asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.cli.exits import FAILURE, USAGE, Stop
from services.cli.finding import parse_days
from services.cli.output import note
from services.cli.rake_showing import FILES, ReportFormat, as_file, show
from services.cli.rooms import current_room
from services.lookup import players_called
from services.reports import (
    DIMENSIONS,
    METHODS,
    PREVIOUS,
    BadRakeQuestion,
    RakeReport,
    RakeWanted,
    compared_with,
    dimensions,
    gaming_day_start,
    methods,
    rake_report,
)
from services.reports.rake_cells import Names
from services.store.room import Room

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
Schedule = Annotated[
    str | None, typer.Option(metavar="ID:VERSION", help="only what was raked by this schedule")
]
Currency = Annotated[str | None, typer.Option(metavar="CODE", help="only this currency")]
Attribution = Annotated[
    str,
    typer.Option(metavar="METHOD,…", help=f"what players bear by {', '.join(METHODS)} as well"),
]
Compare = Annotated[
    str | None, typer.Option(metavar=PREVIOUS, help="with the period as long just before")
]
CompareFrom = Annotated[
    str | None, typer.Option(metavar="DAY", help="with another period: its first day")
]
CompareTo = Annotated[str | None, typer.Option(metavar="DAY", help="its last day")]
Form = Annotated[
    ReportFormat,
    typer.Option(
        "--format",
        help="table for people; json, jsonl or csv for programs; xlsx, parquet or beancount",
    ),
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="where xlsx or parquet goes")
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
    schedule: Schedule = None,
    currency: Currency = None,
    attribution: Attribution = "",
    compare: Compare = None,
    compare_from: CompareFrom = None,
    compare_to: CompareTo = None,
    top: Top = None,
    form: Form = ReportFormat.TABLE,
    output: Output = None,
) -> None:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's."""
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
            schedule=schedule,
            currency=currency,
            attribution=methods(attribution),
            compared=compared_with((first, last), compare, parse_days(compare_from, compare_to)),
            top=top,
        )
        _answer(wanted, player, form, output)
    except BadRakeQuestion as bad:
        raise Stop(str(bad), USAGE) from None


def _answer(
    wanted: RakeWanted, player: str | None, form: ReportFormat, output: Path | None
) -> None:
    if (form in FILES) != (output is not None):
        raise Stop("--format xlsx or parquet needs -o FILE; other formats go to stdout", USAGE)
    with current_room() as room:
        answer, wanted, names = _ask(room, wanted, player)
    if output is None:
        show(answer, wanted, names, form)
    else:
        _save(output, as_file(form, answer, wanted, names))


def _ask(
    room: Room, wanted: RakeWanted, player: str | None
) -> tuple[RakeReport, RakeWanted, Names]:
    """The answer, what was asked once the player's name is resolved, and the names in it."""
    if player is not None:
        wanted = msgspec.structs.replace(wanted, players=players_called(room, player))
    published = {f"{name}:{version}" for name, version in room.schedules}
    answer = rake_report(room.connect, wanted, published)
    ids = {line.player for line in answer.lines if line.player is not None}
    return answer, wanted, room.players.names(ids)


def _save(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as refused:
        raise Stop(f"{path} cannot be written: {refused.strerror}", FAILURE) from None
    note(f"written to {path}")
