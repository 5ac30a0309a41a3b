"""Published rake schedules: versioned values, never edited; a change is a new version (R2, R3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import msgspec

from domain.amounts import amount_words, decimal_words
from domain.errors import BadTable
from domain.events import HandStarted, Money, ScheduleRef, Stakes
from domain.house_rules import HouseRules
from domain.units import Chips


class Terms(Protocol):
    """What a hand is played under, and a table opened with."""

    @property
    def stakes(self) -> Stakes:
        """The bets."""

    @property
    def money(self) -> Money:
        """What is played for."""

    @property
    def house_rules(self) -> HouseRules:
        """Every choice of the room."""

    @property
    def rake_schedule(self) -> ScheduleRef | None:
        """The schedule that decides the rake, where one does."""


class Step(msgspec.Struct, frozen=True):
    """A matched pot of at least `pot` bears `rake`, both in minor units."""

    pot: Chips
    rake: Chips

    def words(self, money: Money) -> str:
        """The step as the chart is read aloud, in the money it is of."""
        return f"pot of {amount_words(self.pot, money)} or more: {amount_words(self.rake, money)}"


class Row(msgspec.Struct, frozen=True):
    """The steps for `fewest` to `most` players dealt in, smallest pot first."""

    fewest: int
    most: int
    steps: tuple[Step, ...]

    def step(self, pot: Chips) -> Step | None:
        """The step a matched pot reaches; none if it is smaller than the first."""
        reached = [step for step in self.steps if pot >= step.pot]
        return reached[-1] if reached else None

    def rake(self, pot: Chips) -> Chips:
        """What a matched pot bears, in minor units (R2)."""
        step = self.step(pot)
        return step.rake if step else 0


class StakesRange(msgspec.Struct, frozen=True):
    """Stakes from one pair of bets through another, in minor units; often just one pair."""

    lowest: tuple[Chips, Chips]
    highest: tuple[Chips, Chips]

    def holds(self, stakes: Stakes) -> bool:
        """Whether both bets lie in the range."""
        (low_small, low_big), (high_small, high_big) = self.lowest, self.highest
        return low_small <= stakes.small_bet <= high_small and low_big <= stakes.big_bet <= high_big


class Band(msgspec.Struct, frozen=True):
    """One block of the chart: stakes that share their rows."""

    name: str
    stakes: tuple[StakesRange, ...]
    rows: tuple[Row, ...]

    def row(self, players: int) -> Row:
        """The row for so many players dealt in. Raises `BadTable` (R3) if the chart has none."""
        for row in self.rows:
            if row.fewest <= players <= row.most:
                return row
        raise BadTable(f"the rake schedule has no row for {players} players", rule="R3")

    def row_words(self, row: Row) -> str:
        """The row as the chart heads it."""
        return f"{self.name}, {row.fewest}-{row.most} players"


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A published rake schedule, immutable under its id and version; amounts in minor units."""

    id: str
    version: int
    currency: str
    exponent: int
    bands: tuple[Band, ...]

    @property
    def money(self) -> Money:
        """What its amounts are in."""
        return Money(kind="real", currency=self.currency, exponent=self.exponent)

    @property
    def ref(self) -> ScheduleRef:
        """How a hand names this schedule."""
        return ScheduleRef(id=self.id, version=self.version)

    def band(self, started: Terms) -> Band | None:
        """The band of a table's stakes; none outside every band or in another currency."""
        money = started.money
        if (money.currency, money.exponent) != (self.currency, self.exponent):
            return None
        for band in self.bands:
            if any(stakes.holds(started.stakes) for stakes in band.stakes):
                return band
        return None


def _steps(*pairs: tuple[Chips, Chips]) -> tuple[Step, ...]:
    return tuple(Step(pot, rake) for pot, rake in pairs)


def _middle_and_high(first: Chips, gap: Chips) -> tuple[Row, ...]:
    """Rows of the two upper bands: one more dollar first, then a half at every further step."""
    steps = _steps(*((first + gap * n, 100 + 50 * n) for n in range(5)))
    return Row(2, 3, steps[:1]), Row(4, 5, steps[:3]), Row(6, 10, steps)


TOPSPOKER_CHART = Schedule(
    id="topspoker",
    version=1,
    currency="USD",
    exponent=2,
    bands=(
        Band(
            "$0.50/$1 and $1/$2",
            (StakesRange((50, 100), (50, 100)), StakesRange((100, 200), (100, 200))),
            (Row(2, 10, _steps((500, 50), (1200, 75), (2000, 100))),),
        ),
        Band(
            "$2/$4 to $10/$20",
            (StakesRange((200, 400), (1000, 2000)),),
            _middle_and_high(2000, 1000),
        ),
        Band(
            "$15/$30 to $30/$60",
            (StakesRange((1500, 3000), (3000, 6000)),),
            _middle_and_high(4000, 1500),
        ),
    ),
)
"""The chart of the rules of Stud 8 or Better, used for all three games (R2)."""

Published = Mapping[tuple[str, int], Schedule]
"""Schedules by id and version. What is under a name never changes; names are only ever added."""

SCHEDULES: Published = {
    (schedule.id, schedule.version): schedule for schedule in (TOPSPOKER_CHART,)
}
"""What every room has published from the start."""

DEFAULT_SCHEDULE: ScheduleRef = TOPSPOKER_CHART.ref
"""What a raked table uses when it names none."""


_in_process: list[Published] = [SCHEDULES]
_here: ContextVar[Published | None] = ContextVar("schedules", default=None)


@contextmanager
def consulting(schedules: Published) -> Iterator[None]:
    """Within, a schedule that a hand names is looked up in these: those a bundle brings along.

    A hand names its schedule and does not hold it. Every rule that asks for it would have to be
    handed all schedules; as none ever changes, they are what is known here and no argument.
    """
    before = _here.set(schedules)
    try:
        yield
    finally:
        _here.reset(before)


@contextmanager
def consulting_everywhere(schedules: Published) -> Iterator[None]:
    """As `consulting`, for every thread of the process: those of the room that is open."""
    _in_process.append(schedules)
    try:
        yield
    finally:
        _in_process[:] = [known for known in _in_process if known is not schedules]


def published() -> Published:
    """The schedules a hand may name here."""
    here = _here.get()
    return _in_process[-1] if here is None else here


def is_raked(started: Terms) -> bool:
    """Whether a hand of this table bears rake at all: real money only (R1)."""
    return started.money.kind == "real"


def schedule_for(started: Terms) -> Schedule | None:
    """The schedule that decides this table's rake; none where the recorded rake is the fact.

    Raises `BadTable` (R3) if a raked table names no published schedule.
    """
    if not is_raked(started) or started.house_rules.rake == "as_recorded":
        return None
    ref = started.rake_schedule
    if ref is None:
        raise BadTable("a real-money table needs a published rake schedule", rule="R3")
    schedule = published().get((ref.id, ref.version))
    if schedule is None:
        raise BadTable(f"no rake schedule {ref.id} version {ref.version} is published", rule="R3")
    return schedule


def require_band(started: Terms) -> Band | None:
    """The band a raked table is opened in; none where no schedule applies.

    Raises `BadTable` (R3) if its stakes or currency lie outside every band.
    """
    schedule = schedule_for(started)
    if schedule is None:
        return None
    band = schedule.band(started)
    if band is None:
        stakes = "/".join(
            decimal_words(bet, started.money.exponent)
            for bet in (started.stakes.small_bet, started.stakes.big_bet)
        )
        raise BadTable(
            f"rake schedule {schedule.id} has no band for stakes of "
            f"{stakes} {started.money.currency}",
            rule="R3",
        )
    return band


def row_for(started: HandStarted) -> tuple[Band, Row] | None:
    """The band and row of a hand by its stakes and players dealt in; none without a schedule.

    Raises `BadTable` (R3) as `require_band` does.
    """
    band = require_band(started)
    return None if band is None else (band, band.row(len(started.seats)))
