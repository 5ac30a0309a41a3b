"""Publishing rake schedules: the fact, its stream, and what a schedule must be like before (R3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, pairwise
from uuid import UUID, uuid5

import msgspec

from domain.amounts import amount_words
from domain.decoding import decoder
from domain.errors import StudError
from domain.schedules import Band, Row, Schedule, StakesRange
from domain.starting import MOST_PLAYERS
from domain.units import MOST_DECIMALS

_STREAMS = UUID("3b1d0a52-6c1e-5f0b-9d5e-6d0c5c1f2b90")
"""The namespace of the streams of schedules; changing it would begin every one anew."""

FEWEST_PLAYERS = 2
MOST_ROWS_PLAYERS = 10
"""The most players a row may speak of: seats are numbered to ten."""
MOST_ROWS = MOST_ROWS_PLAYERS - FEWEST_PLAYERS + 1
"""The most rows of a band: one for each number of players."""
MOST_BANDS = 100
MOST_STAKES = 1000
"""The most ranges of stakes in all bands together."""
MOST_STEPS = 100
"""The most steps of a row."""
MOST_NAME = 100
"""The most characters of a band's name."""
MOST_TOLD = 100
"""So many faults are told of a schedule, the first of them."""
_ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")


class BadSchedule(StudError):
    """A schedule nobody could be raked by; `faults` says everything that is wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


class SchedulePublished(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    tag="schedule_published.v1",
):
    """A version of a rake schedule is in force from now on, as it is here, for ever."""

    at: datetime | None = None
    actor: str
    schedule: Schedule


TAG = str(SchedulePublished.__struct_config__.tag)

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = decoder(SchedulePublished)
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def schedule_stream(schedule: str) -> UUID:
    """The stream of all versions of a schedule."""
    return uuid5(_STREAMS, schedule)


def require_sound(schedule: Schedule) -> None:
    """Raise `BadSchedule` unless every hand finds one band, one row and one step, or none."""
    faults = tuple(islice(_unsound(schedule), MOST_TOLD))
    if faults:
        raise BadSchedule(faults)


def require_publishable(schedule: Schedule) -> None:
    """Raise `BadSchedule` unless it is sound, and holds no more than a chart on a wall would.

    What is published already may hold more: it stays in force.
    """
    faults = tuple(islice(_oversized(schedule), MOST_TOLD))
    if faults:
        raise BadSchedule(faults)
    require_sound(schedule)


def _oversized(schedule: Schedule) -> Iterator[str]:
    if len(schedule.bands) > MOST_BANDS:
        yield f"a schedule has at most {MOST_BANDS} bands, not {len(schedule.bands)}"
    stakes = sum(len(band.stakes) for band in schedule.bands)
    if stakes > MOST_STAKES:
        yield f"a schedule has at most {MOST_STAKES} stakes in all its bands, not {stakes}"
    for number, band in enumerate(schedule.bands, 1):
        if len(band.name) > MOST_NAME:
            yield f"band {number}: a name has at most {MOST_NAME} characters"
        if len(band.rows) > MOST_ROWS:
            yield f"band {number}: a band has at most {MOST_ROWS} rows, not {len(band.rows)}"
        steps = max((len(row.steps) for row in band.rows), default=0)
        if steps > MOST_STEPS:
            yield f"band {number}: a row has at most {MOST_STEPS} steps, not {steps}"


def _unsound(schedule: Schedule) -> Iterator[str]:
    yield from _named(schedule)
    yield from _bands(schedule)
    yield from _overlaps(schedule)


def _named(schedule: Schedule) -> Iterator[str]:
    name = schedule.id
    if not (name and name[0].isalpha() and _ID_LETTERS.issuperset(name) and len(name) <= 31):
        yield "the id is a small letter, then up to 30 small letters, digits, _ or -"
    if schedule.version < 1:
        yield "versions are numbered from 1"
    currency = schedule.currency
    if not (currency.isascii() and currency.isalpha() and currency.isupper()):
        yield f"the currency is a code such as USD, not '{currency}'"
    if not 0 <= schedule.exponent <= MOST_DECIMALS:
        yield f"an amount has 0 to {MOST_DECIMALS} decimals, not {schedule.exponent}"


def _bands(schedule: Schedule) -> Iterator[str]:
    if not schedule.bands:
        yield "there is no band"
    names = Counter(band.name for band in schedule.bands)
    for name in sorted(name for name, times in names.items() if times > 1):
        yield f"two bands are called {name}"
    for band in schedule.bands:
        if not (band.name and band.name.isprintable()):
            yield "a band has no name that can be printed"
        if not band.stakes:
            yield f"{band.name}: there are no stakes"
        yield from (f"{band.name}: {fault}" for fault in (*_stakes(band), *_rows(band, schedule)))


def _overlaps(schedule: Schedule) -> Iterator[str]:
    """Bands that share stakes, each two of them once, in the order of the schedule.

    Ranges are gone through by their lowest small bet: those that begin above a range's highest
    cannot overlap it.
    """
    ranges = sorted(
        (
            (place, band.name, stakes)
            for place, band in enumerate(schedule.bands)
            for stakes in band.stakes
        ),
        key=lambda one: one[2].lowest[0],
    )
    shared = set()
    for at, (place, name, these) in enumerate(ranges):
        for other, called, those in islice(ranges, at + 1, None):
            if those.lowest[0] > these.highest[0]:
                break
            if _overlap(these, those):
                shared.add(tuple(sorted(((place, name), (other, called)))))
    for (_, one), (_, another) in sorted(shared):
        yield f"stakes of {one} and {another} overlap"


def _stakes(band: Band) -> Iterator[str]:
    for stakes in band.stakes:
        (low_small, low_big), (high_small, high_big) = stakes.lowest, stakes.highest
        if not (0 < low_small <= low_big and 0 < high_small <= high_big):
            yield "a small bet is above nothing and at most the big bet"
        elif low_small > high_small or low_big > high_big:
            yield "the lowest stakes are above the highest"


def _overlap(one: StakesRange, other: StakesRange) -> bool:
    """Whether some stakes lie in both."""
    return all(
        one.lowest[bet] <= other.highest[bet] and other.lowest[bet] <= one.highest[bet]
        for bet in (0, 1)
    )


def _rows(band: Band, schedule: Schedule) -> Iterator[str]:
    """Every number of players that can be dealt in has its row, and only one."""
    for row in band.rows:
        if not FEWEST_PLAYERS <= row.fewest <= row.most <= MOST_ROWS_PLAYERS:
            yield f"no row is for {row.fewest}-{row.most} players"
        yield from (f"{row.fewest}-{row.most} players: {fault}" for fault in _steps(row, schedule))
    for players in range(FEWEST_PLAYERS, MOST_ROWS_PLAYERS + 1):
        rows = sum(row.fewest <= players <= row.most for row in band.rows)
        if rows > 1:
            yield f"{rows} rows are for {players} players"
        elif rows == 0 and players <= MOST_PLAYERS:
            yield f"no row is for {players} players"


def _steps(row: Row, schedule: Schedule) -> Iterator[str]:
    """Each step is of a larger pot and takes more, and never more than the pot."""
    if not row.steps:
        yield "there is no step"
    for step in row.steps:
        if step.rake > step.pot:
            pot, rake = (amount_words(each, schedule.money) for each in (step.pot, step.rake))
            yield f"the rake of {rake} is more than the pot of {pot}"
    for before, after in pairwise(row.steps):
        if not (before.pot < after.pot and before.rake < after.rake):
            pots = [amount_words(step.pot, schedule.money) for step in (before, after)]
            yield f"the step at {pots[1]} does not rise above that at {pots[0]}"
