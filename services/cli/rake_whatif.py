"""`rake whatif`: what another schedule would have taken of the hands that were played."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from services.cli.amounts import money
from services.cli.exits import USAGE, Stop
from services.cli.finding import parse_days
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
)
from services.cli.rake_report import DayStart, First, Last, Zone
from services.cli.rooms import current_room
from services.reports import BadRakeQuestion, gaming_day_start
from services.reports.cells import decimal
from services.reports.rake_whatif import RakeWhatIf, Rated, rate_anew
from services.schedules import BadScheduleFile, schedule_called

ScheduleOption = Annotated[
    str, typer.Option("--schedule", metavar="SCHEDULE", help="ID[:VERSION], or FILE.toml")
]
COLUMNS = (
    "stakes", "players", "currency", "hands", "pot", "rake", "instead", "difference", "changed",
    "outside",
)  # fmt: skip


def whatif(
    schedule: ScheduleOption,
    from_: First = None,
    to: Last = None,
    time_zone: Zone = "UTC",
    day_start: DayStart = "00:00",
    form: FormatOption = Format.TABLE,
) -> None:
    """Rate history under another schedule: the difference by stakes and players. Writes nothing."""
    first, last = parse_days(from_, to)
    try:
        with current_room() as room:
            other = schedule_called(schedule, room.schedules)
            start = gaming_day_start(day_start)
            found = rate_anew(
                room.connect, other, first, last, time_zone=time_zone, day_start=start
            )
    except (BadScheduleFile, BadRakeQuestion) as wrong:
        raise Stop(str(wrong), USAGE) from None
    match form:
        case Format.JSON:
            emit_json({"from": first, "to": last} | msgspec.structs.asdict(found))
        case Format.JSONL:
            emit_lines(found.lines)
        case Format.CSV:
            emit_csv(COLUMNS, [_cells(line) for line in found.lines])
        case _:
            _tell(found)


def _cells(line: Rated) -> tuple[object, ...]:
    amounts = (line.pot, line.rake, line.instead, line.difference)
    pot, rake, instead, difference = (decimal(amount, line.exponent) for amount in amounts)
    place = "yes" if line.outside else "no"
    about = (_stakes(line), line.players, line.currency, line.hands)
    return (*about, pot, rake, instead, difference, line.changed, place)


def _stakes(line: Rated) -> str:
    return "/".join(decimal(bet, line.exponent) for bet in (line.small_bet, line.big_bet))


def _tell(found: RakeWhatIf) -> None:
    if not found.lines:
        note("no raked hand is like that")
    columns = ("stakes", "players", "hands", "pot", "rake", "instead", "difference", "changed")
    emit_table(columns, [_row(line) for line in found.lines], right=columns[1:])
    for total in found.totals:
        rake, instead, difference = _money(total, total.rake, total.instead, total.difference)
        hands = counted(total.hands, "hand")
        say(f"{rake} in {hands}; by {found.schedule} {instead}: {difference}.")
    outside = [line for line in found.lines if line.outside]
    if outside:
        hands = counted(sum(line.hands for line in outside), "hand")
        places = ", ".join(_places(outside))
        say(f"The schedule has no place for {hands} ({places}); their rake stays.")
    note(f"complete up to event {found.complete_to}")


def _places(lines: list[Rated]) -> dict[str, None]:
    """Stakes and currencies, each once."""
    return dict.fromkeys(f"{_stakes(line)} {line.currency}" for line in lines)


def _row(line: Rated) -> tuple[str, ...]:
    amounts = _money(line, line.pot, line.rake, line.instead, line.difference)
    about = (_stakes(line), str(line.players), str(line.hands))
    return (*about, *amounts, "outside" if line.outside else str(line.changed))


def _money(line: Rated, *amounts: int) -> tuple[str, ...]:
    return tuple(money(amount, line.currency, line.exponent) for amount in amounts)
