"""What two schedules say differently, hand by hand of a chart: stakes, players, step."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.amounts import amount_words
from domain.schedules import Band, Row, Schedule


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One place of a chart; what a schedule does not have there is None."""

    place: str
    before: str | None
    after: str | None


def differences(before: Schedule, after: Schedule) -> tuple[Difference, ...]:
    """Everything that is not the same, in the order of the charts; names and numbers aside."""
    places = dict.fromkeys((*(old := dict(_places(before))), *(new := dict(_places(after)))))
    return tuple(
        Difference(place=place, before=old.get(place), after=new.get(place))
        for place in places
        if old.get(place) != new.get(place)
    )


def _places(schedule: Schedule) -> Iterator[tuple[str, str]]:
    """Each place of the chart and what it says."""
    yield "currency", f"{schedule.currency}, {schedule.exponent} decimals"
    for band in schedule.bands:
        yield f"{band.name}: stakes", ", ".join(stakes_words(band, schedule))
        for row in band.rows:
            for players in range(row.fewest, row.most + 1):
                yield f"{band.name}: {players} players", steps_words(row, schedule)


def stakes_words(band: Band, schedule: Schedule) -> Iterator[str]:
    """The stakes of a band as they are said: `$2.00/$4.00 to $10.00/$20.00`."""
    for stakes in band.stakes:
        ends = dict.fromkeys(
            "/".join(amount_words(bet, schedule.money) for bet in bets)
            for bets in (stakes.lowest, stakes.highest)
        )
        yield " to ".join(ends)


def steps_words(row: Row, schedule: Schedule) -> str:
    """The steps of a row: `$20.00 → $1.00, $30.00 → $1.50`."""
    money = schedule.money
    return ", ".join(
        f"{amount_words(step.pot, money)} → {amount_words(step.rake, money)}" for step in row.steps
    )
