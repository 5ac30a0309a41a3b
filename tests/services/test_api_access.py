"""Who may ask for what over HTTP: `docs/access.md` is walked cell by cell against the app."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from httpx2 import Response
from psycopg.sql import SQL, Identifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from domain import events as e
from services.access import (
    OPEN,
    OPEN_PAGES,
    PAGES,
    ROLES,
    TABLE,
    CardsSeen,
    Keys,
    KeyWanted,
    Role,
)
from services.access.events import decode, hand_stream
from services.access.rules import Sight, sights_of
from services.api.settings import ApiSettings
from services.api.sizes import SizeLimits
from services.embedded import Server
from tests.support.dispute_routes import OF_DISPUTES, dispute_for
from tests.support.ledger_routes import OF_LEDGER, closed
from tests.support.live_routes import BODIES, live_hand
from tests.support.service import Served, served
from tests.support.table_routes import OF_TABLES, table_for
from tests.support.witness_routes import OF_WITNESS

DOCS = Path(__file__).parents[2] / "docs" / "access.md"
NEEDED = {
    "GET /v1/hands/{hand}/whatif": "policy=burn_cards=yes",
    "GET /v1/feed": "hand={hand}&after=0&limit=1",
    "GET /v1/log/consistency": "from=1",
}
"""Parameters without which a route has nothing to answer."""
VIEWS: tuple[Sight, ...] = ("public", "own", "seat", "all")
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server) as service:
        yield service


@pytest.fixture(scope="module")
def keys(service: Served) -> dict[Role, dict[str, str]]:
    """A key of every role; the player's is that of the first seat of the hand."""
    player = UUID(service.started(service.hand).seats[0].player)
    return {role: service.headers(role, player if role == "player" else None) for role in ROLES}


def get(service: Served, path: str, headers: dict[str, str]) -> Response:
    return service.client.get(path, headers=headers)


def ask(service: Served, route: str, headers: dict[str, str], query: str = "") -> Response:
    """Any route of the list, for the hand of the service, a new one being played or a new table."""
    method, _, path = route.partition(" ")
    asked = "&".join(part for part in (NEEDED.get(route), query) if part)
    hand = service.hand
    sent = BODIES | OF_TABLES | OF_LEDGER | OF_WITNESS | OF_DISPUTES
    body = None if method == "GET" else sent.get(route, {"hands": [str(hand)]})
    me, live = UUID(service.started(hand).seats[0].player), service.app.state.parts.live
    if route in BODIES:
        hand, turn = live_hand(live, route, me)
        headers = headers | turn
    if route in OF_LEDGER:
        closed(service.room)
    if "{table}" in path:
        path = path.replace("{table}", str(table_for(live, route, me)))
    if "{dispute}" in path:
        path = path.replace("{dispute}", str(dispute_for(service.room, hand, route)))
    url = f"{path}?{asked}".replace("{hand}", str(hand)).replace("{position}", "1")
    url = url.replace("{day}", "2026-01-09")
    return service.client.request(method, url, headers=headers, json=body)


def sightings(service: Served, hand: UUID) -> list[CardsSeen]:
    events = [decode(fact.state) for fact in service.room.store.load(hand_stream(hand))]
    return [event for event in events if isinstance(event, CardsSeen)]


def routes_of(service: Served) -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, operations in service.app.openapi()["paths"].items()
        for method in operations
    }


@cache
def table_in_docs() -> dict[str, dict[str, frozenset[str]]]:
    """Route → role → what its cell says: nothing, `yes`, or views."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in DOCS.read_text("utf-8").splitlines()
        if line.startswith(("| `GET", "| `POST", "| route"))
    ]
    head, *body = rows
    return {
        row[0].strip("`"): {
            role: frozenset(cell.split(", ")) - {"no"}
            for role, cell in zip(head[1:], row[1:], strict=True)
        }
        for row in body
    }


# -- the table -------------------------------------------------------------------------------------


def test_every_route_is_in_the_table_and_the_table_has_no_other(service: Served) -> None:
    assert routes_of(service) == {*TABLE, *OPEN}


def test_every_route_the_app_answers_is_described_or_a_page(service: Served) -> None:
    answered = {
        f"{method} {route.path_format}"
        for route in iter_route_contexts(service.app.routes)
        for method in route.methods or ()
    }
    assert answered == routes_of(service) | {*PAGES, *OPEN_PAGES}


def test_the_page_shows_the_table_the_program_has() -> None:
    shown = table_in_docs()
    assert set(shown) == {*TABLE, *OPEN, *PAGES, *OPEN_PAGES}
    for route, role in itertools.product({**TABLE, **PAGES}, ROLES):
        sights = sights_of(role, route, PAGES if route in PAGES else TABLE)
        said = shown[route][role]
        assert said == (frozenset() if sights is None else sights or {"yes"}), (route, role)
    assert all(shown[route][role] == {"yes"} for route in OPEN | OPEN_PAGES for role in ROLES)


@pytest.mark.parametrize("route", sorted(TABLE))
@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_call_a_route_exactly_where_the_page_says_so(
    service: Served, keys: dict[Role, dict[str, str]], route: str, role: Role
) -> None:
    answer = ask(service, route, keys[role])
    allowed = bool(table_in_docs()[route][role])
    assert answer.status_code == (200 if allowed else 403)
    if not allowed:
        assert answer.json()["type"] == "urn:studledger:problem:not-allowed"


@pytest.mark.parametrize("route", sorted(route for route in TABLE if TABLE[route].viewed))
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("sight", VIEWS)
def test_a_role_may_take_a_view_exactly_where_the_page_says_so(
    service: Served, keys: dict[Role, dict[str, str]], route: str, role: Role, sight: Sight
) -> None:
    seats = [taken.seat for taken in service.started(service.hand).seats]
    views = {"own": f"seat:{seats[0]}", "seat": f"seat:{seats[1]}"}
    query = f"view={views.get(sight, sight)}&why=walking+the+table"
    answer = ask(service, route, keys[role], query)
    may = table_in_docs()[route][role]
    # Whoever may take any seat may take this one too.
    allowed = sight in may or (sight == "own" and "seat" in may)
    assert answer.status_code == (200 if allowed else 403)
    if not allowed:
        why = "view-not-allowed" if may else "not-allowed"
        assert answer.json()["type"] == f"urn:studledger:problem:{why}"


@pytest.mark.parametrize("route", sorted(TABLE))
def test_without_a_key_no_route_but_the_open_ones_answers(service: Served, route: str) -> None:
    answer = ask(service, route, {})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("route", sorted(OPEN))
def test_the_open_routes_need_no_key(service: Served, route: str) -> None:
    assert service.client.get(route.removeprefix("GET ")).status_code == 200


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer nonsense",
        "Basic dXNlcjpwdw==",
        "Bearer slk_0123456789abcdef_" + "x" * 43,
    ],
)
def test_what_is_no_key_opens_nothing(service: Served, header: str) -> None:
    answer = service.client.get("/v1/hands", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_revoked_or_expired_key_is_told_so_and_opens_nothing(service: Served) -> None:
    keys = Keys(service.room.pool, service.room.store)
    now = datetime.now(UTC)
    old = keys.issue(KeyWanted(subject="old", role="admin", expires_at=now - timedelta(days=1)))
    revoked = keys.issue(KeyWanted(subject="x", role="admin", expires_at=now + timedelta(days=1)))
    keys.revoke(revoked.id)
    for key, word in ((old.key, "expired"), (revoked.key, "revoked")):
        answer = service.client.get("/v1/hands", headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 401
        assert word in answer.json()["detail"]
        assert "invalid_token" in answer.headers["www-authenticate"]


# -- cards -----------------------------------------------------------------------------------------


def test_cards_are_on_record_before_they_are_shown(service: Served) -> None:
    hand = service.demo.arranged[1].hand
    headers = service.headers("auditor")
    answer = get(service, f"/v1/hands/{hand}/replay?view=all&why=yearly+check", headers)
    (seen,) = sightings(service, hand)
    assert (seen.view, seen.purpose, seen.role, seen.hand) == (
        "all",
        "yearly check",
        "auditor",
        hand,
    )
    (stored,) = service.room.store.load(hand_stream(hand))
    assert stored.request_id == answer.headers["x-request-id"]
    assert stored.actor == seen.actor


def test_if_it_cannot_be_recorded_nothing_is_shown(service: Served) -> None:
    hand, headers = service.demo.arranged[2].hand, service.headers("auditor")
    events = service.room.store.load(hand)
    owner, room = service.room.database.owner, service.room.settings.room
    with psycopg.connect(owner, autocommit=True) as connection:
        what = SQL("all functions in schema {}").format(Identifier(room))
        connection.execute(SQL("revoke execute on {} from studledger_app").format(what))
        try:
            answer = get(service, f"/v1/hands/{hand}/events?view=all&why=test", headers)
        finally:
            connection.execute(SQL("grant execute on {} to studledger_app").format(what))
    assert events
    assert answer.status_code == 500
    assert answer.json() == {
        "type": "urn:studledger:problem:internal-error",
        "title": "The service made a mistake",
        "status": 500,
    }
    assert not sightings(service, hand)


def test_looking_again_in_the_same_quarter_of_an_hour_adds_no_record(service: Served) -> None:
    hand, headers = service.demo.arranged[3].hand, service.headers("floor")
    view = f"seat:{service.started(hand).seats[0].seat}"
    for part in ("replay", "events", "explain", "verdict", "odd-chips", "replay"):
        path = f"/v1/hands/{hand}/{part}?view={view}&why=dispute"
        assert get(service, path, headers).status_code == 200
    # Unless the clock struck a quarter in between.
    assert len(sightings(service, hand)) in (1, 2)
    assert {seen.view for seen in sightings(service, hand)} == {view}


@pytest.mark.parametrize("why", ["", "&why=", "&why=%20%0A", "&why=" + "x" * 201])
def test_hidden_cards_need_a_purpose(service: Served, why: str) -> None:
    hand, headers = service.demo.arranged[4].hand, service.headers("admin")
    answer = get(service, f"/v1/hands/{hand}/replay?view=all{why}", headers)
    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:studledger:problem:purpose-required"
    assert not sightings(service, hand)


def test_the_purpose_may_come_as_a_header(service: Served) -> None:
    hand, headers = service.demo.arranged[4].hand, service.headers("admin")
    answer = get(service, f"/v1/hands/{hand}/replay?view=all", headers | {"Why": "by header"})
    assert answer.status_code == 200
    assert [seen.purpose for seen in sightings(service, hand)] == ["by header"]


def test_what_everybody_saw_and_ones_own_seat_need_no_record(service: Served) -> None:
    hand = service.demo.arranged[5].hand
    mine = service.started(hand).seats[0]
    headers = service.headers("player", UUID(mine.player))
    for view in ("public", f"seat:{mine.seat}"):
        assert get(service, f"/v1/hands/{hand}/events?view={view}", headers).status_code == 200
    assert not sightings(service, hand)


@pytest.mark.parametrize("role", ["floor", "approver", "auditor", "admin"])
@pytest.mark.parametrize("view", ["all", "seat:2"])
def test_a_live_hand_shows_hidden_cards_to_nobody_else(
    service: Served, role: Role, view: str
) -> None:
    live = service.store(service.events(service.hand)[:-1])
    path = f"/v1/hands/{live}/replay?view={view}&why=curiosity"
    answer = get(service, path, service.headers(role))
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:studledger:problem:hand-still-live"
    assert not sightings(service, live)


def test_a_live_hand_shows_a_player_his_own_cards(service: Served) -> None:
    events = service.events(service.hand)
    dealt = next(event for event in events if isinstance(event, e.CardsDealt))
    owner = next(s for s in service.started(service.hand).seats if s.seat == dealt.seat)
    live = service.store(events[: events.index(dealt) + 1])
    headers = service.headers("player", UUID(owner.player))
    own = get(service, f"/v1/hands/{live}/replay?view=seat:{owner.seat}", headers)
    assert set(dealt.down) <= set(CARD.findall(own.text))
    public = get(service, f"/v1/hands/{live}/replay", headers)
    assert set(dealt.down).isdisjoint(CARD.findall(public.text))


# -- limits ----------------------------------------------------------------------------------------


def test_a_key_that_asks_too_often_has_to_wait(server: Server) -> None:
    with served(server, 6, ApiSettings(rate_per_key="3/hour")) as service:
        first, other = service.headers("admin"), service.headers("admin")
        statuses = [get(service, "/v1/hands", first).status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        refused = get(service, "/v1/hands", first)
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        assert get(service, "/v1/hands", other).status_code == 200


def test_an_address_that_keeps_failing_has_to_wait(server: Server) -> None:
    with served(server, 6, ApiSettings(rate_of_failures="3/hour")) as service:
        good = service.headers("admin")
        statuses = [service.client.get("/v1/hands").status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        assert get(service, "/v1/hands", good).status_code == 429
        assert service.client.get("/healthz").status_code == 200


def test_a_body_larger_than_the_limit_is_refused_before_it_is_read(service: Served) -> None:
    answer = service.client.request(
        "GET", "/v1/hands", headers=service.headers("admin"), content=b"x" * (2 << 20)
    )
    assert answer.status_code == 413
    assert answer.json()["type"] == "urn:studledger:problem:body-too-large"
    assert answer.headers["x-request-id"]


def test_a_body_that_does_not_say_its_size_is_counted() -> None:
    async def length(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    app = Starlette(routes=[Route("/", length, methods=["POST"])])
    client = TestClient(SizeLimits(app, max_query=10, max_body=3 * 4096))
    sizes = {n: client.post("/", content=iter([b"x" * 4096] * n)) for n in (3, 4)}
    assert (sizes[3].status_code, sizes[3].text) == (200, str(3 * 4096))
    assert sizes[4].status_code == 413
