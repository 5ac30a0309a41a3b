"""Posted hands: each fact once, however often it is sent; what cannot be applied is kept aside."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any
from uuid import UUID, uuid4

import pytest
from httpx2 import Response
from msgspec.structs import replace
from structlog.testing import capture_logs

from domain import events as e
from services.demo.hands import table_hands
from services.embedded import Server
from services.projecting import projector_of
from services.witness.lines import LONGEST_LINE
from tests.support.faults import until
from tests.support.service import Served, served
from tests.support.streams import live

DEALT = [hand.events for hand in table_hands(4)]

Events = Sequence[e.HandEvent]
Told = list[dict[str, Any]]


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture
def server_key(service: Served) -> dict[str, str]:
    """The key of a game server."""
    return service.headers("dealer")


def told_elsewhere(events: Events = DEALT[0], **other: Any) -> tuple[e.HandEvent, ...]:
    """A hand of another house, under a number nobody has used."""
    started = events[0]
    assert isinstance(started, e.HandStarted)
    facts = {"site": "elsewhere", "number": f"E{uuid4().hex[:10]}"} | other
    return (replace(started, **facts), *events[1:])


def line(hand: str, n: int, event: e.HandEvent) -> bytes:
    return b'{"hand":%s,"n":%d,"event":%s}\n' % (json.dumps(hand).encode(), n, e.encode(event))


def lines(hand: str, events: Events, since: int = 1) -> bytes:
    return b"".join(line(hand, n, event) for n, event in enumerate(events, since))


def send(service: Served, key: dict[str, str], body: bytes) -> Response:
    headers = key | {"Content-Type": "application/jsonl"}
    return service.client.post("/v1/witness/hands", headers=headers, content=body)


def post(service: Served, key: dict[str, str], body: bytes) -> Told:
    answer = send(service, key, body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/jsonl")
    return [json.loads(one) for one in answer.text.splitlines()]


def statuses(told: Told) -> list[str]:
    return [one["status"] for one in told]


def stored(service: Served, told: Told) -> tuple[e.HandEvent, ...]:
    return service.events(UUID(told[0]["hand"]))


# -- each fact once --------------------------------------------------------------------------------


def test_a_posted_hand_is_stored_as_it_was_told(
    service: Served, server_key: dict[str, str]
) -> None:
    events = told_elsewhere()
    told = post(service, server_key, lines("G-1", events))
    assert set(statuses(told)) == {"stored"}
    assert [one["n"] for one in told] == [*range(1, len(events) + 1)]
    facts = service.room.store.load(UUID(told[0]["hand"]))
    assert [one["position"] for one in told] == [fact.position for fact in facts]
    assert not any(one["findings"] for one in told)
    started, *rest = stored(service, told)
    assert isinstance(started, e.HandStarted)
    assert started.source == e.Source(kind="posted", format="jsonl", text_sha256=None)
    assert rest == list(events[1:])
    first = events[0]
    assert isinstance(first, e.HandStarted)
    names = service.room.players.names([seat.player for seat in started.seats])
    assert [names[seat.player] for seat in started.seats] == [seat.player for seat in first.seats]
    assert service.room.secrets.of(UUID(told[0]["hand"]))


def test_its_sender_calls_a_hand_as_he_likes_and_everybody_by_our_id(
    service: Served, server_key: dict[str, str]
) -> None:
    events = told_elsewhere()
    first = post(service, server_key, lines("mine", events[:10]))
    hand = first[0]["hand"]
    other = service.headers("dealer")
    assert statuses(post(service, other, line("mine", 11, events[10]))) == ["refused"]
    assert statuses(post(service, other, line(hand, 11, events[10]))) == ["stored"]
    assert statuses(post(service, server_key, line("mine", 12, events[11]))) == ["stored"]


def test_a_line_sent_again_is_known_and_answered_alike(
    service: Served, server_key: dict[str, str]
) -> None:
    body = lines("G-2", told_elsewhere())
    first, again = post(service, server_key, body), post(service, server_key, body)
    assert set(statuses(again)) == {"duplicate"}
    assert [one | {"status": "stored"} for one in again] == first


def test_another_fact_in_the_place_of_one_is_a_conflict_and_changes_nothing(
    service: Served, server_key: dict[str, str]
) -> None:
    events = told_elsewhere()
    first = post(service, server_key, lines("G-3", events))
    (told,) = post(service, server_key, line("G-3", 2, e.Folded(seat=1)))
    assert (told["status"], told["position"]) == ("conflict", None)
    (told,) = post(service, server_key, line("G-3", 1, told_elsewhere()[0]))
    assert told["status"] == "conflict"
    assert stored(service, first)[1:] == events[1:]


def test_a_gap_is_told_what_comes_next(service: Served, server_key: dict[str, str]) -> None:
    events = told_elsewhere()
    told = post(service, server_key, lines("G-4", events[:3]) + line("G-4", 6, events[5]))
    assert (told[-1]["status"], told[-1]["expected"]) == ("gap", 4)
    assert set(statuses(post(service, server_key, lines("G-4", events[3:], 4)))) == {"stored"}


def test_two_who_post_one_hand_at_once_store_it_once(server: Server, service: Served) -> None:
    events = told_elsewhere(DEALT[1])
    keys = [service.headers("dealer") for _ in range(4)]
    bodies = [line("same", n, event) for n, event in enumerate(events, 1)]

    def post_all(key: dict[str, str]) -> Told:
        return [post(service, key, body)[0] for body in bodies]

    with ThreadPoolExecutor(4) as clients:
        told = list(clients.map(post_all, keys))
    assert {status for one in told for status in statuses(one)} <= {"stored", "duplicate"}
    by_line = list(zip(*told, strict=True))
    assert all(statuses(list(same)).count("stored") == 1 for same in by_line)
    assert all(len({one["position"] for one in same}) == 1 for same in by_line)
    assert stored(service, told[0])[1:] == events[1:]


def test_a_request_cut_off_in_the_middle_is_sent_again(server: Server) -> None:
    hands = [told_elsewhere(events) for events in DEALT]
    body = b"".join(lines(f"cut-{n}", events) for n, events in enumerate(hands))
    with live(server, "witnessing", hands=0) as running, capture_logs() as logged:
        key = running.service.headers("dealer")
        head = f"Authorization: {key['Authorization']}\r\nContent-Length: {len(body)}\r\n"
        request = f"POST /v1/witness/hands HTTP/1.1\r\nHost: here\r\n{head}\r\n"
        with socket.create_connection(("127.0.0.1", running.port)) as sender:
            sender.sendall(request.encode() + body[: len(body) * 3 // 4])
            until(running.log, "something to be stored")
        with contextlib.closing(HTTPConnection("127.0.0.1", running.port)) as again:
            again.request("POST", "/v1/witness/hands", body, key)
            told = [json.loads(one) for one in again.getresponse().read().splitlines()]
        assert set(statuses(told)) == {"stored", "duplicate"}
        for n, events in enumerate(hands):
            own = [one for one in told if one["called"] == f"cut-{n}"]
            assert stored(running.service, own)[1:] == events[1:]
    assert {line["event"] for line in logged} == {"request"}


def test_hands_dealt_or_imported_here_are_not_posted(
    service: Served, server_key: dict[str, str]
) -> None:
    (told,) = post(service, server_key, line(str(service.hand), 2, e.Folded(seat=1)))
    assert (told["status"], told["reason"]) == ("refused", "this hand was dealt")


# -- legal or not ----------------------------------------------------------------------------------


def test_what_the_rules_object_to_is_stored_and_said(
    service: Served, server_key: dict[str, str]
) -> None:
    events = told_elsewhere()
    place = next(n for n, event in enumerate(events) if isinstance(event, e.CardsDealt))
    told = post(service, server_key, lines("G-5", (*events[:place], e.Checked(seat=1))))
    assert told[-1]["status"] == "stored"
    (finding,) = told[-1]["findings"]
    assert (finding["step"], finding["rule"]) == (place + 1, "G5")


def twice(events: Events) -> e.HandEvent:
    """A card that has been dealt already, dealt again."""
    dealt = next(event for event in events if isinstance(event, e.CardsDealt))
    return replace(dealt, street=4, down=(), up=dealt.up)


NOT_APPLICABLE = {
    "a card dealt twice": twice,
    "more chips than he has": lambda events: e.Called(seat=1, amount=10**9, all_in=False),
    "chips made from nothing": lambda events: e.UncalledReturned(seat=1, amount=10**9),
    "a seat not in the hand": lambda events: e.Folded(seat=9),
    "another start": lambda events: events[0],
}


@pytest.mark.parametrize("what", NOT_APPLICABLE)
def test_from_what_cannot_be_applied_a_hand_is_suspended_and_others_go_on(
    service: Served, server_key: dict[str, str], what: str
) -> None:
    events, other = told_elsewhere(), told_elsewhere(DEALT[1])
    at = 2 + next(n for n, event in enumerate(events) if isinstance(event, e.CardsDealt))
    wrong = NOT_APPLICABLE[what](events)
    body = lines("bad", (*events[: at - 1], wrong, *events[at:]))
    told = post(service, server_key, body + lines("good", other))
    mine = [one for one in told if one["called"] == "bad"]
    assert set(statuses(mine[: at - 1])) == {"stored"}
    assert set(statuses(mine[at - 1 :])) == {"suspended"}
    assert {one["reason"] for one in mine[at - 1 :]} == {mine[at - 1]["reason"]}
    assert {one["expected"] for one in mine[at - 1 :]} == {at}
    assert set(statuses([one for one in told if one["called"] == "good"])) == {"stored"}
    assert len(stored(service, mine)) == at - 1
    # Nothing is forgotten, nothing is kept twice, and what was stored is still known.
    again = post(service, server_key, body)
    assert statuses(again) == ["duplicate"] * (at - 1) + ["suspended"] * (len(again) - at + 1)
    floor = service.headers("floor")
    answer = service.client.get("/v1/witness/suspended", headers=floor)
    (waiting,) = [one for one in answer.json()["hands"] if one["hand"] == mine[0]["hand"]]
    assert (waiting["n"], waiting["type"]) == (at, e.tag_of(wrong))
    assert (waiting["lines"], waiting["reason"]) == (len(mine) - at + 1, mine[at - 1]["reason"])
    assert "event" not in waiting


def suspend(service: Served, key: dict[str, str], called: str) -> tuple[str, int, Events]:
    """A hand with one wrong line in the middle; its id, that line's n, and what is right."""
    events = told_elsewhere()
    at = 12
    body = lines(called, events[: at - 1]) + line(called, at, e.Folded(seat=9))
    told = post(service, key, body + lines(called, events[at:], at + 1))
    assert told[-1]["status"] == "suspended"
    return told[0]["hand"], at, events


def release(service: Served, hand: str, body: object = None) -> Response:
    path = f"/v1/witness/suspended/{hand}"
    return service.client.post(path, headers=service.headers("floor"), json=body)


def test_the_floor_puts_a_corrected_fact_in_its_place_and_the_hand_goes_on(
    service: Served, server_key: dict[str, str]
) -> None:
    hand, at, events = suspend(service, server_key, "G-6")
    still = release(service, hand, {"event": {"type": "folded.v1", "seat": 10}}).json()
    assert (still["suspended"], statuses(still["lines"])) == (True, ["suspended"])
    event = json.loads(e.encode(events[at - 1]))
    answer = release(service, hand, {"event": event}).json()
    assert answer["suspended"] is False
    assert statuses(answer["lines"]) == ["stored"] * (len(events) - at + 1)
    assert service.events(UUID(hand))[1:] == events[1:]
    corrected = service.room.store.load(UUID(hand))[at - 1]
    assert corrected.causation == "release of a suspended hand"
    assert set(statuses(post(service, server_key, lines("G-6", events)))) == {"duplicate"}


def test_the_floor_lets_the_sender_send_it_again(
    service: Served, server_key: dict[str, str]
) -> None:
    hand, at, events = suspend(service, server_key, "G-7")
    answer = release(service, hand).json()
    assert (answer["suspended"], answer["lines"]) == (False, [])
    assert set(statuses(post(service, server_key, lines("G-7", events[at - 1 :], at)))) == {
        "stored"
    }
    # To let go on what goes on does no harm; what is no hand cannot.
    assert release(service, hand).status_code == 200
    assert release(service, str(uuid4())).status_code == 404
    assert release(service, hand, {"event": {"type": "folded.v1", "seat": 1}}).status_code == 404


@pytest.mark.parametrize("body", [{"event": {"type": "no.v1"}}, {"events": []}, {"event": 1}, []])
def test_a_corrected_fact_is_read_as_strictly(service: Served, body: object) -> None:
    answer = release(service, str(service.hand), body)
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (422, "body")


# -- hostile lines ---------------------------------------------------------------------------------

FOLD = '{"type":"folded.v1","seat":1}'
HOSTILE = {
    "no JSON": b"hello",
    "not UTF-8": b'{"hand":"\xff","n":1,"event":{}}',
    "a byte order mark": b'\xef\xbb\xbf{"hand":"x","n":1,"event":{}}',
    "nested": b"[" * 60_000,
    "nested inside": b'{"hand":"x","n":1,"event":' + b'{"a":' * 9_000 + b"1" + b"}" * 9_001,
    "huge": b'{"hand":"x","n":1,"event":"' + b"x" * LONGEST_LINE + b'"}',
    "NaN": b'{"hand":"x","n":NaN,"event":{}}',
    "endless": b'{"hand":"x","n":1e999,"event":{}}',
    "many digits": b'{"hand":"x","n":' + b"9" * 5_000 + b',"event":{}}',
    "a name twice": f'{{"hand":"x","n":1,"n":2,"event":{FOLD}}}'.encode(),
    "a name twice inside": b'{"hand":"x","n":1,"event":{"type":"folded.v1","seat":1,"seat":2}}',
    "another field": f'{{"hand":"x","n":1,"event":{FOLD},"x":1}}'.encode(),
    "another field inside": b'{"hand":"x","n":1,"event":{"type":"folded.v1","seat":1,"x":1}}',
    "n is 0": f'{{"hand":"x","n":0,"event":{FOLD}}}'.encode(),
    "n is a text": f'{{"hand":"x","n":"1","event":{FOLD}}}'.encode(),
    "n has decimals": f'{{"hand":"x","n":1.5,"event":{FOLD}}}'.encode(),
    "no hand": f'{{"n":1,"event":{FOLD}}}'.encode(),
    "an empty hand": f'{{"hand":"","n":1,"event":{FOLD}}}'.encode(),
    "a zero character": f'{{"hand":"\\u0000","n":1,"event":{FOLD}}}'.encode(),
    "half a character": f'{{"hand":"\\ud800","n":1,"event":{FOLD}}}'.encode(),
    "an unknown event": b'{"hand":"x","n":1,"event":{"type":"cheated.v1"}}',
    "a fact of a table": b'{"hand":"x","n":1,"event":{"type":"sat_out.v1","seat":1}}',
    "a hand nobody began": f'{{"hand":"x","n":1,"event":{FOLD}}}'.encode(),
    "a hand that is none": f'{{"hand":"{uuid4()}","n":1,"event":{FOLD}}}'.encode(),
}


def test_a_hostile_line_is_refused_and_its_neighbours_are_taken(
    service: Served, server_key: dict[str, str]
) -> None:
    events = told_elsewhere()
    body = lines("fine", events[:2]) + b"\n".join(HOSTILE.values()) + b"\n\r\n\n"
    told = post(service, server_key, body + lines("fine", events[2:], 3))
    refused = told[2 : 2 + len(HOSTILE)]
    assert dict(zip(HOSTILE, statuses(refused), strict=True)) == dict.fromkeys(HOSTILE, "refused")
    assert all(one["reason"] and len(one["reason"]) <= 300 for one in refused)
    assert [one["line"] for one in refused] == [*range(3, 3 + len(HOSTILE))]
    assert set(statuses(told[:2] + told[2 + len(HOSTILE) :])) == {"stored"}


def test_a_start_without_number_or_names_is_refused(
    service: Served, server_key: dict[str, str]
) -> None:
    started = told_elsewhere()[0]
    assert isinstance(started, e.HandStarted)
    nameless = (replace(started.seats[0], player=""), *started.seats[1:])
    for wrong in (replace(started, number=""), replace(started, seats=nameless)):
        assert statuses(post(service, server_key, line("none", 1, wrong))) == ["refused"]


def test_a_body_larger_than_the_limit_is_refused(
    service: Served, server_key: dict[str, str]
) -> None:
    assert send(service, server_key, b"x" * (2 << 20)).status_code == 413
    assert send(service, server_key, b"\n\n").status_code == 422
    answer = send(service, server_key | {"Accept": "text/csv"}, b"{}")
    assert answer.status_code == 406


def test_posted_hands_are_found_like_any_other(service: Served, server_key: dict[str, str]) -> None:
    events = told_elsewhere(DEALT[2])
    told = post(service, server_key, lines("G-9", events))
    projector_of(service.room).catch_up()
    headers = service.headers("auditor")
    sheet = service.client.get(f"/v1/hands/{told[0]['hand']}", headers=headers).json()
    assert (sheet["source"], sheet["verdict"]) == ("posted", "clean")
