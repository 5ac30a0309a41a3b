"""CSV as every part of the program writes it: exact decimals, nothing steers and nothing counts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from domain.amounts import decimal_words
from domain.units import ChipsMoved
from services.replaying.seating import printable

_FIGURE = re.compile(r"[-+]?[0-9.]+")
_FORMULA = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet would calculate."""


class Writable(Protocol):
    """What text can be written to."""

    def write(self, text: str, /) -> object:
        """Take in some more."""


def write_csv(file: Writable, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a header line and the rows, no totals line; no cell is a formula."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)


def harmless(text: str) -> str:
    r"""`text` whose lines steer no terminal, whatever a record holds for a name.

    >>> harmless("\x1b[2Jn\nm")
    '�[2Jn\nm'
    """
    return "\n".join(map(printable, text.split("\n")))


def decimal(amount: ChipsMoved, exponent: int) -> str:
    """An amount in minor units as a plain decimal figure.

    >>> decimal(-1205, 2)
    '-12.05'
    """
    return f"{'-' if amount < 0 else ''}{decimal_words(abs(amount), exponent)}"


def _cell(value: object) -> str:
    """A value as a spreadsheet may read it: what it would calculate gets an apostrophe before it.

    >>> _cell("=1+1"), _cell("-12.05"), _cell(None)
    ("'=1+1", '-12.05', '')
    """
    text = "" if value is None else harmless(str(value))
    is_formula = text.startswith(_FORMULA) and not _FIGURE.fullmatch(text)
    return f"'{text}" if is_formula else text
