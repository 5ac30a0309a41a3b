"""Disputes over HTTP: proposed by the floor, approved by somebody else, each request done once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zipfile import ZipFile

import pytest
from httpx2 import Response

from domain.events import Folded
from services.access import CardsSeen, Keys
from services.access.events import decode, hand_stream
from services.bundles.checking import check_bundle
from services.dispute_bundle import export_case
from services.embedded import Server
from services.projecting import projector_of
from tests.support.bdd import Table
from tests.support.cases import told
from tests.support.disputes import RAKED
from tests.support.service import Served, served

TYPE = "urn:studledger:problem:"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


class Desk:
    """People who settle disputes."""

    def __init__(self, service: Served) -> None:
        self.service = service
        self.floor, self.approver = service.headers("floor"), service.headers("approver")

    def post(
        self, path: str, body: object, headers: dict[str, str] | None = None, key: str | None = None
    ) -> Response:
        sent = (headers or self.floor) | ({"Idempotency-Key": key} if key else {})
        return self.service.client.post(f"/v1/disputes{path}", headers=sent, json=body)

    def done(self, path: str, body: object, **more: Any) -> dict[str, Any]:
        answer = self.post(path, body, **more)
        assert answer.status_code == 200, answer.text
        sheet: dict[str, Any] = answer.json()
        return sheet

    def open(self, **changes: Any) -> dict[str, Any]:
        complaint = {
            "hand": str(self.service.hand),
            "category": "award",
            "complainant": "anna",
            "channel": "table",
            "step": 5,
        }
        return self.done("", complaint | changes)

    def get(self, path: str, headers: dict[str, str] | None = None) -> Response:
        return self.service.client.get(f"/v1/disputes{path}", headers=headers or self.floor)


@pytest.fixture(scope="module")
def desk(service: Served) -> Desk:
    return Desk(service)


def problem(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].removeprefix(TYPE)


def goodwill(desk: Desk) -> dict[str, Any]:
    seat = desk.service.started(desk.service.hand).seats[0].seat
    moves = [{"seat": seat, "amount": 500}]
    return {"kind": "goodwill", "reason": "the table was slow", "rule": "C1", "moves": moves}


def test_a_case_goes_from_the_complaint_to_its_end(desk: Desk) -> None:
    case = desk.open()
    path = f"/{case['id']}"
    desk.done(f"{path}/acknowledge", {})
    desk.done(f"{path}/notes", {"text": "he called the floor at once"})
    sheet = desk.done(f"{path}/rulings", goodwill(desk))
    (ruling,) = sheet["rulings"]
    assert (ruling["stage"], ruling["house"]) == ("proposed", -500)
    sheet = desk.done(f"{path}/approvals", {"ruling": ruling["id"]}, headers=desk.approver)
    assert sheet["rulings"][0]["stage"] == "approved"
    desk.done(f"{path}/answer", {"letter": sheet["kept"][0]["id"]})
    assert desk.done(f"{path}/close", {})["status"] == "closed"
    assert desk.done(f"{path}/reopen", {"reason": "a picture came"})["status"] == "acknowledged"
    shown = desk.get(path).json()
    assert [one["text"] for one in shown["kept"]] == ["he called the floor at once"]
    assert shown["events"][0]["type"] == "case_opened.v1"


def test_a_second_key_of_the_same_person_approves_nothing(desk: Desk) -> None:
    case = desk.open()
    names = f"flora {uuid4()}"
    keys = [
        {"Authorization": f"Bearer {desk.service.key(role, subject=names)}"}
        for role in ("floor", "approver")
    ]
    sheet = desk.done(f"/{case['id']}/rulings", goodwill(desk), headers=keys[0])
    named = {"ruling": sheet["rulings"][0]["id"]}
    refused = desk.post(f"/{case['id']}/approvals", named, headers=keys[1])
    assert problem(refused) == (409, "against-the-rules")
    assert refused.json()["rule"] == "D2"


def test_the_same_request_again_is_done_once(desk: Desk) -> None:
    case = desk.open()
    path, key = f"/{case['id']}/rulings", str(uuid4())
    first = desk.done(path, goodwill(desk), key=key)
    assert desk.done(path, goodwill(desk), key=key) == first
    other = desk.post(path, goodwill(desk) | {"rule": "C2"}, key=key)
    assert problem(other) == (422, "idempotency-key-reused")
    note, sent = f"/{case['id']}/notes", {"text": "once"}
    assert desk.done(note, sent, key="n") == desk.done(note, sent, key="n")


def test_a_file_is_kept_by_its_digest(desk: Desk) -> None:
    case = desk.open()
    file = {"content": "iVBORw0KGgo=", "media_type": "image/png", "name": "table.png"}
    (kept,) = desk.done(f"/{case['id']}/attachments", file)["kept"]
    assert kept["sha256"] == "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"
    assert (kept["size"], kept["name"], kept["media_type"]) == (8, "table.png", "image/png")


def test_evidence_in_a_view_of_hidden_cards_is_on_record_before(desk: Desk) -> None:
    case = desk.open()
    public = desk.get(f"/{case['id']}/evidence").json()
    assert (public["step"], public["view"]) == (5, "public")
    shown = desk.get(f"/{case['id']}/evidence?view=all&step=7&why=the+low", desk.approver)
    assert shown.status_code == 200
    looked = shown.json()["looked"]
    assert ("all", "the low") in [(one["view"], one["purpose"]) for one in looked]
    no_step = desk.get(f"/{case['id']}/evidence?step=4711")
    assert problem(no_step) == (422, "bad-parameter")


def test_a_what_if_is_kept_and_gives_a_ruling_its_amounts(desk: Desk) -> None:
    path = f"/{desk.open()['id']}"
    events = desk.service.events(desk.service.hand)
    folded = max(step for step, one in enumerate(events, 1) if isinstance(one, Folded))
    asked = {"step": folded, "instead": "call"}
    no_step = desk.post(f"{path}/evidence", {"instead": "fold"})
    assert problem(no_step) == (422, "bad-parameter")
    assert problem(desk.post(f"{path}/evidence", asked | {"policy": ["x=y"]}))[0] == 422
    assert desk.get(path).json()["kept"] == []
    (kept,) = desk.done(f"{path}/evidence", {"policy": ["rake_third_street=true"]})["kept"]
    assert (kept["kind"], kept["text"]) == ("evidence", None)
    same = {"kind": "corrected_award", "reason": "so", "rule": "R4", "evidence": kept["id"]}
    assert desk.post(f"{path}/rulings", same).json()["rule"] == "D3", "it would change nothing"
    shown = desk.done(f"{path}/evidence?view=all&why=the+fold", asked, headers=desk.approver)
    assert [one["kind"] for one in shown["kept"]] == ["evidence", "evidence"]


def test_the_register_goes_on_page_by_page(desk: Desk) -> None:
    for _ in range(3):
        desk.open(category="rake")
    projector_of(desk.service.room).catch_up()
    page = desk.get("?category=rake&limit=2").json()
    assert len(page["disputes"]) == 2
    rest = desk.get(f"?category=rake&limit=2&after={page['next'].replace('+', '%2B')}").json()
    assert len(rest["disputes"]) == 1
    auditor = desk.service.headers("auditor")
    lines = desk.service.client.get(
        "/v1/disputes?category=rake", headers=auditor | {"Accept": "application/jsonl"}
    )
    assert len(lines.text.splitlines()) == 3


def test_what_is_no_case_is_not_found_and_a_bad_ruling_says_by_which_rule(desk: Desk) -> None:
    for nothing in (str(UUID(int=7)), "no-uuid", str(desk.service.hand)):
        assert problem(desk.get(f"/{nothing}")) == (404, "dispute-not-found")
    case = desk.open()
    wrong = goodwill(desk) | {"kind": "corrected_award"}
    refused = desk.post(f"/{case['id']}/rulings", wrong)
    assert (problem(refused), refused.json()["rule"]) == ((409, "against-the-rules"), "P9")
    no_evidence = {"kind": "corrected_award", "reason": "so", "rule": "P2"}
    missing = desk.post(f"/{case['id']}/rulings", no_evidence | {"evidence": str(uuid4())})
    assert problem(missing) == (422, "bad-parameter")


def test_a_report_is_a_file_of_the_same_bytes_for_those_who_may_read_the_case(desk: Desk) -> None:
    path = f"/{desk.open()['id']}"
    first = desk.get(f"{path}/report")
    assert (first.status_code, first.headers["Content-Type"]) == (200, "application/pdf")
    assert f'filename="dispute-{path[1:]}.pdf"' in first.headers["Content-Disposition"]
    auditor = desk.service.headers("auditor")
    assert desk.get(f"{path}/report", auditor).content == first.content
    assert desk.get(path).json()["reports"] == [sha256(first.content).hexdigest()]
    assert desk.get(f"{path}/report", desk.service.headers("finance")).status_code == 403
    assert problem(desk.get(f"{path}/report", auditor | {"Accept": "text/csv"}))[0] == 406
    shown = desk.get(f"{path}/report?view=all&why=the+low")
    assert shown.content != first.content
    looked = desk.get(f"{path}/evidence").json()["looked"]
    assert ("all", "the low") in [(one["view"], one["purpose"]) for one in looked]


# -- to take away --------------------------------------------------------------------------------


def inside(content: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sightings(desk: Desk) -> list[CardsSeen]:
    return [
        seen
        for state in desk.service.room.store.states(hand_stream(desk.service.hand))
        if isinstance(seen := decode(state), CardsSeen)
    ]


def test_a_bundle_is_what_the_command_line_writes_and_is_checked_without_us(
    desk: Desk, tmp_path: Path
) -> None:
    case = desk.open()
    path = f"/{case['id']}"
    desk.done(f"{path}/notes", {"text": "between ourselves"})
    before = sightings(desk)
    answer = desk.post(f"{path}/bundle", None)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/zip")
    assert f'filename="dispute-{case["id"]}.zip"' in answer.headers["Content-Disposition"]
    assert sightings(desk) == before
    ours, theirs = tmp_path / "ours.zip", tmp_path / "theirs.zip"
    export_case(desk.service.room, ours, UUID(case["id"]))
    theirs.write_bytes(answer.content)
    for name in ("events.jsonl", "disclosures.jsonl", "verdicts.jsonl"):
        assert inside(answer.content)[name] == inside(ours.read_bytes())[name]
    found = check_bundle(theirs)
    assert (found.checked, found.view, found.tampering) == (1, "public", [])
    assert b"between ourselves" not in b"".join(inside(answer.content).values())


def test_a_bundle_opens_what_its_view_may_see_and_that_is_on_record(desk: Desk) -> None:
    path = f"/{desk.open()['id']}/bundle"
    folded = next(one for one in desk.service.events(desk.service.hand) if isinstance(one, Folded))
    seat, auditor = f"seat:{folded.seat}", desk.service.headers("auditor")
    opened = {
        view: inside(desk.post(f"{path}?view={view}&why=to+a+court", None, auditor).content)
        for view in ("public", seat, "all")
    }
    lines = [len(one["disclosures.jsonl"].splitlines()) for one in opened.values()]
    assert lines[0] < lines[1] <= lines[2]
    forms = [
        [json.loads(line)["form"] for line in one["events.jsonl"].splitlines()]
        for one in opened.values()
    ]
    assert forms[0] == forms[1] == forms[2], "cards are opened beside the facts alone"
    seen = [(one.view, one.role) for one in sightings(desk) if one.purpose == "to a court"]
    assert seen == [(seat, "auditor"), ("all", "auditor")]


def test_a_bundle_is_for_those_who_may_read_the_case_and_of_a_hand_that_is_over(
    desk: Desk,
) -> None:
    path = f"/{desk.open()['id']}/bundle"
    for role in ("finance", "dealer"):
        refused = desk.post(path, None, headers=desk.service.headers(role))
        assert problem(refused) == (403, "not-allowed")
    assert problem(desk.post(f"/{uuid4()}/bundle", None)) == (404, "dispute-not-found")
    assert problem(desk.post(f"{path}?view=seat:9", None)) == (422, "bad-parameter")
    playing = told(desk.service.room, Table.of_facts(RAKED.log[:1]))
    live = f"/{desk.open(hand=str(playing), step=None)['id']}/bundle"
    assert desk.post(live, None).status_code == 200
    assert problem(desk.post(f"{live}?view=all&why=curious", None)) == (403, "hand-still-live")


# -- erased --------------------------------------------------------------------------------------


def test_what_is_kept_is_erased_by_an_approver_for_a_reason_and_not_on_hold(desk: Desk) -> None:
    path = f"/{desk.open()['id']}"
    file = {"content": "iVBORw0KGgo=", "media_type": "image/png", "name": "../anna.png"}
    (kept,) = desk.done(f"{path}/attachments", file)["kept"]
    assert kept["name"] == "anna.png"
    named = {"kept": kept["id"], "reason": "a stranger's picture"}
    assert problem(desk.post(f"{path}/erasures", named)) == (403, "not-allowed")
    desk.done(f"{path}/hold", {"state": "set", "reason": "asked by a court"})
    held = desk.post(f"{path}/erasures", named, headers=desk.approver)
    assert problem(held) == (409, "on-legal-hold")
    desk.done(f"{path}/hold", {"state": "lifted"})
    once: dict[str, Any] = {"headers": desk.approver, "key": "erase"}
    sheet = desk.done(f"{path}/erasures", named, **once)
    assert sheet == desk.done(f"{path}/erasures", named, **once)
    assert sheet["kept"] == [kept | {"media_type": None, "name": None}]
    assert sheet["events"][-1]["reason"] == "a stranger's picture"
    none = desk.post(f"{path}/erasures", named | {"kept": str(uuid4())}, headers=desk.approver)
    assert problem(none) == (422, "bad-parameter")


# -- whoever should not --------------------------------------------------------------------------


def test_a_players_key_rules_on_nothing(desk: Desk) -> None:
    path = f"/{desk.open()['id']}"
    player = UUID(desk.service.started(desk.service.hand).seats[0].player)
    theirs = desk.service.headers("player", player)
    for route, body in (("rulings", goodwill(desk)), ("approvals", {"ruling": str(uuid4())})):
        refused = desk.post(f"{path}/{route}", body, headers=theirs)
        assert problem(refused) == (403, "not-allowed")
    assert desk.get(path).json()["rulings"] == []


def test_an_approver_whose_key_was_revoked_since_approves_nothing(desk: Desk) -> None:
    path = f"/{desk.open()['id']}"
    named = {"ruling": desk.done(f"{path}/rulings", goodwill(desk))["rulings"][0]["id"]}
    key = desk.service.key("approver")
    keys = Keys(desk.service.room.pool, desk.service.room.store)
    keys.revoke(keys.holder(key).id)
    refused = desk.post(f"{path}/approvals", named, headers={"Authorization": f"Bearer {key}"})
    assert problem(refused) == (401, "key-refused")
    assert desk.get(path).json()["rulings"][0]["stage"] == "proposed"
    desk.done(f"{path}/approvals", named, headers=desk.approver)


@pytest.mark.parametrize(
    ("changes", "answered"),
    [
        ({"moves": [{"seat": 1, "amount": 0}]}, (409, "against-the-rules")),
        ({"moves": [{"seat": 1, "amount": -5}]}, (409, "against-the-rules")),
        ({"moves": [{"seat": 1, "amount": 2**63}]}, (422, "bad-parameter")),
        ({"moves": [{"seat": 1, "amount": 1.5}]}, (422, "bad-parameter")),
        ({"moves": [{"seat": 10, "amount": 5}]}, (409, "against-the-rules")),
        ({"moves": [{"seat": 99, "amount": 5}]}, (422, "bad-parameter")),
        ({"currency": "EUR"}, (422, "bad-parameter")),
        ({"step": 10**30}, (409, "against-the-rules")),
    ],
)
def test_an_odd_ruling_is_refused_and_nothing_is_stored(
    desk: Desk, changes: dict[str, Any], answered: tuple[int, str]
) -> None:
    path = f"/{desk.open()['id']}"
    assert problem(desk.post(f"{path}/rulings", goodwill(desk) | changes)) == answered
    assert desk.get(path).json()["rulings"] == []


@pytest.mark.parametrize("when", ["2026-01-09T12:00:00", "0001-01-01T00:00:00+14:00"])
def test_a_complaint_has_a_time_of_some_zone_and_of_our_days(desk: Desk, when: str) -> None:
    made = {"hand": str(desk.service.hand), "category": "award", "complainant": "anna"}
    refused = desk.post("", made | {"channel": "table", "submitted_at": when})
    assert refused.status_code in (409, 422)
