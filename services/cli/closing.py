"""`rake close` and `rake closes`: gaming days that are done, for good."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from domain.closing import DayClosed
from services.access.events import COMMAND_LINE
from services.cli.exits import USAGE, Stop
from services.cli.finding import a_day
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
from services.ledger import CloseWanted, close_day, close_due
from services.ledger import closes as closed_days
from services.reports import BadRakeQuestion

COLUMNS = (
    "day", "time_zone", "day_start", "since", "until", "position", "hands", "by", "at",
    "report_sha256",
)  # fmt: skip

Zone = Annotated[
    str | None, typer.Option(metavar="NAME", help="whose day; as the days before, or UTC")
]
Start = Annotated[
    str | None,
    typer.Option("--day-start", "--gaming-day-start", metavar="HH:MM", help="when it begins there"),
]


def close(
    day: Annotated[str | None, typer.Argument(metavar="DAY", help="a gaming day")] = None,
    due: Annotated[bool, typer.Option("--due", help="every day that is over and due")] = False,
    time_zone: Zone = None,
    day_start: Start = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Freeze a gaming day as an event with its report's digest. It is never opened again."""
    if (day is None) != due:
        raise Stop("name a day, or say --due", USAGE)
    now = datetime.now(UTC)
    with current_room() as room:
        try:
            if day is None:
                _told(close_due(room, time_zone, day_start, COMMAND_LINE, now), form)
                return
            wanted = CloseWanted(day=a_day(day), time_zone=time_zone, day_start=day_start)
            told = close_day(room, wanted, COMMAND_LINE, now)
        except BadRakeQuestion as bad:
            raise Stop(str(bad), USAGE) from None
    if not told.new:
        note(f"{told.closed.day} was closed before")
    _told((told.closed,), form)


def closes(form: FormatOption = Format.TABLE) -> None:
    """Every closed day, in order, and which is closed next."""
    with current_room(projected=False) as room:
        told = closed_days(room)
    if form is Format.JSON:
        emit_json(told)
        return
    _list(told.closes, form)
    if form is Format.TABLE:
        note("no day is closed yet" if told.next is None else f"{told.next} is closed next")


def _told(closed: tuple[DayClosed, ...], form: Format) -> None:
    if form is Format.JSON:
        emit_json({"closed": closed})
    elif form is Format.TABLE:
        for one in closed or ():
            say(
                f"{one.day} is closed: {one.hands} real-money hands, up to event {one.position},"
                f" report {one.report_sha256}"
            )
        if not closed:
            say("No day is due.")
    else:
        _list(closed, form)


def _list(closed: tuple[DayClosed, ...], form: Format) -> None:
    if form is Format.JSONL:
        emit_lines(closed)
    elif form is Format.CSV:
        emit_csv(COLUMNS, [[getattr(one, name) for name in COLUMNS] for one in closed])
    elif closed:
        rows = [
            (
                str(one.day),
                f"{one.day_start} {one.time_zone}",
                str(one.hands),
                str(one.position),
                one.by,
                one.report_sha256[:16],
            )
            for one in closed
        ]
        columns = ("day", "from", "hands", "event", "by", "report")
        emit_table(columns, rows, right=("hands", "event"), short=("by",), spare=("by", "from"))
