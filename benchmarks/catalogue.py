"""Every benchmark by name."""

from __future__ import annotations

from importlib import import_module

from benchmarks.measuring import Report, Size, reported

BENCHMARKS: dict[str, str] = {
    "judging": "benchmarks.judging",
    "append": "benchmarks.appending",
}
"""Name and module; `run(size)` of the module measures."""


def run(name: str, size: Size) -> Report:
    """Run one benchmark."""
    return reported(import_module(BENCHMARKS[name]).run(size))
