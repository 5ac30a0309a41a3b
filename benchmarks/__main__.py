"""`python -m benchmarks [NAME …] [--format json] [--large]`: run measurements, print figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import msgspec

from benchmarks.catalogue import BENCHMARKS, run
from benchmarks.measuring import Report, Size

SMALL: Size = "small"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is named, or everything, and print it."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in BENCHMARKS]:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    reports: dict[str, Report] = {}
    for name in asked.names or BENCHMARKS:
        print(f"{name} …", file=sys.stderr, flush=True)
        reports[name] = run(name, "large" if asked.large else SMALL)
        if asked.format == "table":
            print(_in_words(name, reports[name]), flush=True)
    if asked.format == "json":
        print(msgspec.json.format(msgspec.json.encode(reports), indent=2).decode())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument("--large", action="store_true", help="the big ones: hours, and disk")
    return parser


def _in_words(name: str, report: Report) -> str:
    figures = "\n".join(f"    {key:34} {value}" for key, value in report.numbers.items())
    return f"{name}: {report.ratio}×\n{figures}"


if __name__ == "__main__":
    sys.exit(main())
