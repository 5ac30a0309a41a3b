"""How answers leave the program: a table for people, JSON, JSON Lines or CSV for programs."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from services.replaying.seating import printable
from services.reports.cells import harmless, write_csv

SHORT = 20
"""Columns a shortened cell may take."""

WIDTH = 100
"""Columns of a table that goes into a file or another program."""


class Format(StrEnum):
    """The forms of an answer."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


FormatOption = Annotated[
    Format, typer.Option("--format", help="table for people; json, jsonl or csv for programs")
]


def console() -> Console:
    """The terminal, or plain text where there is none: COLUMNS wide, else `WIDTH`."""
    fits = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if fits else WIDTH, highlight=False)


def say(text: str = "") -> None:
    """A line for people, on stdout."""
    typer.echo(harmless(text))


def note(text: str) -> None:
    """A line beside the data, on stderr."""
    typer.echo(harmless(text), err=True)


def counted(number: int, thing: str) -> str:
    """How many there are of a thing.

    >>> counted(1, "hand"), counted(0, "hand")
    ('1 hand', '0 hands')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def show(drawing: RenderableType, at_least: int = 0) -> None:
    """Something drawn, on stdout, without the blanks that fill its lines.

    `at_least` is how many columns it needs, where fewer would break its figures.
    """
    terminal = console()
    terminal.width = max(terminal.width, at_least)
    with terminal.capture() as drawn:
        terminal.print(drawing)
    for line in drawn.get().splitlines():
        typer.echo(line.rstrip())


def emit_json(answer: object) -> None:
    """One JSON document on one line, integers as they are."""
    typer.echo(msgspec.json.encode(answer).decode())


def emit_lines(answers: Iterable[object]) -> None:
    """JSON Lines."""
    for answer in answers:
        emit_json(answer)


def emit_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """CSV with a header line and no totals line; no cell is a formula."""
    write_csv(sys.stdout, columns, rows)


def emit_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    short: Sequence[str] = (),
    spare: Sequence[str] = (),
    flow: Sequence[str] = (),
) -> None:
    """A table for people. `right` names the columns of figures, `short` those cut to fit, `flow`
    those whose text may go on in the next line; every other cell stays whole.

    Where the terminal is too narrow, the columns of `spare` are left out, one after another.
    """
    kept, cells = list(columns), [dict(zip(columns, row, strict=True)) for row in rows]
    table = _table(kept, cells, right, short, flow)
    for column in [column for column in spare if column in kept]:
        if _fits(table):
            break
        kept.remove(column)
        table = _table(kept, cells, right, short, flow)
    show(table, at_least=_needs(table).minimum)


def _fits(table: Table) -> bool:
    return _needs(table).maximum <= console().width


def _needs(table: Table) -> Measurement:
    terminal = console()
    return Measurement.get(terminal, terminal.options.update(max_width=1_000), table)


def _table(
    columns: Sequence[str],
    rows: Sequence[dict[str, str]],
    right: Sequence[str],
    short: Sequence[str],
    flow: Sequence[str],
) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column,
            justify="right" if column in right else "left",
            overflow="ellipsis" if column in short else "fold",
            no_wrap=column not in flow,
            max_width=SHORT if column in short else None,
        )
    for row in rows:
        # As `Text`, a cell is never read as markup.
        table.add_row(*(Text(printable(row[column])) for column in columns))
    return table


@contextlib.contextmanager
def counting(done: str) -> Iterator[Callable[[int], None]]:
    """A count that grows on stderr while work goes on; silent where there is no terminal."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    with Console(stderr=True).status(f"0 {done}") as status:
        yield lambda count: status.update(f"{count} {done}")


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Say on stderr what takes its time, while it does; silent where there is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(what):
        yield
