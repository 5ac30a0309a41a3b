"""Signing in at the pages, staying so, and signing out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from services.access import PAGES, BadKey, Keys, KeyWanted, Lasting, Role, Sessions
from services.access.events import KeyIssued, SignedIn, SignedOut, decode, key_stream
from services.access.pages import OPEN_PAGES
from services.access_report import AccessWanted, access_page
from services.api.settings import ApiSettings
from services.embedded import Server
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 8) as service:
        yield service


def cookie(answer: object) -> str:
    return str(answer.headers["set-cookie"])  # type: ignore[attr-defined]


def test_a_page_sends_whoever_is_not_signed_in_to_sign_in_and_back(service: Served) -> None:
    somebody = Visitor(service)
    answer = somebody.client.get("/hands?table=Larkspur&min_pot=20")
    assert answer.status_code == 303
    asked = answer.headers["location"]
    assert asked == "/sign-in?next=%2Fhands%3Ftable%3DLarkspur%26min_pot%3D20"
    assert 'value="/hands?table=Larkspur&amp;min_pot=20"' in somebody.get(asked)
    after = somebody.sign_in(service.key("floor"), "/hands?table=Larkspur&min_pot=20")
    assert after.headers["location"] == "/hands?table=Larkspur&min_pot=20"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "hands", "/a\nb"],
)
def test_signing_in_leads_to_our_pages_only(service: Served, elsewhere: str) -> None:
    answer = Visitor(service).sign_in(service.key("floor"), elsewhere)
    assert answer.headers["location"] == "/hands"


def test_the_cookie_is_for_this_host_over_tls_and_not_for_scripts(service: Served) -> None:
    said = cookie(Visitor(service).sign_in(service.key("floor")))
    assert re.match(r"__Host-studledger=[\w-]{43}; ", said)
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} == set(said.split("; ")[1:])


def test_on_this_machine_it_may_be_plain_http_and_from_nowhere_else(service: Served) -> None:
    sent = {"key": service.key("floor"), "next": "/hands"}
    near = TestClient(service.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    said = cookie(near.post("/sign-in", data=sent))
    assert said.startswith("studledger=")
    assert "HttpOnly" in said
    assert "Secure" not in said
    far = TestClient(service.app, base_url="http://studledger.example", follow_redirects=False)
    assert "https" in far.get("/sign-in").text
    refused = far.post("/sign-in", data=sent)
    assert (refused.status_code, problem_of(refused.text)) == (403, "not-over-tls")


def test_a_wrong_key_is_told_beside_the_field_and_never_shown_again(service: Served) -> None:
    somebody, wrong = Visitor(service), "slk_0123456789abcdef_" + "x" * 43
    for key, words in ((wrong, "there is no such key"), ("", "this is needed")):
        answer = somebody.client.post("/sign-in", data={"key": key, "next": "/hands?game=stud8"})
        assert answer.status_code == 422
        assert words in answer.text
        assert 'aria-invalid="true"' in answer.text
        assert 'value="/hands?game=stud8"' in answer.text
        assert wrong not in answer.text


def test_whoever_signs_in_gets_a_new_token_and_the_old_one_opens_nothing(service: Served) -> None:
    somebody = visitor(service, "floor")
    before = somebody.client.cookies["__Host-studledger"]
    somebody.sign_in(service.key("auditor"))
    assert somebody.client.cookies["__Host-studledger"] != before
    with pytest.raises(BadKey):
        service.app.state.parts.sessions.of(before)


def test_a_token_somebody_else_chose_becomes_nobodys_session(service: Served) -> None:
    victim = Visitor(service)
    victim.client.cookies.set("__Host-studledger", "chosen-by-somebody-else")
    victim.sign_in(service.key("floor"))
    with pytest.raises(BadKey):
        service.app.state.parts.sessions.of("chosen-by-somebody-else")


def test_signing_out_ends_the_session_on_the_server(service: Served) -> None:
    somebody = visitor(service, "floor")
    token = somebody.client.cookies["__Host-studledger"]
    answer = somebody.send("/sign-out", {})
    assert answer.headers["location"] == "/sign-in"
    assert "__Host-studledger" not in somebody.client.cookies
    somebody.client.cookies.set("__Host-studledger", token)
    assert somebody.client.get("/hands").status_code == 303


@pytest.mark.parametrize("csrf", [None, "", "x" * 43])
def test_a_form_without_the_sessions_token_does_nothing(service: Served, csrf: str | None) -> None:
    somebody = visitor(service, "floor")
    answer = somebody.client.post("/sign-out", data={} if csrf is None else {"csrf": csrf})
    assert (answer.status_code, problem_of(answer.text)) == (403, "not-this-session")
    somebody.get("/hands")


def test_a_form_of_another_session_does_nothing(service: Served) -> None:
    other = visitor(service, "floor").csrf()
    somebody = visitor(service, "floor")
    assert somebody.client.post("/sign-out", data={"csrf": other}).status_code == 403


def test_a_form_that_another_site_sends_does_nothing(service: Served) -> None:
    sent = {"key": service.key("floor"), "next": "/hands"}
    for path, data in (("/sign-in", sent), ("/sign-out", {"csrf": ""})):
        somebody = visitor(service, "floor")
        data = data | {"csrf": somebody.csrf()}
        answer = somebody.client.post(path, data=data, headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, problem_of(answer.text)) == (403, "not-this-session")


def test_a_session_ends_with_its_key(service: Served) -> None:
    keys = Keys(service.room.pool, service.room.store)
    wanted = KeyWanted(
        subject="Appia", role="floor", expires_at=datetime.now(UTC) + timedelta(hours=1)
    )
    issued = keys.issue(wanted)
    somebody = Visitor(service, issued.key)
    somebody.get("/hands")
    keys.revoke(issued.id)
    assert somebody.client.get("/hands").status_code == 303


def test_a_session_ends_after_a_while_without_a_page_and_at_last_in_any_case(
    service: Served,
) -> None:
    time = datetime.now(UTC)
    lasting = Lasting(idle=timedelta(minutes=10), longest=timedelta(minutes=25))
    sessions = Sessions(service.room.pool, service.room.store, lasting, lambda: time)
    holder = service.app.state.parts.keys.holder(service.key("floor"))
    busy, idle = sessions.begin(holder), sessions.begin(holder)
    for _ in range(2):
        time += timedelta(minutes=9)
        assert sessions.of(busy).holder.id == holder.id
    for token in (idle, "no token at all"):
        with pytest.raises(BadKey):
            sessions.of(token)
    time += timedelta(minutes=8)
    with pytest.raises(BadKey):
        sessions.of(busy)


def test_an_address_signs_in_once(service: Served) -> None:
    parts = service.app.state.parts
    key = parts.keys.holder(service.key("admin")).id
    path = f"/sign-in/{parts.sessions.offer(key)}"
    first, second = Visitor(service), Visitor(service)
    assert first.client.get(path).headers["location"] == "/hands"
    assert "Sign out" in first.get("/hands")
    assert first.client.get(path).headers["location"] == "/hands"
    assert "signed somebody in already" in second.get(path, 410)
    assert second.client.get("/hands").status_code == 303


def test_signing_in_and_out_is_on_record_in_the_stream_of_the_key(service: Served) -> None:
    parts = service.app.state.parts
    key = service.key("auditor")
    holder = parts.keys.holder(key)
    somebody = Visitor(service, key)
    somebody.send("/sign-out", {})
    somebody.client.get(f"/sign-in/{parts.sessions.offer(holder.id)}")
    facts = [decode(fact.state) for fact in service.room.store.load(key_stream(holder.id))]
    assert [type(fact) for fact in facts] == [KeyIssued, SignedIn, SignedOut, SignedIn]
    assert [fact.by for fact in facts if isinstance(fact, SignedIn)] == ["key", "address"]
    told = access_page(service.room, AccessWanted(actors=(str(holder.subject),)))
    whats = ["key_issued", "signed_in", "signed_out", "signed_in"]
    assert [entry.what for entry in told.entries] == whats


def test_an_address_that_keeps_typing_what_is_no_key_has_to_wait(server: Server) -> None:
    with served(server, 2, ApiSettings(rate_of_failures="3/hour")) as service:
        somebody = Visitor(service)
        sent = {"key": "nonsense", "next": "/hands"}
        statuses = [somebody.client.post("/sign-in", data=sent).status_code for _ in range(3)]
        assert statuses == [422, 422, 422]
        good = {"key": service.key("floor"), "next": "/hands"}
        refused = somebody.client.post("/sign-in", data=good)
        assert (refused.status_code, problem_of(refused.text)) == (429, "too-many-requests")
        assert int(refused.headers["retry-after"]) > 0


def test_a_key_opens_no_page_and_a_session_no_route_of_the_api(service: Served) -> None:
    somebody = visitor(service, "admin")
    assert somebody.client.get("/v1/hands").status_code == 401
    answer = Visitor(service).client.get("/hands", headers=service.headers("admin"))
    assert answer.status_code == 303


def test_whoever_may_not_open_a_page_is_told_so_and_shown_where_he_may_go(service: Served) -> None:
    page = visitor(service, "dealer").get("/rake", 403)
    assert problem_of(page) == "not-allowed"
    assert "You are signed in as dealer; this page is for admin, auditor, finance." in page
    assert '<a href="/hands">Hands</a>' in page
    assert '<a href="/rake"' not in page
    assert "Sign out" in visitor(service, "dealer").get("/nowhere", 404)


@pytest.mark.parametrize("role", ["dealer", "finance", "auditor"])
def test_a_role_opens_exactly_the_pages_the_table_allows(service: Served, role: Role) -> None:
    somebody = visitor(service, role)
    for route, entry in PAGES.items():
        method, _, path = route.partition(" ")
        for part in re.findall(r"{\w+}", path):
            path = path.replace(part, str(service.hand))
        answer = somebody.client.request(method, path, headers={"Accept": "text/html"})
        refused = problem_of(answer.text) == "not-allowed"
        assert refused == (role not in entry.roles), route


def test_every_answer_says_what_a_page_may_load(service: Served) -> None:
    somebody = visitor(service, "floor")
    for path in ("/hands", "/sign-in", "/nowhere", "/hands?colour=red"):
        answer = somebody.client.get(path, headers={"Accept": "text/html"})
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text)


def test_the_pages_nobody_signs_in_for_are_few() -> None:
    assert {"GET /", "GET /sign-in", "GET /sign-in/{token}", "POST /sign-in"} | {
        "GET /static/{name}"
    } == OPEN_PAGES
