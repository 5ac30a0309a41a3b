"""A rake report as a workbook: figures are numbers, and nothing a record holds is a formula."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from io import BytesIO
from typing import Any

from xlsxwriter import Workbook  # type: ignore[import-untyped]  # Hints, but no marker.

from services.reports.rake import RakeReport
from services.reports.rake_cells import COUNTS, PERCENTAGES, Names, figures, key, keys
from services.reports.rake_figures import PERCENT_DECIMALS
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import RakeWanted

MADE = datetime(2000, 1, 1)  # A workbook says when it was made; like this, the same is the same.

# No text becomes a formula, a number or a link by what it looks like.
AS_IT_IS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def rake_workbook(report: RakeReport, wanted: RakeWanted, names: Names) -> bytes:
    """The file: a sheet of lines, and one that says what was asked and how complete it is.

    Amounts are decimal numbers; a spreadsheet keeps 15 digits of them.
    """
    file = BytesIO()
    with Workbook(file, AS_IT_IS) as workbook:
        workbook.set_properties({"title": "Rake", "created": MADE})
        _Lines(workbook).write(report.lines, wanted, names)
        _about(workbook, report, wanted)
    return file.getvalue()


class _Lines:
    """The sheet of lines, with one number format for each exponent."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._sheet = workbook.add_worksheet("Rake")
        self._header = workbook.add_format({"bold": True, "bottom": 1})
        self._day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        self._count = workbook.add_format({"num_format": "#,##0"})
        self._decimals: dict[int, Any] = {}

    def write(self, lines: tuple[RakeLine, ...], wanted: RakeWanted, names: Names) -> None:
        columns, amounts = keys(wanted), figures(wanted)
        for x, column in enumerate((*columns, *amounts)):
            self._sheet.write_string(0, x, column.replace("_", " "), self._header)
        for y, line in enumerate(lines, start=1):
            for x, column in enumerate(columns):
                self._write_key(y, x, key(line, column, names))
            for x, name in enumerate(amounts, start=len(columns)):
                self._write_figure(y, x, name, line)
        self._sheet.freeze_panes(1, 0)
        self._sheet.autofilter(0, 0, len(lines), len(columns) + len(amounts) - 1)
        self._sheet.autofit()

    def _write_key(self, y: int, x: int, value: date | str) -> None:
        if isinstance(value, date):
            self._sheet.write_datetime(y, x, datetime.combine(value, time()), self._day)
        else:
            self._sheet.write_string(y, x, value)

    def _write_figure(self, y: int, x: int, name: str, line: RakeLine) -> None:
        value = getattr(line, name)
        if value is None:
            return
        if name in COUNTS:
            self._sheet.write_number(y, x, value, self._count)
        elif name in PERCENTAGES:
            self._sheet.write_number(y, x, Decimal(value), self._of(PERCENT_DECIMALS))
        else:
            amount = Decimal(value).scaleb(-line.exponent)
            self._sheet.write_number(y, x, amount, self._of(line.exponent))

    def _of(self, decimals: int) -> Any:
        if decimals not in self._decimals:
            form = "#,##0" + ("." + "0" * decimals if decimals else "")
            self._decimals[decimals] = self._workbook.add_format({"num_format": form})
        return self._decimals[decimals]


def _about(workbook: Any, report: RakeReport, wanted: RakeWanted) -> None:
    """What was asked, so that the file can be read without its maker."""
    sheet = workbook.add_worksheet("About")
    asked = {
        "by": ", ".join(wanted.by),
        "from": wanted.from_day,
        "to": wanted.to_day,
        "time zone": wanted.time_zone,
        "gaming day start": f"{wanted.gaming_day_start:%H:%M}",
        "table": wanted.table,
        "game": wanted.game,
        "only some players": "no" if wanted.players is None else "yes",
        "most lines of each day, month and currency": wanted.top,
        "schedule": wanted.schedule,
        "currency": wanted.currency,
        "compared from": wanted.compared and wanted.compared[0],
        "compared to": wanted.compared and wanted.compared[1],
        "complete up to event": report.complete_to,
    }
    for y, (what, value) in enumerate(asked.items()):
        sheet.write_string(y, 0, what)
        sheet.write_string(y, 1, "all" if value is None else str(value))
    sheet.autofit()
