"""The service keeps the clocks of live hands while it runs, and the next one goes on with them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from services.api.settings import ApiSettings, load_api_settings
from services.errors import BadSettings
from services.live_clock import Terms
from services.serving import create_app
from services.store.room import Room
from tests.support import faults
from tests.support.clocked import Clocked

LEAPING = ApiSettings(outage_seconds=86_400)
"""Simulated time leaps, and nobody was away."""


@contextlib.contextmanager
def serving(table: Clocked, options: ApiSettings = LEAPING) -> Iterator[TestClient]:
    """A service of the table's room, by its clock."""
    with TestClient(create_app(table.live.room, options, table.time)) as client:
        yield client


@pytest.fixture
def table(room: Room) -> Clocked:
    return Clocked(room)


def test_a_turn_runs_out_as_long_as_the_service_runs(table: Clocked) -> None:
    with serving(table) as client:
        faults.until(lambda: "clock" in client.get("/readyz").text, "readiness to tell of clocks")
        table.time.pass_by(31)
        faults.until(table.timed_out, "the turn to run out")
    table.time.pass_by(31)
    assert len(table.timed_out()) == 1


def test_a_service_that_is_started_again_goes_on_with_the_turn(table: Clocked) -> None:
    with serving(table):
        table.time.pass_by(20)
    with serving(table):
        table.time.pass_by(10.4)
    assert table.timed_out() == []
    with serving(table):
        table.time.pass_by(0.1)
        faults.until(table.timed_out, "the turn to run out")
    assert table.timed_out()[0].deadline == table.clock.deadline


def test_what_players_lost_while_no_service_ran_they_have_back_before_it_answers(
    table: Clocked,
) -> None:
    with serving(table, ApiSettings()):
        table.time.pass_by(4)
    table.stand_still(600)
    with serving(table, ApiSettings()):
        assert len(table.pauses()) == 2
    assert table.timed_out() == []


def test_how_clocks_are_kept_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_api_settings().clock == Terms()
    monkeypatch.setenv("STUDLEDGER_CLOCK_GRACE", "2.5")
    monkeypatch.setenv("STUDLEDGER_OUTAGE_SECONDS", "30")
    monkeypatch.setenv("STUDLEDGER_OUTAGE_POLICY", "void")
    terms = load_api_settings().clock
    assert (terms.grace.total_seconds(), terms.outage_after.total_seconds()) == (2.5, 30)
    assert terms.outage_policy == "void"


@pytest.mark.parametrize(
    ("name", "value"),
    [("CLOCK_GRACE", "-1"), ("OUTAGE_SECONDS", "1"), ("OUTAGE_POLICY", "refund")],
)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"STUDLEDGER_{name}", value)
    with pytest.raises(BadSettings, match=f"STUDLEDGER_{name}"):
        load_api_settings()
