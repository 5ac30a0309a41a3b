"""The pages of rake: the figures of the API, drawn and listed, and as files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time

import pytest
from msgspec.structs import replace

from services.api.accepting import CSV, PARQUET, XLSX
from services.embedded import Server
from services.pages.rake_hands import hands_of
from services.pages.rake_shown import parts_of_report
from services.reports import RakeLine, RakeReport, RakeWanted
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served

LINE = RakeLine(
    currency="USD", exponent=2, hands=4, pot=4_000, rake=200, rake_per_100_hands=5_000,
    effective_percentage="5.0000",
)  # fmt: skip


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 8) as service:
        yield service


@pytest.fixture(scope="module")
def finance(service: Served) -> Visitor:
    return visitor(service, "finance")


@pytest.fixture(scope="module")
def headers(service: Served, finance: Visitor) -> dict[str, str]:
    """A key for the API, and nothing left to take in: from here on nobody stores anything."""
    headers = service.headers("finance")
    service.app.state.parts.projector.catch_up()
    return headers


def rows(page: str) -> list[list[str]]:
    """The body of the first table, cell by cell, without markup."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in body.split("</tr>")[:-1]
    ]


@pytest.mark.parametrize(
    "by",
    [
        "day",
        "week",
        "month",
        "table",
        "game",
        "stakes",
        "schedule",
        "player",
        "currency",
        "day,stakes",
    ],
)
def test_the_page_tells_the_figures_of_the_api_by_every_dimension(
    service: Served, finance: Visitor, headers: dict[str, str], by: str
) -> None:
    asked = service.client.get(f"/v1/rake?by={by}", headers=headers).json()
    page = finance.get(f"/rake?by={by}")
    told = [row[-4] for row in rows(page)]
    assert sorted(told) == sorted(
        f"${line['rake'] // 100}.{line['rake'] % 100:02d}" for line in asked["lines"]
    )
    assert 'role="img"' in page
    reached = re.search(r"Complete up to event ([\d,]+)\.", page)
    assert reached is not None
    assert int(reached[1].replace(",", "")) >= asked["complete_to"]


def test_a_line_leads_to_its_hands(finance: Visitor) -> None:
    page = finance.get("/rake?by=stakes&from=2026-01-01&to=2026-12-31")
    (about, hands, *_), *_ = rows(page)
    link = re.search(r'href="(/hands\?[^"]*stakes[^"]*)"', page)
    assert link is not None
    found = finance.get(link[1].replace("&amp;", "&"))
    assert len(rows(found)) == int(hands)
    assert all(about in row for row in rows(found))


def test_hands_of_other_days_than_those_of_utc_are_found_by_the_minute() -> None:
    wanted = RakeWanted(by=("day",), time_zone="America/New_York", gaming_day_start=time(6))
    link = hands_of(replace(LINE, day=date(2026, 1, 9)), wanted)
    assert link == "/hands?from=2026-01-09&from_time=11%3A00&to=2026-01-10&to_time=10%3A59"


def test_a_week_and_a_month_end_where_the_days_asked_for_end() -> None:
    wanted = RakeWanted(by=("week",), from_day=date(2026, 1, 6), to_day=date(2026, 3, 31))
    assert (
        hands_of(replace(LINE, week="2026-W02"), wanted) == "/hands?from=2026-01-06&to=2026-01-11"
    )
    monthly = hands_of(replace(LINE, month="2026-02"), replace(wanted, by=("month",)))
    assert monthly == "/hands?from=2026-02-01&to=2026-02-28"


def test_what_hands_cannot_be_found_by_leads_nowhere() -> None:
    assert hands_of(replace(LINE, schedule="topspoker:1"), RakeWanted(by=("schedule",))) is None
    assert hands_of(LINE, RakeWanted(by=("player",))) is None


def test_currencies_are_never_added_up_nor_drawn_together() -> None:
    euro = replace(LINE, currency="EUR", day=date(2026, 1, 9))
    dollars = tuple(replace(LINE, day=date(2026, 1, day)) for day in (8, 12))
    report = RakeReport(lines=(dollars[0], euro, dollars[1]), complete_to=7)
    first, second = parts_of_report(report, RakeWanted(by=("day",)), {})
    assert (first.currency, second.currency) == ("EUR", "USD")
    assert [row.about for row in second.rows] == [("2026-01-08",), ("2026-01-12",)]
    assert second.picture.count('class="bar"') == 5, "days without rake are days, too"
    assert "€" not in second.picture


def test_names_are_text_in_the_table_and_in_the_picture() -> None:
    hostile = '"><script>alert(1)</script>'
    report = RakeReport(lines=(replace(LINE, player="p1"),), complete_to=7)
    (part,) = parts_of_report(report, RakeWanted(by=("player",)), {"p1": hostile})
    assert part.rows[0].about == (hostile,)
    assert "<script" not in part.picture
    money = replace(LINE, currency=hostile, player="p1")
    (part,) = parts_of_report(
        RakeReport(lines=(money,), complete_to=7), RakeWanted(by=("player",)), {}
    )
    assert "<script" not in part.picture


@pytest.mark.parametrize(
    ("form", "media_type"), [("csv", CSV), ("xlsx", XLSX), ("parquet", PARQUET)]
)
def test_the_files_are_those_of_the_api(
    service: Served, finance: Visitor, form: str, media_type: str
) -> None:
    question = "by=player&game=stud8"
    page = finance.get(f"/rake?{question}")
    assert f"/rake/export?by=player&amp;game=stud8&amp;form={form}" in page
    file = finance.client.get(f"/rake/export?{question}&form={form}")
    assert file.headers["content-disposition"] == f'attachment; filename="rake.{form}"'
    assert file.headers["content-type"].partition(";")[0] == media_type
    if media_type == CSV:
        headers = service.headers("finance") | {"Accept": CSV}
        assert file.content == service.client.get(f"/v1/rake?{question}", headers=headers).content


def test_a_question_that_makes_no_sense_is_told_beside_its_field(finance: Visitor) -> None:
    page = finance.get("/rake?by=stakes&compare=previous&currency=USD", 422)
    assert 'id="compare-wrong"' in page
    assert 'value="USD"' in page
    assert 'id="schedule-wrong"' in finance.get("/rake?schedule=nobodys:1&from=2099-01-01", 422)
    assert problem_of(finance.get("/rake/export?form=csv&from=soon", 422)) == "bad-parameter"


def test_empty_fields_stay_out_of_the_address(finance: Visitor) -> None:
    answer = finance.client.get("/rake?by=game&from=&table=")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rake?by=game")


def test_rake_is_for_those_who_may_ask_the_api_for_it(service: Served) -> None:
    for path in ("/rake", "/rake/export?form=csv"):
        assert problem_of(visitor(service, "dealer").get(path, 403)) == "not-allowed"
