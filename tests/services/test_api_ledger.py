"""The ledger over HTTP: accounts, sessions, days, and days closed for good."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from domain import commands as c
from services.api.settings import ApiSettings, load_api_settings
from services.embedded import Server
from services.errors import BadSettings
from services.ledger import closes
from services.ledger.daily import DAILY_CLOSE, DailyClose, FirstDays
from services.serving import create_app
from services.store.room import Room
from tests.support import faults
from tests.support.ledger_routes import LONG_AGO, closed
from tests.support.ledgers import FIRST, Evening, totals
from tests.support.live import FLOOR
from tests.support.service import Served, served


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 12, before=lambda room: Evening(room).play("bet", "raise")) as service:
        yield service


def test_accounts_are_told_and_add_up_to_nothing(service: Served) -> None:
    answer = service.client.get("/v1/ledger/accounts", headers=service.headers("finance")).json()
    assert sum(one["balance"] for one in answer["accounts"]) == 0
    lines = service.client.get(
        "/v1/ledger/accounts",
        headers=service.headers("auditor") | {"Accept": "application/jsonl"},
    )
    assert [json.loads(line) for line in lines.text.splitlines()] == answer["accounts"]


def test_sessions_are_told_with_their_difference(service: Served) -> None:
    headers = service.headers("auditor")
    answer = service.client.get("/v1/ledger/sessions?table=Amber", headers=headers).json()
    assert [one["difference"] for one in answer["sessions"]] == [0, 0, 0]
    one = service.client.get("/v1/ledger/sessions?limit=1", headers=headers).json()
    assert len(one["sessions"]) == 1


def test_a_day_is_closed_by_finance_once_and_stays_as_it_is(service: Served) -> None:
    first = closed(service.room).closed
    headers = service.headers("finance")
    again = service.client.post("/v1/rake/closes", headers=headers, json={"day": str(LONG_AGO)})
    assert again.status_code == 200
    assert again.json()["new"] is False
    assert again.json()["closed"]["report_sha256"] == first.report_sha256
    listed = service.client.get("/v1/rake/closes", headers=headers).json()
    assert listed["next"] == str(LONG_AGO + timedelta(days=1))
    day = service.client.get(f"/v1/ledger/days/{LONG_AGO}", headers=headers).json()
    assert day["closed"] == again.json()["closed"] == listed["closes"][0]
    auditor = service.headers("auditor")
    refused = service.client.post("/v1/rake/closes", headers=auditor, json={"day": "2001-01-02"})
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("body", "status", "type_"),
    [
        ({"day": "2999-01-01"}, 409, "day-stays-open"),
        ({"day": "2001-01-05"}, 409, "day-stays-open"),
        ({"day": "2001-01-02", "time_zone": "Asia/Tokyo"}, 409, "day-stays-open"),
        ({"day": "2001-01-02", "time_zone": "Mars"}, 422, "bad-parameter"),
        ({"day": "2001-01-02", "day_start": "24:00"}, 422, "bad-parameter"),
        ({"day": "0001-01-01"}, 422, "bad-parameter"),
        ({"day": "soon"}, 422, "bad-parameter"),
        ({}, 422, "bad-parameter"),
    ],
)
def test_a_day_that_stays_open_says_why(
    service: Served, body: dict[str, str], status: int, type_: str
) -> None:
    closed(service.room)
    answer = service.client.post("/v1/rake/closes", headers=service.headers("finance"), json=body)
    assert (answer.status_code, answer.json()["type"]) == (
        status,
        f"urn:studledger:problem:{type_}",
    )
    assert answer.json().get("detail") or answer.json()["errors"]


@pytest.mark.parametrize(
    "query",
    ["2026-13-01", "2026-01-09?time_zone=Mars", "2026-01-09?gaming_day_start=6", "9999-12-31"],
)
def test_a_day_nobody_has_is_answered_with_what_is_possible(service: Served, query: str) -> None:
    answer = service.client.get(f"/v1/ledger/days/{query}", headers=service.headers("finance"))
    assert (answer.status_code, answer.json()["type"]) == (
        422,
        "urn:studledger:problem:bad-parameter",
    )
    assert answer.json()["errors"][0]["possible"]


# -- every day by itself ---------------------------------------------------------------------------


def test_the_service_closes_what_is_due_by_itself(room: Room) -> None:
    evening = Evening(room)
    evening.play()
    evening.days_pass()
    evening.caught_up()
    options = ApiSettings(daily_close=True, outage_seconds=86_400)
    with TestClient(create_app(room, options, evening.clock)):
        faults.until(lambda: closes(room).closes, "the day to be closed")
    (close,) = closes(room).closes
    assert (close.day, close.by) == (FIRST, DAILY_CLOSE)
    assert (close.hands, sum(one[3] for one in totals(close).values())) == (1, 0)


def test_a_day_that_stays_open_is_tried_again(room: Room) -> None:
    evening = Evening(room)
    evening.table.begin()
    evening.days_pass()
    evening.caught_up()
    daily = DailyClose(room, FirstDays("America/New_York", "06:00"), evening.clock)
    daily.look()
    assert closes(room).closes == ()
    evening.table.do(c.Void(reason="everybody went home"), FLOOR)
    evening.caught_up()
    daily.look()
    (close,) = closes(room).closes
    assert (close.day, close.time_zone, close.day_start) == (FIRST, "America/New_York", "06:00")


@pytest.mark.parametrize(
    ("name", "value"), [("CLOSE_TIME_ZONE", "Mars"), ("CLOSE_DAY_START", "6am")]
)
def test_a_setting_of_days_that_makes_no_sense_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"STUDLEDGER_{name}", value)
    with pytest.raises(BadSettings, match=name):
        load_api_settings()
