"""Every benchmark by name."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import (
    appending,
    importing,
    judging,
    memory,
    pages,
    playing,
    rake_growth,
    rebuilding,
    replaying,
    sealing,
)
from benchmarks.measuring import Measured, Report, Size, reported

BENCHMARKS: dict[str, Callable[[Size], Measured]] = {
    "judging": judging.run,
    "append": appending.run,
    "http": playing.run,
    "paced": playing.run_paced,
    "import": importing.run,
    "rebuild": rebuilding.run,
    "rebuild-reading": rebuilding.run_against_reading,
    "sealing": sealing.run,
    "rake": rake_growth.run,
    "replay": replaying.run,
    "pages": pages.run,
    "memory": memory.run,
}
"""What is measured, in the order it is run; the benchmark's module says against what."""


def run(name: str, size: Size) -> Report:
    """Run one benchmark."""
    return reported(BENCHMARKS[name](size))
