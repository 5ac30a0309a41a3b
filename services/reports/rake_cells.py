"""The columns of a rake report, alike in every form that has columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from domain.amounts import decimal_words
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import RakeWanted

Names = Mapping[str, str]
"""Players' names by their ids, as far as they are known."""

NAME = "name"
BY_RULING = "by ruling"
"""In place of a name: rake that a ruling moved without saying whose it was."""

FIGURES = ("hands", "pot", "rake", "rake_per_100_hands", "effective_percentage")
BEFORE = ("hands_before", "pot_before", "rake_before", "rake_difference")
COUNTS = frozenset({"hands", "hands_before"})
PERCENTAGES = frozenset({"effective_percentage"})
"""Figures that are no amounts."""


def keys(wanted: RakeWanted) -> tuple[str, ...]:
    """The columns that say what a line is about; a player's name comes after his id."""
    columns: list[str] = []
    for dimension in wanted.by:
        if dimension != "currency":
            columns += ("player", NAME) if dimension == "player" else (dimension,)
    return (*columns, "currency")


def figures(wanted: RakeWanted) -> tuple[str, ...]:
    """The columns of figures; those of methods and of a comparison if they are asked for."""
    by_method = (f"rake_{method}" for method in wanted.attribution)
    return (*FIGURES, *by_method, *(BEFORE if wanted.compared is not None else ()))


def key(line: RakeLine, column: str, names: Names) -> date | str:
    """What a line has in one of these columns; stakes as `5.00/10.00`."""
    if column == "stakes":
        return "/".join(
            decimal_words(bet or 0, line.exponent) for bet in (line.small_bet, line.big_bet)
        )
    if column == NAME:
        return BY_RULING if line.player is None else names.get(line.player, "")
    value = getattr(line, column)
    assert isinstance(value, date | str) or column == "player"
    return "" if value is None else value
