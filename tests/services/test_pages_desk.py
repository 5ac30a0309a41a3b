"""The dispute desk without script: forms that are done once, rulings by two people, roles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from uuid import uuid4

import pytest

from domain import events as e
from services.embedded import Server
from services.pages.deadlines import deadline
from services.projecting import projector_of
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served

HOSTILE = "<img src=x onerror=alert(1)>\"'&{{7*7}}"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture(scope="module")
def floor(service: Served) -> Visitor:
    return visitor(service, "floor")


@pytest.fixture(scope="module")
def approver(service: Served) -> Visitor:
    return visitor(service, "approver")


def complaint(service: Served, **changes: str) -> dict[str, str]:
    fields = {
        "command": str(uuid4()),
        "hand": str(service.hand),
        "step": "12",
        "category": "award",
        "complainant": "else",
        "complainant_id": "anna",
        "channel": "table",
    }
    return fields | changes


def opened(service: Served, floor: Visitor, **changes: str) -> str:
    return floor.send("/cases", complaint(service, **changes)).headers["location"]


def ruling(service: Served, **changes: str) -> dict[str, str]:
    """Three dollars from the first seat to the second."""
    first, second, *_ = [one.seat for one in service.started(service.hand).seats]
    fields = {
        "command": str(uuid4()),
        "kind": "corrected_award",
        "rule": "P2",
        "reason": "the low was misread",
        f"seat-{first}": "-3",
        f"seat-{second}": "+3.00",
        "do": "propose",
    }
    return fields | changes


def hidden(page: str, field: str) -> str:
    found = re.search(rf'name="{field}" value="([^"]+)"', page)
    assert found is not None, field
    return unescape(found[1])


def test_a_complaint_sent_twice_opens_one_case(service: Served, floor: Visitor) -> None:
    page = floor.get(f"/cases/new?hand={service.hand}&step=12")
    sent = complaint(service, command=hidden(page, "command"))
    paths = {floor.send("/cases", sent).headers["location"] for _ in range(2)}
    assert len(paths) == 1
    again = floor.send("/cases", sent | {"category": "rake"}, status=409)
    assert "this form was sent before" in again.text


def test_what_is_missing_is_told_beside_its_field_and_the_rest_stays(
    service: Served, floor: Visitor
) -> None:
    wrong = complaint(service, complainant_id="", step="4711", submitted_time="25:00")
    answer = floor.send("/cases", wrong, status=422)
    for field in ("complainant_id", "step", "submitted_time"):
        assert f'id="{field}-wrong"' in answer.text
    assert 'value="4711"' in answer.text
    unknown = floor.send("/cases", complaint(service, hand="X99"), status=422)
    assert "no hand of this room has this number or id" in unknown.text
    late = complaint(service, submitted="2999-01-01")
    assert "(rule D1)" in floor.send("/cases", late, status=409).text


def test_the_register_tells_plainly_what_is_overdue(service: Served, floor: Visitor) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=59, hours=1)
    path = opened(service, floor, submitted=f"{long_ago:%Y-%m-%d}", category="conduct")
    projector_of(service.room).catch_up()
    page = floor.get("/cases?overdue=true")
    assert f'href="{path}"' in page
    assert "overdue by 3 days" in page
    assert "1 case is overdue" in floor.get("/cases?category=award")
    assert "overdue by 3 days" in floor.get(path)
    assert 'id="hand-wrong"' in floor.get("/cases?hand=nothing", 422)


def test_a_ruling_is_checked_proposed_and_approved_by_another_once(
    service: Served, floor: Visitor, approver: Visitor
) -> None:
    path = opened(service, floor)
    checked = floor.send(f"{path}/rulings", ruling(service, do="check"), status=200)
    assert "Checked: this would be proposed" in checked.text
    assert "Nothing was ruled yet" in floor.get(path)
    sent = ruling(service)
    for _ in range(2):
        floor.send(f"{path}/rulings", sent)
    page = approver.get(path)
    assert page.count('class="panel ruling"') == 1
    assert "-$3.00" in page
    approve = {"command": str(uuid4()), "ruling": hidden(page, "ruling")}
    for _ in range(2):
        approver.send(f"{path}/approvals", approve)
    page = approver.get(path)
    assert "The hand&#39;s money as played and as ruled" in page
    assert "+$3.00" in page
    late = approver.send(f"{path}/withdrawals", approve | {"command": str(uuid4())}, status=409)
    assert "(rule D2)" in late.text


def test_amounts_that_do_not_balance_say_by_how_much(service: Served, floor: Visitor) -> None:
    path = opened(service, floor)
    off = ruling(service, rake="-0.75")
    answer = floor.send(f"{path}/rulings", off, status=422)
    assert "off by $0.75: seats and rake together get that too little" in answer.text
    assert 'value="+3.00"' in answer.text
    unreadable = floor.send(f"{path}/rulings", off | {"rake": "a lot"}, status=422)
    assert 'id="rake-wrong"' in unreadable.text
    finer = floor.send(f"{path}/rulings", off | {"rake": "0.755"}, status=422)
    assert "an amount here has 2 decimals" in finer.text
    void = ruling(service, kind="void")
    assert "(rule D3)" in floor.send(f"{path}/rulings", void, status=409).text


def test_whoever_proposed_is_told_why_he_does_not_approve(service: Served) -> None:
    somebody = visitor(service, "admin")
    path = opened(service, somebody)
    somebody.send(f"{path}/rulings", ruling(service))
    page = somebody.get(path)
    assert "somebody else has to approve it" in page
    assert "Approve the ruling" not in page
    approve = {"command": str(uuid4()), "ruling": hidden(page, "ruling")}
    refused = somebody.send(f"{path}/approvals", approve, status=409)
    assert "(rule D2)" in refused.text
    somebody.send(f"{path}/withdrawals", approve | {"command": str(uuid4())})
    assert "withdrawn" in somebody.get(path)


def test_what_strangers_write_is_text_and_what_they_send_is_saved_not_opened(
    service: Served, floor: Visitor
) -> None:
    path = opened(service, floor, complainant_id=HOSTILE)
    floor.send(f"{path}/notes", {"command": str(uuid4()), "note": HOSTILE})
    file = {"attachment": (f"{HOSTILE}.html", b"<script>alert(1)</script>", "text/html")}
    floor.send(f"{path}/attachments", {"command": str(uuid4())}, files=file)
    page = floor.get(path)
    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 3
    (link,) = set(re.findall(rf'href="({path}/files/[^"]+)"', page))
    saved = floor.client.get(link)
    assert saved.content == b"<script>alert(1)</script>"
    assert saved.headers["content-type"] == "application/octet-stream"
    assert saved.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    assert saved.headers["x-content-type-options"] == "nosniff"
    for missing in ({"note": " "}, {"note": "x" * 20_001}):
        answer = floor.send(f"{path}/notes", missing, status=422)
        assert 'id="note-wrong"' in answer.text
    assert 'id="attachment-wrong"' in floor.send(f"{path}/attachments", {}, status=422).text


def test_a_case_goes_to_its_end_and_on(service: Served, floor: Visitor, approver: Visitor) -> None:
    path = opened(service, floor)
    early = floor.send(f"{path}/close", {}, status=409)
    assert "(rule D5)" in early.text
    floor.send(f"{path}/acknowledge", {"command": str(uuid4())})
    floor.send(f"{path}/notes", {"command": str(uuid4()), "note": "told him so"})
    page = floor.get(path)
    letter = re.search(r'<option value="([0-9a-f-]{36})">told him so', page)
    assert letter is not None
    floor.send(f"{path}/answer", {"command": str(uuid4()), "letter": letter[1]})
    assert "answered in time" in floor.get(path)
    floor.send(f"{path}/close", {"command": str(uuid4())})
    assert "Keep the note" not in floor.get(path)
    assert 'id="reopen_reason-wrong"' in floor.send(f"{path}/reopen", {}, status=422).text
    floor.send(f"{path}/reopen", {"command": str(uuid4()), "reopen_reason": "a picture came"})
    floor.send(f"{path}/hold", {"command": str(uuid4()), "hold_reason": "asked by a court"})
    erasing = {"kept": letter[1], "erase_reason": "a stranger's name"}
    assert "legal hold" in approver.send(f"{path}/erasures", erasing, status=409).text
    floor.send(f"{path}/hold", {"command": str(uuid4()), "state": "lifted"})
    assert (
        'id="erase_reason-wrong"'
        in approver.send(f"{path}/erasures", {"kept": letter[1]}, status=422).text
    )
    approver.send(f"{path}/erasures", erasing | {"command": str(uuid4())})
    page = floor.get(path)
    assert "asked by a court" in page
    assert "Erased. What it was known by stays." in page
    assert "told him so" not in page


def test_hidden_cards_are_on_record_before_they_are_on_the_page(
    service: Served, floor: Visitor
) -> None:
    path = opened(service, floor)
    public = floor.get(path)
    assert "a face-down card" in public
    seat = service.started(service.hand).seats[0].seat
    shown = floor.get(f"{path}?view=all&why=the+low")
    assert "with all cards" not in public
    assert "the low" in shown
    assert "a face-down card" not in shown
    assert f"as seat {seat} saw it" in floor.get(f"{path}?view=seat:{seat}")
    assert f"as seat {seat} saw it" in floor.get(f"{path}?step=&view=seat:{seat}&why=")
    for step in ("4711", "twelve"):
        assert 'id="step-wrong"' in floor.get(f"{path}?step={step}", 422)
    assert problem_of(floor.get(f"{path}?view=nobody", 422)) == "bad-parameter"


def test_a_what_if_is_kept_and_gives_a_ruling_its_amounts(service: Served, floor: Visitor) -> None:
    path = opened(service, floor)
    events = service.events(service.hand)
    step = max(n for n, event in enumerate(events, 1) if isinstance(event, e.Called))
    asked = {"view": "all", "why": "the call", "whatif_step": str(step), "instead": "fold"}
    answer = floor.send(f"{path}/whatifs", asked | {"command": str(uuid4())})
    page = floor.get(answer.headers["location"])
    assert f"What if: step {step}, fold" in page
    (evidence,) = set(re.findall(rf"{path}/rulings\?evidence=([0-9a-f-]+)", page))
    assert "it was worked out from what the view all shows" in floor.get(path)
    typed = ruling(service, evidence=evidence)
    wanted = {name: text for name, text in typed.items() if not name.startswith("seat-")}
    floor.send(f"{path}/rulings", wanted)
    assert "waits for approval" in floor.get(path)
    for wrong, field in (
        ({"whatif_step": "1", "instead": "fold"}, "whatif_step"),
        ({"whatif_step": str(step), "instead": "sing"}, "instead"),
        ({"policy": "colour=red"}, "policy"),
        ({}, "instead"),
    ):
        assert f'id="{field}-wrong"' in floor.send(f"{path}/whatifs", wrong, status=422).text


def test_a_hand_that_is_still_played_is_not_ruled_on_nor_are_its_cards_shown(
    service: Served, floor: Visitor
) -> None:
    live = service.store(service.events(service.hand)[:20])
    path = opened(service, floor, hand=str(live))
    page = floor.get(path)
    assert "The hand is still being played" in page
    assert "all cards" not in page
    assert problem_of(floor.get(f"{path}?view=all&why=no", 403)) == "hand-still-live"
    assert "(rule D1)" in floor.send(f"{path}/rulings", ruling(service), status=409).text


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("answered", "now", "words", "mark"),
    [
        (None, NOON - timedelta(days=41), "41 days left", "plain"),
        (None, NOON - timedelta(days=1), "1 day left", "warn"),
        (None, NOON, "less than an hour left", "warn"),
        (None, NOON + timedelta(hours=2), "overdue by 2 hours", "bad"),
        (NOON, NOON + timedelta(days=9), "answered in time", "good"),
        (NOON + timedelta(days=2), NOON, "answered 2 days late", "bad"),
    ],
)
def test_how_a_case_stands_against_its_eight_weeks(
    answered: datetime | None, now: datetime, words: str, mark: str
) -> None:
    stands = deadline(NOON, answered, now)
    assert (stands.words, stands.mark) == (words, mark)


def test_the_report_and_the_bundle_are_taken_away(service: Served, floor: Visitor) -> None:
    path = opened(service, floor)
    report = floor.client.get(f"{path}/report")
    assert report.headers["content-type"] == "application/pdf"
    assert report.content.startswith(b"%PDF")
    bundle = floor.send(f"{path}/bundle", {"view": "public"}, status=200)
    assert bundle.content.startswith(b"PK")


def test_an_auditor_reads_and_has_no_form_to_change_anything(
    service: Served, floor: Visitor
) -> None:
    path = opened(service, floor)
    auditor = visitor(service, "auditor")
    page = auditor.get(path)
    assert "Your role reads along" in page
    assert not re.search(rf'action="{path}/(?!bundle)', page)
    assert problem_of(auditor.get("/cases/new", 403)) == "not-allowed"
    assert problem_of(visitor(service, "dealer").get("/cases", 403)) == "not-allowed"
    assert problem_of(floor.get("/cases/nowhere", 404)) == "dispute-not-found"
