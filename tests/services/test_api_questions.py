"""Questions that make no sense: told what is wrong with them and what is possible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.embedded import Server
from tests.support.asking import Asking
from tests.support.service import Served, served

HANDS = 12


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, HANDS) as service:
        yield service


@pytest.fixture
def ask(service: Served) -> Asking:
    return Asking(service, service.headers("admin"))


@pytest.mark.parametrize(
    ("path", "name", "possible"),
    [
        ("/v1/rake?by=moon", "by", {"day", "stakes", "player"}),
        ("/v1/rake?time_zone=London", "time_zone", {"UTC", "Europe/London"}),
        ("/v1/rake?game=razz", "game", {"stud", "stud8", "stud_hilo"}),
        ("/v1/hands?game=razz", "game", {"stud", "stud8", "stud_hilo"}),
        ("/v1/hands?colour=red", "colour", {"game", "table", "player", "from", "to"}),
        ("/v1/hands/D00002/pots?view=all", "view", set()),
        ("/v1/rake?gaming_day_start=25:00", "gaming_day_start", {"00:00 to 23:59"}),
        ("/v1/rake?top=0", "top", {"1 to 1000"}),
        ("/v1/rake?from=2026-02-01&to=2026-01-01", "from", {"0001-01-01 to 2026-01-01"}),
        ("/v1/hands?from=2026-02-01&to=2026-01-01", "from", {"0001-01-01 to 2026-01-01"}),
        ("/v1/hands?from=yesterday", "from", {"0001-01-01 to 9999-12-31"}),
        ("/v1/hands?limit=0", "limit", {"1 to 1000"}),
        ("/v1/hands?limit=some", "limit", {"1 to 1000"}),
        ("/v1/hands?min_pot=1e3", "min_pot", {"20", "20.00"}),
        ("/v1/hands?findings=maybe", "findings", {"true", "false"}),
        ("/v1/hands?after=nowhere", "after", {"the `next` of a page"}),
        ("/v1/hands?table=", "table", {"1 to 200 characters"}),
        ("/v1/hands/D00001/replay?view=mine", "view", {"public", "seat:N", "all"}),
        ("/v1/hands/D00001/replay?view=seat:10&why=test", "view", {"public", "seat:1", "all"}),
        ("/v1/hands/D00001/replay?step=0", "step", {"1 to the hand's last step"}),
    ],
)
def test_a_wrong_parameter_is_told_what_there_is(
    ask: Asking, path: str, name: str, possible: set[str]
) -> None:
    (error,) = ask.wrong(path, 422, "bad-parameter").json()["errors"]
    assert error["name"] == name
    assert possible <= set(error["possible"])


@pytest.mark.parametrize(
    "path",
    [
        "/v1/hands?from=yesterday",
        "/v1/hands?limit=0",
        "/v1/rake?from=2026-02-01&to=2026-01-01",
        "/v1/rake?gaming_day_start=25:00",
        "/v1/rake?top=0",
        "/v1/hands?limit=1001",
        "/v1/hands?min_pot=-1",
        "/v1/hands?min_pot=NaN",
        "/v1/hands?after=nowhere",
        "/v1/hands?after=2026-01-01~",
        "/v1/hands?table=%00",
        "/v1/hands/%00",
        "/v1/hands?limit=1&limit=2",
        "/v1/hands/D00002/replay?step=0",
        "/v1/hands/D00002/replay?step=100000",
        "/v1/hands/D00002/replay?view=sideways",
        "/v1/hands/D00002/replay?view=seat:11",
        "/v1/hands/D00002/explain?step=first",
        "/v1/hands/D00002/replay?view=seat:9&why=test",
    ],
)
def test_a_wrong_value_is_a_problem_and_names_its_parameter(ask: Asking, path: str) -> None:
    (error,) = ask.wrong(path, 422, "bad-parameter").json()["errors"]
    assert error["name"] in path.replace("/v1/hands/%00", "hand")
    assert error["message"]


def test_a_query_of_any_length_is_not_read(ask: Asking) -> None:
    ask.wrong("/v1/hands?table=" + "x" * 5000, 414, "query-too-long")


def test_an_unknown_route_or_method_is_a_problem_too(ask: Asking) -> None:
    ask.wrong("/v1/nothing", 404, "not-found")
    answer = ask.service.client.delete("/v1/hands", headers=ask.headers)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    assert answer.json()["type"].endswith(":method-not-allowed")


@pytest.mark.parametrize(
    "day", ["2026-01-31T00:00:00", "2026-01-31 12:00", "0", "1767225600", "20260131", "2026-02-30"]
)
def test_a_day_is_a_day_and_no_time(ask: Asking, day: str) -> None:
    for path in (f"/v1/hands?from={day}", f"/v1/rake?to={day}"):
        (error,) = ask.wrong(path, 422, "bad-parameter").json()["errors"]
        assert error["message"] == "write a day as 2026-01-31"


@pytest.mark.parametrize("about", ["replay", "explain"])
def test_a_step_after_the_last_is_told_the_steps_there_are(ask: Asking, about: str) -> None:
    steps = len(ask.service.events(ask.service.hand))
    path = f"/v1/hands/{ask.service.hand}/{about}?step="
    assert ask(f"{path}{steps}")
    (error,) = ask.wrong(f"{path}{steps + 1}", 422, "bad-parameter").json()["errors"]
    assert error["possible"] == [f"1 to {steps}"]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (
            "/v1/rake?by=moon&time_zone=Atlantis&from=x&to=y&gaming_day_start=9&game=razz&top=0",
            {"by", "time_zone", "from", "to", "gaming_day_start", "game", "top"},
        ),
        (
            "/v1/hands?from=x&to=y&limit=x&min_pot=x&findings=x&game=x&table=",
            {"from", "to", "limit", "min_pot", "findings", "game", "table"},
        ),
        ("/v1/hands/D00001/replay?view=mine&step=x", {"view", "step"}),
        ("/v1/hands?colour=red&size=1&limit=1&limit=2", {"colour", "size", "limit"}),
    ],
)
def test_all_that_is_wrong_is_told_at_once(ask: Asking, path: str, names: set[str]) -> None:
    errors = ask.wrong(path, 422, "bad-parameter").json()["errors"]
    assert {error["name"] for error in errors} == names
    assert len(errors) == len(names)
    assert all(error["possible"] for error in errors)
    assert not any("Input" in error["message"] for error in errors)
