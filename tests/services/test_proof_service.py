"""A database that is out of connections or out of time is a problem with a name, on every route."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from services.access import OPEN, TABLE
from services.embedded import Server
from services.errors import DatabaseBusy
from services.store.room import Room
from tests.support.dispute_routes import OF_DISPUTES
from tests.support.faults import all_taken, until
from tests.support.live_routes import BODIES
from tests.support.operated import operated
from tests.support.service import Served, served
from tests.support.table_routes import OF_TABLES
from tests.support.witness_routes import OF_WITNESS

CLIENTS = 20
NO_TABLE = UUID(int=9)
DAY = "2026-01-09"
OF_BOOKS = {"POST /v1/rake/closes": {"day": "2099-01-01"}}
"""A day that is not over stays open."""
HURRIED = "-c statement_timeout=400ms -c lock_timeout=300ms"
NEEDED = {
    "GET /v1/hands/{hand}/whatif": "&policy=burn_cards=yes",
    "GET /v1/feed": "&hand={hand}&after=0&limit=1",
    "GET /v1/log/consistency": "?from=1",
}
"""Parameters without which a route has nothing to answer, or does not come to an end."""
INTERRUPTED = {f"{name}.interrupted" for name in ("projections", "feed", "log", "clock")}
INTERRUPTED |= {"clock.outage"}  # Nobody could keep the clocks meanwhile.
WITHOUT_DATABASE = {"GET /openapi.json", "GET /metrics", "GET /healthz"}
"""What can be answered while the tables cannot be read, once the key is known."""


@pytest.fixture
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        service.room.pool.timeout = 2
        yield service


@pytest.fixture
def hurried(server: Server) -> Iterator[Served]:
    """A service whose operator allows a statement less than half a second."""
    with operated(server, HURRIED) as service:
        yield service


def ask_every_route(service: Served, headers: dict[str, str]) -> dict[str, httpx2.Response]:
    """What each route answers, asked by many at once."""
    routes, sent = sorted({*TABLE, *OPEN}), BODIES | OF_TABLES | OF_WITNESS | OF_BOOKS | OF_DISPUTES

    def ask(route: str) -> httpx2.Response:
        method, path = route.split()
        view = "?view=all&why=test" if route in TABLE and TABLE[route].viewed else ""
        named = {
            "hand": service.hand,
            "table": NO_TABLE,
            "dispute": NO_TABLE,
            "position": 1,
            "day": DAY,
        }
        path = f"{path}{view}{NEEDED.get(route, '')}".format_map(named)
        asked = headers | ({"If-Match": "x"} if route in BODIES else {})
        return service.client.request(method, path, headers=asked, json=sent.get(route))

    with ThreadPoolExecutor(CLIENTS) as clients:
        return dict(zip(routes, clients.map(ask, routes), strict=True))


def well(route: str) -> int:
    """What a route says whose database is there: nobody acts in a hand that was not dealt here."""
    if "{table}" in route or "{dispute}" in route:
        return 404
    return 409 if route in BODIES or route in OF_BOOKS else 200


def problems(answers: dict[str, httpx2.Response]) -> dict[str, str]:
    """The type of problem by route, of those that are one; each says when to come back."""
    refused = {
        route: answer for route, answer in answers.items() if answer.status_code != well(route)
    }
    assert {answer.status_code for answer in refused.values()} <= {503}
    refused.pop("GET /readyz", None)  # It says so in its own words.
    assert all(answer.headers["retry-after"] for answer in refused.values())
    return {route: answer.json()["type"].rpartition(":")[2] for route, answer in refused.items()}


def require_well(service: Served, headers: dict[str, str]) -> None:
    """Every route answers again, and the projections are still followed."""
    waiting = {*TABLE, *OPEN}

    def all_well() -> bool:
        answers = ask_every_route(service, headers)
        # Each by itself: so many at once may keep one or another without a connection once more.
        waiting.difference_update(r for r, a in answers.items() if a.status_code == well(r))
        return not waiting

    until(all_well, "every route to answer")


def test_a_server_without_a_free_connection_is_a_problem_on_every_route_until_it_has_one(
    server: Server, service: Served
) -> None:
    headers = service.headers("admin")
    with capture_logs() as logged:
        with all_taken(server):
            answers = ask_every_route(service, headers)
        require_well(service, headers)
    refused = problems(answers)
    assert set(refused) == set(TABLE)
    assert set(refused.values()) == {"database-unreachable"}
    assert answers["GET /readyz"].status_code == 503
    assert answers["GET /healthz"].status_code == 200
    assert {line["event"] for line in logged} <= {"request", *INTERRUPTED}


def test_statements_that_take_too_long_are_a_problem_on_every_route_until_they_do_not(
    hurried: Served,
) -> None:
    headers = hurried.headers("admin")
    with capture_logs() as logged:
        with everything_locked(hurried.room):
            answers = ask_every_route(hurried, headers)
        require_well(hurried, headers)
    refused = problems(answers)
    assert set(refused) == set(TABLE) - WITHOUT_DATABASE
    assert set(refused.values()) <= {"database-busy", "database-unreachable"}
    assert "database-busy" in refused.values()
    assert answers["GET /readyz"].status_code == 503
    assert {line["event"] for line in logged} <= {"request", *INTERRUPTED}


@contextlib.contextmanager
def everything_locked(room: Room) -> Iterator[None]:
    """Somebody changes all tables, but for those of keys, as long as this is entered."""
    schema = room.settings.room
    with psycopg.connect(room.database.owner) as connection:
        names = connection.execute(
            "select tablename from pg_tables where schemaname = %s"
            " and tablename not in ('api_keys', 'subjects')",
            (schema,),
        ).fetchall()
        tables = SQL(", ").join(Identifier(schema, name) for (name,) in names)
        connection.execute(SQL("lock table {} in access exclusive mode").format(tables))
        yield


def test_the_operators_limits_hold_and_the_room_stays_the_room(hurried: Served) -> None:
    with hurried.room.connect() as connection:
        shown = [
            connection.execute(f"show {name}".encode()).fetchone()
            for name in ("statement_timeout", "lock_timeout", "search_path")
        ]
    assert shown == [("400ms",), ("300ms",), (hurried.room.settings.room,)]


def test_a_transaction_that_stood_still_for_too_long_may_be_tried_again(room: Room) -> None:
    alive = "select from pg_stat_activity where pid = %s"
    with pytest.raises(DatabaseBusy, match="try again"), room.connect() as held:
        held.execute("set idle_in_transaction_session_timeout = '20ms'")
        with held.transaction(), room.connect() as other:
            held.execute("select 1")
            pid = held.info.backend_pid
            until(lambda: other.execute(alive, (pid,)).rowcount == 0, "the server to lose patience")
            held.execute("select 1")
