"""A rake report as CSV: one line a row, decimal amounts, no totals."""

from __future__ import annotations

from io import StringIO

from services.reports.cells import decimal, write_csv
from services.reports.rake import RakeReport
from services.reports.rake_cells import COUNTS, PERCENTAGES, Names, figures, key, keys
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import RakeWanted


def rake_csv(report: RakeReport, wanted: RakeWanted, names: Names) -> str:
    """The report's lines below a line that names the columns."""
    columns, amounts, text = keys(wanted), figures(wanted), StringIO()
    rows = [
        [
            *(key(line, column, names) for column in columns),
            *(_figure(line, name) for name in amounts),
        ]
        for line in report.lines
    ]
    write_csv(text, (*columns, *amounts), rows)
    return text.getvalue()


def _figure(line: RakeLine, name: str) -> object:
    value = getattr(line, name)
    if value is None or name in COUNTS or name in PERCENTAGES:
        return value
    return decimal(value, line.exponent)
