"""`rake schedule`: publish a schedule, list them, show one, compare two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from domain.schedules import SCHEDULES, Schedule
from services.access.events import COMMAND_LINE
from services.cli.exits import USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.cli.rooms import current_room
from services.reports.cells import decimal
from services.schedules import BadScheduleFile, differences, named, read_schedule, schedule_called
from services.schedules import publish as publish_schedule
from services.schedules.differing import stakes_words, steps_words

app = typer.Typer(no_args_is_help=True, help="Published rake schedules: versioned, never edited.")

Name = Annotated[str, typer.Argument(metavar="ID[:VERSION]", help="the newest version if not said")]
NameOrFile = Annotated[str, typer.Argument(metavar="SCHEDULE", help="ID[:VERSION], or FILE.toml")]
COLUMNS = ("place", "before", "after")
STEPS = ("band", "stakes", "players", "pot", "rake")


@app.command()
def publish(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml")], form: FormatOption = Format.TABLE
) -> None:
    """Publish a schedule for good. The same again changes nothing; other content is refused."""
    try:
        schedule = read_schedule(file)
    except BadScheduleFile as wrong:
        raise Stop(str(wrong), USAGE) from None
    with current_room(projected=False) as room:
        done = publish_schedule(room, schedule, COMMAND_LINE)
    if form is Format.TABLE:
        say(f"{_name(schedule)} {'is published' if done.new else 'was published before'}.")
    elif form is Format.CSV:
        emit_csv(("id", "version", "new"), [(schedule.id, schedule.version, done.new)])
    else:
        emit_json({"id": schedule.id, "version": schedule.version, "new": done.new})


@app.command("list")
def list_(form: FormatOption = Format.TABLE) -> None:
    """Every version of every schedule this room may rake by."""
    with current_room(projected=False) as room:
        schedules = [schedule for _, schedule in sorted(room.schedules.items())]
    lines = [
        {
            "id": schedule.id,
            "version": schedule.version,
            "currency": schedule.currency,
            "exponent": schedule.exponent,
            "bands": len(schedule.bands),
            "built_in": (schedule.id, schedule.version) in SCHEDULES,
        }
        for schedule in schedules
    ]
    columns = tuple(lines[0])
    rows = [tuple(str(value) for value in line.values()) for line in lines]
    match form:
        case Format.JSON:
            emit_json({"schedules": lines})
        case Format.JSONL:
            emit_lines(lines)
        case Format.CSV:
            emit_csv(columns, rows)
        case _:
            emit_table(columns, rows, right=("version", "bands"))


@app.command()
def show(name: Name, form: FormatOption = Format.TABLE) -> None:
    """A schedule whole: each band of stakes, each row of players, each step."""
    with current_room(projected=False) as room:
        schedule = named(name, room.schedules)
    if form in {Format.JSON, Format.JSONL}:
        emit_json(schedule)
    elif form is Format.CSV:
        emit_csv((*STEPS, "currency"), _steps(schedule))
    else:
        _draw(schedule)


@app.command()
def diff(before: NameOrFile, after: NameOrFile, form: FormatOption = Format.TABLE) -> None:
    """What another schedule says differently, place by place."""
    try:
        with current_room(projected=False) as room:
            old, new = (schedule_called(called, room.schedules) for called in (before, after))
    except BadScheduleFile as wrong:
        raise Stop(str(wrong), USAGE) from None
    found = differences(old, new)
    cells = [(one.place, one.before or "", one.after or "") for one in found]
    match form:
        case Format.JSON:
            emit_json({"before": _name(old), "after": _name(new), "differences": found})
        case Format.JSONL:
            emit_lines(found)
        case Format.CSV:
            emit_csv(COLUMNS, cells)
        case _ if found:
            emit_table(COLUMNS, cells, flow=COLUMNS)
        case _:
            note("they say the same")


def _name(schedule: Schedule) -> str:
    return f"{schedule.id}:{schedule.version}"


def _draw(schedule: Schedule) -> None:
    say(f"{_name(schedule)}, in {schedule.currency} with {schedule.exponent} decimals")
    rows = [
        (band.name, ", ".join(stakes_words(band, schedule)), f"{row.fewest}-{row.most}", steps)
        for band in schedule.bands
        for row in band.rows
        for steps in [steps_words(row, schedule)]
    ]
    columns = ("band", "stakes", "players", "pot → rake")
    emit_table(columns, rows, flow=("band", "stakes", "pot → rake"))


def _steps(schedule: Schedule) -> Iterator[tuple[str, ...]]:
    """A step a line, in decimals."""
    exponent = schedule.exponent
    for band in schedule.bands:
        stakes = ", ".join(stakes_words(band, schedule))
        for row in band.rows:
            players = f"{row.fewest}-{row.most}"
            for step in row.steps:
                pot, rake = decimal(step.pot, exponent), decimal(step.rake, exponent)
                yield band.name, stakes, players, pot, rake, schedule.currency
