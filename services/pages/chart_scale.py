"""The scale of a chart: from which amount to which, marked at round amounts. Whole numbers only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from domain.units import ChipsMoved

WHOLE = 10_000
"""The full width, in hundredths of a percent."""

MOST_STEPS = 4


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """From `bottom` to `top`, marked every `step`; minor units. Nothing (0) is always on it."""

    bottom: ChipsMoved
    top: ChipsMoved
    step: int

    @property
    def marks(self) -> tuple[ChipsMoved, ...]:
        """The amounts that are written at the scale."""
        return tuple(range(self.bottom, self.top + 1, self.step))

    def place(self, amount: ChipsMoved, length: int = WHOLE) -> int:
        """How far from the bottom an amount lies, on a scale of this length."""
        assert self.bottom <= amount <= self.top, "the scale has room for every amount"
        return (amount - self.bottom) * length // (self.top - self.bottom)


def scale_for(amounts: Iterable[ChipsMoved]) -> Scale:
    """A scale on which all of these have room, in few steps.

    >>> scale_for([1250, 310]), scale_for([]).marks
    (Scale(bottom=0, top=1500, step=500), (0, 1))
    """
    lowest, highest = 0, 1
    for amount in amounts:
        lowest, highest = min(lowest, amount), max(highest, amount)
    step = next(step for step in _round() if _steps(lowest, highest, step) <= MOST_STEPS)
    return Scale(bottom=lowest // step * step, top=-(-highest // step) * step, step=step)


def percent(hundredths: int) -> str:
    """A part of the width as SVG writes it.

    >>> percent(1205), percent(10_000)
    ('12.05%', '100.00%')
    """
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}%"


def _steps(lowest: ChipsMoved, highest: ChipsMoved, step: int) -> int:
    return -(-highest // step) - lowest // step


def _round() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
