"""How a rake report leaves the program: a table for people, or one of the forms for programs."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import Any

import typer

from services.cli.amounts import money
from services.cli.output import (
    counted,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.reports import RakeLine, RakeReport, RakeWanted
from services.reports.rake_beancount import rake_beancount
from services.reports.rake_cells import COUNTS, NAME, PERCENTAGES, Names, figures, key, keys
from services.reports.rake_csv import rake_csv


class ReportFormat(StrEnum):
    """The forms of a rake report."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    BEANCOUNT = "beancount"


SPARE = ("per 100 hands", "pot before", "hands before", "rake %")
"""Columns a narrow terminal leaves out, one after another."""

FILES = frozenset({ReportFormat.XLSX, ReportFormat.PARQUET})
"""Forms that no terminal can show."""


def as_file(form: ReportFormat, answer: RakeReport, wanted: RakeWanted, names: Names) -> bytes:
    """The report in one of the forms of `FILES`. Raises ParquetMissing."""
    # Only here: what these files are made with takes a while to load.
    if form is ReportFormat.PARQUET:
        from services.reports.rake_parquet import rake_parquet

        return rake_parquet(answer, wanted, names)
    from services.reports.rake_xlsx import rake_workbook

    return rake_workbook(answer, wanted, names)


def show(answer: RakeReport, wanted: RakeWanted, names: Names, form: ReportFormat) -> None:
    """Print the report. Raises BadRakeQuestion if beancount has no word for it."""
    match form:
        case ReportFormat.JSON:
            emit_json(_document(answer, wanted, names))
        case ReportFormat.JSONL:
            emit_lines(_object(line, wanted, names) for line in answer.lines)
        case ReportFormat.CSV:
            typer.echo(rake_csv(answer, wanted, names), nl=False)
        case ReportFormat.BEANCOUNT:
            typer.echo(rake_beancount(answer, wanted), nl=False)
        case _:
            tell(answer, wanted, names)


def _document(answer: RakeReport, wanted: RakeWanted, names: Names) -> dict[str, Any]:
    return {
        "by": wanted.by,
        "from": wanted.from_day,
        "to": wanted.to_day,
        "time_zone": wanted.time_zone,
        "gaming_day_start": f"{wanted.gaming_day_start:%H:%M}",
        "compared": wanted.compared,
        "lines": [_object(line, wanted, names) for line in answer.lines],
        "house": [_house(line) for line in answer.house],
        "complete_to": answer.complete_to,
        "log_at": answer.log_at,
    }


def _house(line: RakeLine) -> dict[str, Any]:
    """What the house took in one currency, each hand counted once."""
    return {name: getattr(line, name) for name in ("currency", "exponent", "hands", "pot", "rake")}


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
    return found | {name: getattr(line, name) for name in ("exponent", *figures(wanted))}


def tell(answer: RakeReport, wanted: RakeWanted, names: Names) -> None:
    """Print a rake report for people, with the total of each currency."""
    if not answer.lines:
        note("no raked hand is like that")
    columns = tuple(name for name in keys(wanted) if name not in {NAME, "currency"})
    amounts = tuple(map(_heading, figures(wanted)))
    rows = [(*_who(line, columns, names), *_figures(line, wanted)) for line in answer.lines]
    emit_table((*columns, *amounts), rows, right=amounts, spare=SPARE)
    if wanted.of_players or wanted.top is not None:
        for line in answer.house:
            rake = money(line.rake, line.currency, line.exponent)
            say(f"The house took {rake} in {counted(line.hands, 'hand')} altogether.")
    if wanted.top is None:
        _tell_totals(answer.lines, wanted)
    note(_complete(answer))


def _complete(answer: RakeReport) -> str:
    behind = "" if answer.log_at <= answer.complete_to else f" of {answer.log_at}, not further yet"
    return f"complete up to event {answer.complete_to}{behind}"


def _heading(figure: str) -> str:
    short = {
        "rake_per_100_hands": "per 100 hands",
        "effective_percentage": "rake %",
        "rake_difference": "difference",
    }
    return short.get(figure, figure.replace("_", " "))


def _who(line: RakeLine, columns: tuple[str, ...], names: Names) -> tuple[str, ...]:
    """What a line is about, one cell a column; a player by his name, if it is known."""
    cells = {column: str(key(line, column, names)) for column in columns}
    if "player" in cells:
        cells["player"] = str(key(line, NAME, names)) or cells["player"]
    return tuple(cells.values())


def _figures(line: RakeLine, wanted: RakeWanted) -> tuple[str, ...]:
    return tuple(_figure(line, name) for name in figures(wanted))


def _figure(line: RakeLine, name: str) -> str:
    value = getattr(line, name)
    if value is None:
        return ""
    if name in COUNTS or name in PERCENTAGES:
        return str(value)
    return money(value, line.currency, line.exponent)


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
