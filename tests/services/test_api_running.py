"""The service as an operator sees it: alive, ready, measured, logged, and stopped in order."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from domain import events as e
from services.api.settings import ApiSettings, load_api_settings
from services.embedded import Server
from services.errors import BadSettings
from services.store.port import Append, facts
from tests.support import faults
from tests.support.service import Served, served

ROOT = Path(__file__).parents[2]
SERVE = "import typer; from services.cli.serving import serve; typer.run(serve)"
SECURITY = (
    "content-security-policy",
    "cross-origin-resource-policy",
    "referrer-policy",
    "x-content-type-options",
)


@pytest.fixture
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


def checks(answer: httpx2.Response) -> dict[str, bool]:
    return {check["name"]: check["ok"] for check in answer.json()["checks"]}


def until(
    ask: Callable[[], httpx2.Response], fits: Callable[[httpx2.Response], bool]
) -> httpx2.Response:
    """The first answer that fits, asked for again and again, half a minute at most."""
    last = time.monotonic() + 30
    while not fits(answer := ask()):
        assert time.monotonic() < last, answer.text
    return answer


# -- ready or not ----------------------------------------------------------------------------------


def test_a_running_service_is_alive_and_ready(service: Served) -> None:
    assert service.client.get("/healthz").json() == {"status": "ok"}
    answer = service.client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (200, True)
    working = ("database", "schema", "projections", "books", "log", "clock")
    assert checks(answer) == dict.fromkeys(working, True)


def test_a_schema_of_another_version_is_not_ready(service: Served) -> None:
    owner, room = service.room.database.owner, service.room.settings.room
    with psycopg.connect(owner, autocommit=True) as connection:
        migrations = SQL("{}.migrations").format(Identifier(room))
        connection.execute(
            SQL("insert into {} (number, name, sha256) values (9999, %s, '')").format(migrations),
            ("9999_pre_later.sql",),
        )
    answer = service.client.get("/readyz")
    assert (answer.status_code, checks(answer)["schema"]) == (503, False)
    assert service.client.get("/healthz").status_code == 200


def test_a_hand_no_projection_can_take_in_is_told_of_and_the_others_are_served(
    service: Served,
) -> None:
    events = service.events(service.hand)
    broken = (events[0], e.Called(seat=9, amount=1, all_in=False))
    append = Append(stream=uuid4(), expected=0, facts=facts(broken), actor="test")
    service.room.store.append([append])
    answer = until(lambda: service.client.get("/readyz"), lambda got: "1 set aside" in got.text)
    assert (answer.status_code, checks(answer)["projections"]) == (200, True)
    (books,) = [one for one in answer.json()["checks"] if one["name"] == "books"]
    assert books["text"].startswith("1 not posted, in no book: ")


def test_what_is_appended_is_found_without_anybody_asking(service: Served) -> None:
    hand = uuid4()
    append = Append(
        stream=hand, expected=0, facts=facts(service.events(service.hand)), actor="test"
    )
    service.room.store.append([append])
    headers = service.headers("floor")
    found = until(
        lambda: service.client.get("/v1/hands", headers=headers), lambda got: str(hand) in got.text
    )
    assert len(found.json()["hands"]) == 7


@pytest.fixture
def private() -> Iterator[Server]:
    """A database of the test's own, to be killed."""
    home = Path(tempfile.mkdtemp(prefix="studledger-", dir="/tmp"))
    try:
        with Server(home, tuning={"fsync": "off"}) as server:
            yield server
    finally:
        shutil.rmtree(home, ignore_errors=True)


def shoot(server: Server) -> None:
    os.kill(int((server.pgdata / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    faults.until(lambda: not server.answers(), "the server to be gone")


@contextlib.contextmanager
def nobody_may_start(server: Server) -> Iterator[None]:
    """Hold the lock of whoever starts the database."""
    with (server.home / "start.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_without_a_database_the_service_says_so_and_lives_and_starts_it_again(
    private: Server,
) -> None:
    with served(private, 6) as service, capture_logs() as logged:
        headers = service.headers("admin")
        with nobody_may_start(private):
            shoot(private)
            service.room.pool.timeout = 1
            answer = service.client.get("/readyz")
            assert (answer.status_code, checks(answer)) == (503, {"database": False})
            refused = service.client.get("/v1/hands", headers=headers)
            assert refused.status_code == 503
            assert refused.json()["type"] == "urn:studledger:problem:database-unreachable"
            assert refused.headers["retry-after"]
            assert str(private.home) not in refused.text + answer.text
            assert service.client.get("/healthz").status_code == 200
        until(lambda: service.client.get("/readyz"), lambda got: got.status_code == 200)
        found = service.client.get("/v1/hands", headers=headers)
        assert len(found.json()["hands"]) == 6
    assert "database.started_again" in {entry["event"] for entry in logged}


# -- figures, headers, logs ------------------------------------------------------------------------


def test_the_figures_count_requests_by_route_and_lag_by_projection(service: Served) -> None:
    headers = service.headers("admin")
    service.client.get(f"/v1/hands/{service.hand}/pots", headers=headers)
    lag = 'studledger_projection_behind_events{projection="rake_ledger"} 0.0'

    def figures_of() -> httpx2.Response:
        return service.client.get("/metrics", headers=headers)

    figures = until(figures_of, lambda got: lag in got.text).text
    assert re.search(r'http_requests_total\{.*handler="/v1/hands/\{hand\}/pots".*\} 1\.0', figures)
    assert str(service.hand) not in figures


@pytest.mark.parametrize("path", ["/healthz", "/v1/hands", "/v1/nothing", "/v1/hands?x=1"])
def test_every_answer_carries_the_security_headers(service: Served, path: str) -> None:
    answer = service.client.get(path, headers=service.headers("admin"))
    assert all(name in answer.headers for name in SECURITY)
    assert "server" not in answer.headers


def test_a_request_keeps_the_id_it_came_with(service: Served) -> None:
    given = uuid4().hex
    answer = service.client.get("/healthz", headers={"X-Request-ID": given})
    assert answer.headers["x-request-id"] == given
    other = service.client.get("/healthz", headers={"X-Request-ID": "anna's request"})
    assert other.headers["x-request-id"] != "anna's request"


def test_the_log_has_route_status_and_subject_and_nothing_else_of_a_request(
    service: Served,
) -> None:
    key = service.key("admin", subject="Adele the admin")
    paths = (
        "/v1/hands?player=Greta",
        f"/v1/hands/{service.hand}/events?view=all&why=Greta+complains",
        "/v1/hands/Greta",
        "/v1/nothing/Greta",
    )
    with capture_logs() as logged:
        for path in paths:
            service.client.get(path, headers={"Authorization": f"Bearer {key}"})
    lines = [entry for entry in logged if entry["event"] == "request"]
    assert [line["status"] for line in lines] == [200, 200, 404, 404]
    assert lines[1]["route"] == "GET /v1/hands/{hand}/events"
    assert {line.get("role") for line in lines} == {"admin", None}
    written = json.dumps(logged)
    for secret in ("Greta", "Adele", key.rpartition("_")[2], str(service.hand)):
        assert secret not in written


def test_what_nobody_foresaw_is_answered_without_its_words(service: Served) -> None:
    owner, room = service.room.database.owner, service.room.settings.room
    headers = service.headers("admin")
    with psycopg.connect(owner, autocommit=True) as connection:
        players = SQL("{}.players").format(Identifier(room))
        connection.execute(SQL("revoke select on {} from studledger_app").format(players))
    with capture_logs() as logged:
        answer = service.client.get(f"/v1/hands/{service.hand}", headers=headers)
    assert answer.status_code == 500
    assert answer.json()["type"] == "urn:studledger:problem:internal-error"
    assert "detail" not in answer.json()
    assert all(name in answer.headers for name in (*SECURITY, "x-request-id"))
    assert [entry["event"] for entry in logged] == ["request.failed", "request"]


def test_stored_facts_that_cannot_be_read_are_a_problem_of_their_own(service: Served) -> None:
    events = service.events(service.hand)
    broken = (events[0], e.Called(seat=9, amount=1, all_in=False))
    hand = uuid4()
    with capture_logs():
        append = Append(stream=hand, expected=0, facts=facts(broken), actor="test")
        service.room.store.append([append])
        answer = service.client.get(f"/v1/hands/{hand}/replay", headers=service.headers("floor"))
    assert answer.status_code == 500
    assert answer.json()["type"] == "urn:studledger:problem:hand-unreadable"


# -- the process -----------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(server: Server) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The service as a process: its address, and itself until it is told to stop."""
    environment = os.environ | {
        "STUDLEDGER_DATA_DIR": str(server.home),
        "STUDLEDGER_ROOM": f"serve{uuid4().hex[:8]}",
    }
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, "--port", "0"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
            assert address
            yield address[0], process
        finally:
            process.send_signal(signal.SIGTERM)


def test_the_service_serves_logs_and_stops_when_told_to(server: Server) -> None:
    with serving(server) as (address, process):
        answer = httpx2.get(f"{address}/readyz", timeout=30)
        refused = httpx2.get(f"{address}/v1/hands?player=Greta", timeout=30)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert (answer.status_code, refused.status_code, process.returncode) == (200, 401, 0)
    lines = [json.loads(line) for line in said.splitlines()]
    requests = {line["route"]: line for line in lines if line["event"] == "request"}
    assert requests["GET /v1/hands"]["request_id"] == refused.headers["x-request-id"]
    assert requests["GET /v1/hands"]["status"] == 401
    assert "Greta" not in said


def test_a_service_whose_database_was_shot_is_ready_again_by_itself(private: Server) -> None:
    with serving(private) as (address, process):
        until(lambda: httpx2.get(f"{address}/readyz", timeout=30), lambda got: got.is_success)
        shoot(private)
        until(lambda: httpx2.get(f"{address}/readyz", timeout=30), lambda got: got.is_success)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "database.started_again" in said


def test_a_port_that_is_taken_is_told_in_a_sentence(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = os.environ | {"STUDLEDGER_DATA_DIR": str(server.home)}
        ended = subprocess.run(
            [sys.executable, "-c", SERVE, "--port", str(port)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 1
    assert f"port {port}: Address already in use; choose another with --port" in ended.stderr


def test_an_error_is_logged_by_kind_and_place_only() -> None:
    script = (
        "import logging, structlog\n"
        "from services.api.logs import configure_logs\n"
        "configure_logs()\n"
        "for log in (structlog.get_logger(), logging.getLogger('uvicorn.error')):\n"
        "    try:\n"
        "        raise ValueError('Ah of anna')\n"
        "    except ValueError:\n"
        "        log.exception('went wrong')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [line["error"] for line in lines] == ["ValueError", "ValueError"]
    assert all(line["where"] and line["level"] == "error" for line in lines)
    assert "anna" not in ended.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [("RATE_PER_KEY", "often"), ("MAX_BODY", "0"), ("READY_LAG", "soon")],
)
def test_a_setting_that_is_wrong_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"STUDLEDGER_{name}", value)
    with pytest.raises(BadSettings, match=f"STUDLEDGER_{name}") as wrong:
        load_api_settings()
    assert value not in str(wrong.value) or value == "0"


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDLEDGER_RATE_PER_KEY", "5/second")
    monkeypatch.setenv("STUDLEDGER_MAX_QUERY", "")
    assert load_api_settings() == ApiSettings(rate_per_key="5/second")
