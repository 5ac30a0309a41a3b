"""Whose line it is: names hold brackets, colons and verbs, so only the seat list can tell."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from domain.units import Seat

LONGEST_NAME = 500
"""Characters of a name or number that will be shown and searched for."""


def fit_to_keep(text: str) -> bool:
    r"""Whether a name or number is not too long and holds nothing that steers a terminal.

    >>> fit_to_keep("Zoë\u00a0B"), fit_to_keep("\x1b[2J")
    (True, False)
    """
    return len(text) <= LONGEST_NAME and not steers(text)


def steers(text: str) -> bool:
    """Whether a text holds control characters, which steer terminals and no column takes."""
    return any(unicodedata.category(char) in ("Cc", "Cs") for char in text)


def fit_to_show(text: str, most: int) -> str:
    r"""A text as it may be printed: nothing that steers a terminal, at most so many characters.

    >>> fit_to_show("\x1b[2J is not an amount", 12)
    ' [2J is not …'
    """
    shown = "".join(char if char.isprintable() else " " for char in text[:most])
    return f"{shown}…" if len(text) > most else shown


class Names:
    """The names printed in a seat list. Longer names are tried first."""

    def __init__(self, seats: Mapping[str, Seat]) -> None:
        self._seats = dict(sorted(seats.items(), key=lambda item: -len(item[0])))

    def readings(self, line: str) -> Iterator[tuple[Seat, str]]:
        """Every way `line` starts with somebody's name: the seat and the rest of the line.

        >>> names = Names({"Al": 1, "Al: folds": 2})
        >>> list(names.readings("Al: folds: checks"))
        [(2, ': checks'), (1, ': folds: checks')]
        """
        for name, seat in self._seats.items():
            if line.startswith(name):
                yield seat, line[len(name) :]

    def seat(self, name: str) -> Seat | None:
        """The seat of exactly this name."""
        return self._seats.get(name)
