"""A rake report as CSV: one line a row, decimal amounts, no totals."""

from __future__ import annotations

from io import StringIO

from services.reports.cells import decimal, write_csv
from services.reports.rake import RakeLine, RakeReport
from services.reports.rake_cells import FIGURES, Names, key, keys
from services.reports.rake_wanted import RakeWanted


def rake_csv(report: RakeReport, wanted: RakeWanted, names: Names) -> str:
    """The report's lines below a line that names the columns."""
    columns, text = keys(wanted), StringIO()
    rows = [
        [*(key(line, column, names) for column in columns), *_figures(line)]
        for line in report.lines
    ]
    write_csv(text, (*columns, *FIGURES), rows)
    return text.getvalue()


def _figures(line: RakeLine) -> tuple[object, ...]:
    amounts = (line.pot, line.rake, line.rake_per_100_hands)
    return (
        line.hands,
        *(None if amount is None else decimal(amount, line.exponent) for amount in amounts),
        line.effective_percentage,
    )
