"""Rake reports over HTTP, in every form."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from decimal import Decimal

import msgspec
import pytest

from services.api.accepting import BEANCOUNT, CSV, JSON, LINES, PARQUET, XLSX
from services.embedded import Server
from tests.support.asking import Asking
from tests.support.service import Served, served

HANDS = 40


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, HANDS) as service:
        yield service


@pytest.fixture
def ask(service: Served) -> Asking:
    return Asking(service, service.headers("admin"))


def test_rake_by_any_dimension_adds_up_to_the_same(ask: Asking) -> None:
    whole = ask("/v1/rake").json()["lines"]
    for by in ("day", "month", "table", "game", "stakes", "player", "day,stakes", "currency"):
        lines = ask(f"/v1/rake?by={by}").json()["lines"]
        assert sum(line["rake"] for line in lines) == sum(line["rake"] for line in whole)


def test_rake_of_the_days_named_is_part_of_all(ask: Asking) -> None:
    lines = ask("/v1/rake?by=day&from=2026-01-09&to=2026-01-09").json()["lines"]
    assert [line["day"] for line in lines] == ["2026-01-09"]


def test_rake_by_player_names_the_players(ask: Asking) -> None:
    answer = ask("/v1/rake?by=player").json()
    assert {line["player"] for line in answer["lines"]} == set(answer["players"])
    assert "Ada" in answer["players"].values()


def test_rake_as_json_lines_has_the_same_lines(ask: Asking) -> None:
    lines = ask("/v1/rake?by=game", Accept="application/jsonl").content.splitlines()
    assert [msgspec.json.decode(line) for line in lines] == ask("/v1/rake?by=game").json()["lines"]


@pytest.mark.parametrize("by", ["", "day,stakes", "player"])
def test_rake_as_csv_has_the_same_lines_in_decimals(ask: Asking, by: str) -> None:
    answer = ask(f"/v1/rake?by={by}", Accept=CSV)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="rake.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    lines = ask(f"/v1/rake?by={by}").json()["lines"]
    assert [row["hands"] for row in rows] == [str(line["hands"]) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        assert Decimal(row["rake"]) == Decimal(line["rake"]).scaleb(-line["exponent"])
        assert Decimal(row["pot"]) == Decimal(line["pot"]).scaleb(-line["exponent"])
    named = [name for name in rows[0] if "rake" in name]
    assert named[0] == "rake"
    assert ("name" in rows[0]) == ("player" in by)


def test_rake_as_a_workbook_is_a_file(ask: Asking) -> None:
    answer = ask("/v1/rake?by=player", Accept=XLSX)
    assert answer.headers["content-type"] == XLSX
    assert answer.headers["content-disposition"] == 'attachment; filename="rake.xlsx"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as workbook:
        assert "xl/workbook.xml" in workbook.namelist()
        assert b"Ada" in workbook.read("xl/sharedStrings.xml")


@pytest.mark.parametrize(
    ("accepted", "form"),
    [
        ("*/*", JSON),
        ("", JSON),
        ("application/*", JSON),
        ("text/*", CSV),
        ("text/html, application/xhtml+xml, */*;q=0.8", JSON),
        ("text/csv;q=0.5, application/json;q=0.9", JSON),
        ("TEXT/CSV; header=present, */*", CSV),
        ("application/json;q=0, */*;q=0.1", LINES),
        ("application/x-ndjson", LINES),
        ("application/jsonl, application/json", JSON),
    ],
)
def test_the_form_is_the_one_the_client_likes_best(ask: Asking, accepted: str, form: str) -> None:
    kind = ask("/v1/rake", Accept=accepted).headers["content-type"]
    assert kind.partition(";")[0] == form


@pytest.mark.parametrize(
    ("path", "accepted", "forms"),
    [
        ("/v1/rake", "application/pdf", [JSON, LINES, CSV, XLSX, PARQUET, BEANCOUNT]),
        ("/v1/rake", "text/csv;q=0", [JSON, LINES, CSV, XLSX, PARQUET, BEANCOUNT]),
        ("/v1/hands", "text/csv", [JSON, LINES]),
        ("/v1/hands/D00002/events", "text/html", [JSON, LINES]),
    ],
)
def test_a_form_there_is_not_is_refused_with_those_there_are(
    ask: Asking, path: str, accepted: str, forms: list[str]
) -> None:
    (error,) = ask.wrong(path, 406, "not-acceptable", Accept=accepted).json()["errors"]
    assert (error["name"], error["possible"]) == ("Accept", forms)


def test_rake_by_every_method_beside_the_house(ask: Asking) -> None:
    path = "/v1/rake?by=player&attribution=dealt,contributed,weighted,winner"
    answer = ask(path).json()
    [house] = answer["house"]
    for name in ("rake", "rake_dealt", "rake_contributed", "rake_weighted", "rake_winner"):
        assert sum(line[name] for line in answer["lines"]) == house["rake"]
    assert house["hands"] == HANDS
    assert answer["complete_to"] <= answer["log_at"]


def test_rake_beside_the_period_before(ask: Asking) -> None:
    days = "from=2026-01-09&to=2026-01-09"
    answer = ask(f"/v1/rake?by=schedule&{days}&compare=previous").json()
    [line] = answer["lines"]
    assert answer["compared"] == ["2026-01-08", "2026-01-08"]
    assert (line["schedule"], line["hands_before"]) == ("topspoker:1", 0)
    assert line["rake_difference"] == line["rake"]


@pytest.mark.parametrize(
    ("query", "name", "possible"),
    [
        ("schedule=house:1", "schedule", "topspoker:1"),
        ("currency=GBP", "currency", "USD"),
        ("by=player&attribution=equal", "attribution", "dealt"),
        ("attribution=dealt", "attribution", "by player"),
        ("compare=last", "compare", "previous"),
        ("by=week&compare_from=2026-01-01&compare_to=2026-01-02", "by", "table"),
    ],
)
def test_what_nobody_has_is_answered_with_what_there_is(
    ask: Asking, query: str, name: str, possible: str
) -> None:
    (error,) = ask.wrong(f"/v1/rake?{query}", 422, "bad-parameter").json()["errors"]
    assert error["name"] == name
    assert possible in error["possible"]


def test_rake_for_other_programs(ask: Asking) -> None:
    assert ask("/v1/rake?by=day", Accept=PARQUET).content[:4] == b"PAR1"
    assert " balance Income:House:Rake " in ask("/v1/rake?by=day", Accept=BEANCOUNT).text
    ask.wrong("/v1/rake", 422, "bad-parameter", Accept=BEANCOUNT)
