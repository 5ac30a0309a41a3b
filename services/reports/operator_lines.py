"""An operator's own figures: a CSV with a line a hand, as it comes from anybody's books."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain
from pathlib import Path
from uuid import UUID

import msgspec

from domain.amounts import SIGNS
from services.errors import ServiceError

NAMES = ("hand", "number", "site", "rake", "pot", "currency")
"""Columns that are read, by their names in the first line; others are passed over."""

SEPARATORS = ",;\t"
"""What may stand between cells: whichever the first line has most of."""

_AMOUNT = re.compile(r"-?[$€£]?\d{1,16}(?:\.\d{1,15})?", re.ASCII)


class BadOperatorFile(ServiceError):
    """The file cannot be compared at all; the sentence says what it has to have."""


class OperatorLine(msgspec.Struct, frozen=True):
    """A hand by the operator's books; `hand` is our id, or `number` the site's."""

    line: int
    hand: UUID | None
    number: str | None
    site: str | None
    rake: Decimal
    pot: Decimal | None
    currency: str | None


class Unreadable(msgspec.Struct, frozen=True):
    """A line that says nothing about a hand, and why."""

    line: int
    why: str


def operator_lines(path: Path) -> Iterator[OperatorLine | Unreadable]:
    """The lines of a file after the one that names its columns. Raises `BadOperatorFile`."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            first = file.readline()
            separator = max(SEPARATORS, key=first.count)
            rows = csv.reader(chain([first], file), strict=True, delimiter=separator)
            columns = _columns(path, rows)
            while (line := _next(rows, columns)) is not None:
                if line is not _NOTHING:
                    yield line
    except OSError as refused:
        raise BadOperatorFile(f"{path} cannot be read: {refused.strerror}") from None


_NOTHING = Unreadable(0, "")
"""In place of an empty line, which is nobody's mistake."""


def _columns(path: Path, rows: Iterator[list[str]]) -> Sequence[str]:
    try:
        columns = [name.strip().lower() for name in next(rows, [])]
    except csv.Error as wrong:
        raise BadOperatorFile(f"{path}: its first line cannot be read: {wrong}") from None
    if "rake" not in columns or not {"hand", "number"} & set(columns):
        raise BadOperatorFile(
            f"{path}: the first line names the columns, among them rake and hand or number;"
            f" possible: {', '.join(NAMES)}; between them commas, semicolons or tabs"
        )
    return columns


def _next(rows: Iterator[list[str]], columns: Sequence[str]) -> OperatorLine | Unreadable | None:
    """The next line; None at the end of the file."""
    place: int = rows.line_num + 1  # type: ignore[attr-defined]  # A record may be several lines.
    try:
        cells = next(rows, None)
    except csv.Error as wrong:
        return Unreadable(place, f"this is no CSV: {wrong}")
    if cells is None:
        return None
    if not any(cell.strip() for cell in cells):
        return _NOTHING
    if len(cells) != len(columns):
        return Unreadable(place, f"it has {len(cells)} cells, the first line {len(columns)}")
    named = {name: cell.strip() or None for name, cell in zip(columns, cells, strict=True)}
    try:
        return _line(place, named)
    except ValueError as wrong:
        return Unreadable(place, str(wrong))


def _line(place: int, cells: dict[str, str | None]) -> OperatorLine:
    """A line from its cells. Raises ValueError with a sentence for whoever wrote it."""
    hand, number, rake = cells.get("hand"), cells.get("number"), cells.get("rake")
    if hand is None and number is None:
        raise ValueError("it names no hand")
    if any("\x00" in (cell or "") for cell in cells.values()):
        raise ValueError("a cell holds a zero character")
    if rake is None:
        raise ValueError("it says no rake")
    pot = cells.get("pot")
    return OperatorLine(
        place,
        None if hand is None else _id(hand),
        number,
        cells.get("site"),
        _amount(rake),
        None if pot is None else _amount(pot),
        _currency(cells.get("currency"), rake, pot or ""),
    )


def _currency(named: str | None, *amounts: str) -> str | None:
    """The currency of a line: as it is named, else that of the signs of its amounts."""
    codes = {code for code, sign in SIGNS.items() if any(sign in amount for amount in amounts)}
    if len(codes | ({named.upper()} if named else set())) > 1:
        raise ValueError("its amounts are of several currencies")
    return (named and named.upper()) or next(iter(codes), None)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise ValueError("hand is no id of ours: a site's number belongs under number") from None


def _amount(text: str) -> Decimal:
    if not _AMOUNT.fullmatch(text):
        raise ValueError("an amount is a figure such as 1.50")
    return Decimal(re.sub(r"[$€£]", "", text))
