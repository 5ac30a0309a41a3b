"""How answers leave the program: a table for people, JSON, JSON Lines or CSV for programs."""

from __future__ import annotations

import contextlib
import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

SHORT = 20
"""Columns a shortened cell may take."""


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
    """The terminal, or plain text of a fixed width where there is none."""
    return Console(width=None if sys.stdout.isatty() else 100, highlight=False)


def say(text: str = "") -> None:
    """A line for people, on stdout."""
    typer.echo(text)


def note(text: str) -> None:
    """A line beside the data, on stderr."""
    typer.echo(text, err=True)


def emit_json(answer: object) -> None:
    """One JSON document on one line, integers as they are."""
    typer.echo(msgspec.json.encode(answer).decode())


def emit_lines(answers: Iterable[object]) -> None:
    """JSON Lines."""
    for answer in answers:
        emit_json(answer)


def emit_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """CSV with a header line and no totals line."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def emit_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    short: Sequence[str] = (),
) -> None:
    """A table for people; `right` names the columns of figures, `short` those cut to fit."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column,
            justify="right" if column in right else "left",
            overflow="ellipsis" if column in short else "fold",
            no_wrap=column in short,
            max_width=SHORT if column in short else None,
        )
    for row in rows:
        table.add_row(*row)
    console().print(table)


@contextlib.contextmanager
def counting(done: str) -> Iterator[Callable[[int], None]]:
    """A count that grows on stderr while work goes on; silent where there is no terminal."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    with Console(stderr=True).status(f"0 {done}") as status:
        yield lambda count: status.update(f"{count} {done}")
