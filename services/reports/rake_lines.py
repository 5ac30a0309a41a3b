"""Lines of a rake report, and those of one period beside those of another."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.units import ChipsMoved


class RakeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rake report; amounts in minor units.

    What the report is not broken down by is None; a week is written `2026-W02`, a month `2026-01`.
    `hands` are finished, real-money hands, `pot` is what was matched in them. By player, or of
    some players, they are the hands these were dealt in, `pot` is what they put in and `rake` what
    they bear; a line by player without a player is rake that a ruling moved. `rake_per_100_hands`
    is rounded to the minor unit, `effective_percentage` of the pot to four decimals. `rake_dealt`
    and its like are what a player bears by each method asked for (R6). `…_before` are the figures
    of the period compared with, `rake_difference` is how much more there is now.
    """

    day: date | None = None
    week: str | None = None
    month: str | None = None
    table: str | None = None
    game: str | None = None
    small_bet: int | None = None
    big_bet: int | None = None
    schedule: str | None = None
    player: str | None = None
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int
    rake_per_100_hands: int | None
    effective_percentage: str | None
    rake_dealt: int | None = None
    rake_contributed: int | None = None
    rake_weighted: int | None = None
    rake_winner: int | None = None
    hands_before: int | None = None
    pot_before: int | None = None
    rake_before: int | None = None
    rake_difference: int | None = None


def compared(
    now: Iterable[RakeLine], before: Iterable[RakeLine], *, keep_all: bool
) -> tuple[RakeLine, ...]:
    """Each line with the figures of the same one `before`; nothing there counts as nothing.

    `keep_all` also tells of what there was before and is no more.
    """
    old = {_about(line): line for line in before}
    lines = [_beside(line, old.pop(_about(line), None)) for line in now]
    gone = [_beside(_nothing_of(line), line) for line in old.values()] if keep_all else []
    return (*lines, *gone)


def _about(line: RakeLine) -> tuple[Any, ...]:
    """What the line is about, whenever it is."""
    stakes = (line.small_bet, line.big_bet)
    return (line.table, line.game, stakes, line.schedule, line.player, line.currency, line.exponent)


def _beside(line: RakeLine, before: RakeLine | None) -> RakeLine:
    then: ChipsMoved = 0 if before is None else before.rake
    return replace(
        line,
        hands_before=0 if before is None else before.hands,
        pot_before=0 if before is None else before.pot,
        rake_before=then,
        rake_difference=line.rake - then,
    )


def _nothing_of(line: RakeLine) -> RakeLine:
    """A line about the same with nothing in it."""
    methods = ("rake_dealt", "rake_contributed", "rake_weighted", "rake_winner")
    return replace(
        line,
        hands=0,
        pot=0,
        rake=0,
        rake_per_100_hands=None,
        effective_percentage=None,
        **{name: None if getattr(line, name) is None else 0 for name in methods},
    )
