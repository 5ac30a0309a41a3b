"""What strangers send to the pages: each is refused in words, and none of it does anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from httpx2 import Response
from msgspec.structs import replace

from domain.disputes import events as d
from services.access_report import AccessWanted, access_entries
from services.disputes import load_case
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served

ELSEWHERE = {"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}
FORM = "multipart/form-data; boundary=B"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture(scope="module")
def floor(service: Served) -> Visitor:
    return visitor(service, "floor")


@pytest.fixture(scope="module")
def case(service: Served, floor: Visitor) -> str:
    fields = {"command": str(uuid4()), "hand": str(service.hand), "step": "12", "channel": "table"}
    who = {"category": "award", "complainant": "else", "complainant_id": "anna"}
    return floor.send("/cases", fields | who).headers["location"]


def told(page: Response) -> tuple[int, str | None]:
    return page.status_code, problem_of(page.text)


def sent(floor: Visitor, path: str, body: bytes, form: str) -> Response:
    headers = {"Content-Type": form, "Accept": "text/html"}
    return floor.client.post(path, content=body, headers=headers)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/hands?table=", 303), ("/sign-in?next=", 200), ("/nowhere?x=", 404), ("/v1/hands?", 401)],
)
def test_bytes_in_a_query_that_are_no_text_are_not_found_or_refused(
    service: Served, path: str, status: int
) -> None:
    page, _, query = path.partition("?")
    assert status_of(service, page, query.encode() + b"\xff") == status


def status_of(service: Served, path: str, query: bytes) -> int:
    """How the app answers a request exactly as a server passes it on."""
    client, found = service.client, list[int]()

    async def go() -> None:
        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Mapping[str, int]) -> None:
            found.append(message.get("status", 0))

        scope = {
            "type": "http", "method": "GET", "scheme": "https", "path": path,
            "raw_path": b"", "query_string": query, "root_path": "",
            "headers": [(b"host", b"testserver"), (b"accept", b"text/html")],
            "client": ("127.0.0.1", 1), "server": ("testserver", 443), "http_version": "1.1",
        }  # fmt: skip
        await service.app(scope, receive, send)  # type: ignore[arg-type]

    assert client.portal is not None
    client.portal.call(go)
    return found[0]


@pytest.mark.parametrize("charset", ["undefined", "punycode", "raw_unicode_escape", "a\0b"])
def test_a_form_is_utf8_whatever_it_says(floor: Visitor, case: str, charset: str) -> None:
    body = b'--B\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\\ud800\r\n--B--\r\n'
    answer = sent(floor, f"{case}/notes", body, f"{FORM}; charset={charset}")
    assert told(answer) == (400, "bad-request")


def test_a_purpose_too_long_for_the_record_is_told_and_nothing_is_done(
    floor: Visitor, case: str
) -> None:
    fields = {"why": "x" * 201, "view": "all", "whatif_step": "12", "instead": "fold"}
    for act in ("bundle", "whatifs"):
        answer = floor.send(f"{case}/{act}", fields | {"command": str(uuid4())}, 422)
        assert "200 fit" in answer.text


def test_a_number_of_too_many_digits_is_no_schedule(service: Served) -> None:
    typed = {"draft": f"id = {'9' * 5000}"}
    assert "too many digits" in visitor(service, "auditor").send("/rake/whatif", typed, 422).text


def test_an_amount_of_another_currency_is_no_amount_of_the_hand(floor: Visitor, case: str) -> None:
    ruling = {"kind": "goodwill", "rule": "P2", "reason": "late", "seat-1": "+€3", "do": "check"}
    answer = floor.send(f"{case}/rulings", ruling | {"command": str(uuid4())}, 422)
    assert "of another currency: the hand&#39;s is USD" in answer.text
    page = f"/hands/{case_hand(case, floor)}/result?step=12&instead=bet+%E2%82%AC4"
    assert "of another currency" in floor.get(page, 422)


def case_hand(case: str, floor: Visitor) -> str:
    return floor.get(case).split("/hands/")[1][:36]


def test_an_address_too_long_to_come_back_to_is_left_out(service: Served) -> None:
    somebody, long = Visitor(service), "/hands?" + urlencode({"table": "é" * 600})
    assert somebody.client.get(long).headers["location"] == "/sign-in"
    assert somebody.sign_in(service.key("floor"), long).headers["location"] == "/hands"


def test_a_proof_is_saved_under_letters_that_a_header_has(service: Served) -> None:
    events = service.events(service.hand)
    hand = service.store((replace(events[0], number="ハンド\r\n１ü"), *events[1:]))  # type: ignore[call-arg]
    Checkpoints(service.room).sign()
    answer = visitor(service, "auditor").client.get(f"/log/proof/file?hand={hand}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="______')
    assert answer.headers["content-disposition"].isascii()


def looked(service: Served) -> int:
    return len(list(access_entries(service.room, AccessWanted(hand=service.hand))))


def test_a_link_of_another_site_puts_nobody_on_record(
    service: Served, floor: Visitor, case: str
) -> None:
    before, query = looked(service), "view=all&why=pressed+by+another"
    asked = floor.client.get(f"/hands/{service.hand}/replay?{query}", headers=ELSEWHERE)
    assert (asked.status_code, "What do you look at them for?" in asked.text) == (200, True)
    assert 'value="pressed by another"' in asked.text
    assert floor.client.get(f"{case}?{query}", headers=ELSEWHERE).status_code == 422
    report = floor.client.get(f"{case}/report?{query}", headers=ELSEWHERE)
    assert told(report) == (403, "not-this-session")
    assert looked(service) == before


def test_what_is_approved_at_once_is_approved_once(
    service: Served, floor: Visitor, case: str
) -> None:
    one, two, *_ = [taken.seat for taken in service.started(service.hand).seats]
    moves = {f"seat-{one}": "-3", f"seat-{two}": "+3", "kind": "corrected_award", "rule": "P2"}
    fields = moves | {"reason": "low misread", "do": "propose", "command": str(uuid4())}
    floor.send(f"{case}/rulings", fields)
    approver, id_of = visitor(service, "approver"), UUID(case.rpartition("/")[2])
    ruling = load_case(service.room.store, id_of).case.pending
    assert ruling is not None
    csrf = approver.csrf()

    def approve(_: int) -> int:
        form = {"csrf": csrf, "command": str(uuid4()), "ruling": str(ruling.id)}
        return approver.client.post(f"{case}/approvals", data=form).status_code

    with ThreadPoolExecutor(3) as at_once:
        assert set(at_once.map(approve, range(3))) <= {303, 409}
    events = load_case(service.room.store, id_of).events
    assert sum(isinstance(event, d.RulingApproved) for event in events) == 1
