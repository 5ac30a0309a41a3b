"""A rake report as a Parquet file: exact decimals, days as dates, and what was asked."""

from __future__ import annotations

from decimal import Decimal
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from services.errors import ServiceError
from services.reports.rake import RakeReport
from services.reports.rake_cells import COUNTS, PERCENTAGES, Names, figures, key, keys
from services.reports.rake_figures import PERCENT_DECIMALS
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import RakeWanted

DIGITS = 38
"""Of a decimal, as many as Parquet's 128 bits hold."""


class ParquetMissing(ServiceError):
    """The library that writes Parquet is not installed."""


def rake_parquet(report: RakeReport, wanted: RakeWanted, names: Names) -> bytes:
    """The report's lines, a column for each of the CSV. Raises `ParquetMissing`."""
    if not is_possible():
        raise ParquetMissing("Parquet needs the extra: install studledger[parquet]")
    # An extra, and large: only where it is asked for.
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    scale = max((line.exponent for line in report.lines), default=2)
    columns: dict[str, Any] = {}
    for name in keys(wanted):
        kind = pyarrow.date32() if name == "day" else pyarrow.string()
        columns[name] = pyarrow.array([key(line, name, names) for line in report.lines], kind)
    for name in figures(wanted):
        kind = _kind(pyarrow, name, scale)
        columns[name] = pyarrow.array([_figure(line, name) for line in report.lines], kind)
    table = pyarrow.table(columns).replace_schema_metadata(_about(report, wanted))
    file = BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def is_possible() -> bool:
    """Whether the extra is installed."""
    return find_spec("pyarrow") is not None


def _kind(pyarrow: Any, name: str, scale: int) -> Any:
    """A figure's type; amounts of all currencies have the decimals of the finest."""
    if name in COUNTS:
        return pyarrow.int64()
    decimals = PERCENT_DECIMALS if name in PERCENTAGES else scale
    return pyarrow.decimal128(DIGITS, decimals)


def _figure(line: RakeLine, name: str) -> int | Decimal | None:
    value = getattr(line, name)
    if value is None or name in COUNTS:
        return value  # type: ignore[no-any-return]  # A count, or nothing.
    if name in PERCENTAGES:
        return Decimal(value)
    return Decimal(value).scaleb(-line.exponent)


def _about(report: RakeReport, wanted: RakeWanted) -> dict[str, str]:
    """What was asked, so that the file can be read without its maker."""
    return {
        "studledger.by": ",".join(wanted.by),
        "studledger.from": str(wanted.from_day or ""),
        "studledger.to": str(wanted.to_day or ""),
        "studledger.time_zone": wanted.time_zone,
        "studledger.gaming_day_start": f"{wanted.gaming_day_start:%H:%M}",
        "studledger.complete_to": str(report.complete_to),
    }
