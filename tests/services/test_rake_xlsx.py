"""The workbook of a rake report: what a spreadsheet program finds in the file."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from services.reports import Dimension, RakeLine, RakeReport, RakeWanted
from services.reports.rake_xlsx import rake_workbook

NS = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
EVIL = '=HYPERLINK("http://example.org";"win")'
LINE = RakeLine(
    day=date(2024, 3, 1),
    month="2024-03",
    table="Aquila",
    game="stud8",
    small_bet=500,
    big_bet=1000,
    player="p1",
    currency="USD",
    exponent=2,
    hands=1_234,
    pot=532_400,
    rake=-205,
    rake_per_100_hands=-17,
    effective_percentage="-0.0385",
)
DAY = 45352
"""2024-03-01 as a spreadsheet counts days."""

Cells = dict[str, Any]


def workbook(*lines: RakeLine, by: tuple[Dimension, ...] = (), **names: str) -> bytes:
    report = RakeReport(lines=lines, complete_to=4711)
    return rake_workbook(report, RakeWanted(by=by), names)


def part(file: bytes, name: str) -> ElementTree.Element:
    with ZipFile(BytesIO(file)) as archive:
        return ElementTree.fromstring(archive.read(f"xl/{name}.xml"))


def cells(file: bytes, sheet: int = 1) -> Cells:
    """Text as str, numbers as they are written; a formula would be a tuple."""
    texts = ["".join(si.itertext()) for si in part(file, "sharedStrings").findall("s:si", NS)]
    found: Cells = {}
    for cell in part(file, f"worksheets/sheet{sheet}").iterfind(".//s:c", NS):
        value = cell.findtext("s:v", namespaces=NS)
        if cell.find("s:f", NS) is not None:
            found[cell.attrib["r"]] = ("formula", value)
        elif cell.get("t") == "s":
            found[cell.attrib["r"]] = texts[int(value or "")]
        else:
            found[cell.attrib["r"]] = float(value or "nan")
    return found


def form(file: bytes, cell: str) -> str:
    """The number format of a cell of the first sheet."""
    styles = part(file, "styles")
    forms = {
        f.attrib["numFmtId"]: f.attrib["formatCode"] for f in styles.iterfind(".//s:numFmt", NS)
    }
    builtin = {"3": "#,##0", "4": "#,##0.00"}
    (found,) = part(file, "worksheets/sheet1").iterfind(f".//s:c[@r='{cell}']", NS)
    cell_styles = styles.findall("s:cellXfs/s:xf", NS)
    return (builtin | forms)[cell_styles[int(found.attrib["s"])].attrib["numFmtId"]]


def test_the_first_row_names_the_columns() -> None:
    row = [v for k, v in cells(workbook(by=("day", "player"))).items() if re.fullmatch("[A-Z]1", k)]
    assert row == [
        "day", "player", "name", "currency",
        "hands", "pot", "rake", "rake per 100 hands", "effective percentage",
    ]  # fmt: skip


def test_figures_are_numbers_in_the_form_of_their_money() -> None:
    file = workbook(LINE, by=("day",))
    found = cells(file)
    assert [found[f"{x}2"] for x in "ABCDEFG"] == [DAY, "USD", 1234, 5324, -2.05, -0.17, -0.0385]
    assert [form(file, f"{x}2") for x in "ACDEFG"] == [
        "yyyy-mm-dd", "#,##0", "#,##0.00", "#,##0.00", "#,##0.00", "#,##0.0000",
    ]  # fmt: skip


def test_each_currency_has_its_own_decimals() -> None:
    yen = replace(LINE, currency="JPY", exponent=0)
    file = workbook(LINE, yen)
    assert (cells(file)["C3"], form(file, "C2"), form(file, "C3")) == (532400, "#,##0.00", "#,##0")


def test_an_amount_is_written_to_the_last_cent() -> None:
    file = workbook(replace(LINE, pot=123_456_789_012_345))
    (cell,) = part(file, "worksheets/sheet1").iterfind(".//s:c[@r='C2']", NS)
    assert cell.findtext("s:v", namespaces=NS) == "1234567890123.45"


@pytest.mark.parametrize("name", [EVIL, "+1", "-1", "@SUM(A1)", "http://example.org", "12", "{=1}"])
def test_a_name_is_text_whatever_it_looks_like(name: str) -> None:
    assert cells(workbook(LINE, by=("player",), p1=name))["B2"] == name
    assert cells(workbook(replace(LINE, table=name), by=("table",)))["A2"] == name


def test_stakes_are_text_and_rake_without_a_player_says_why() -> None:
    file = workbook(replace(LINE, player=None), by=("stakes", "player"))
    found = cells(file)
    assert (found["A2"], found["B2"], found["C2"]) == ("5.00/10.00", "", "by ruling")


def test_what_cannot_be_divided_is_left_empty() -> None:
    nothing = replace(LINE, hands=0, rake_per_100_hands=None, effective_percentage=None)
    found = cells(workbook(nothing))
    assert "D2" in found
    assert not {"E2", "F2"} & found.keys()


def test_the_header_stays_in_sight() -> None:
    (pane,) = part(workbook(LINE), "worksheets/sheet1").iterfind(".//s:pane", NS)
    assert (pane.attrib["state"], pane.attrib["topLeftCell"]) == ("frozen", "A2")


def test_a_second_sheet_says_what_was_asked_and_how_complete_it_is() -> None:
    found = cells(workbook(LINE, by=("day", "game")), sheet=2)
    about = {found[f"A{y}"]: found[f"B{y}"] for y in range(1, len(found) // 2 + 1)}
    assert about["by"] == "day, game"
    assert about["complete up to event"] == "4711"
    assert (about["time zone"], about["gaming day start"]) == ("UTC", "00:00")


def test_the_same_report_is_the_same_file() -> None:
    assert workbook(LINE, by=("day",)) == workbook(LINE, by=("day",))


def test_a_report_of_nothing_is_a_header() -> None:
    assert {key[1:] for key in cells(workbook())} == {"1"}
