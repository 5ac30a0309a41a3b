"""Acting in a live hand over HTTP: one answer per request, for the turn that was answered."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.evolve import replay
from domain.verdict import judge
from services.access import Role
from services.dealing import EXTERNAL
from services.demo.storing import DemoStored
from services.embedded import Server
from services.projecting import projector_of
from services.serving import create_app
from services.store.room import open_room
from tests.conftest import fresh_settings
from tests.support.live import NOON, TableInPlay, player
from tests.support.service import QUIET, Served, served

TYPE = "urn:studledger:problem:"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


class AtTable:
    """A hand at a table of the service, seen over HTTP."""

    def __init__(self, service: Served, table: TableInPlay) -> None:
        self.service, self.table = service, table
        self.dealer = service.headers("dealer")

    def turn(self, headers: dict[str, str] | None = None, view: str = "public") -> dict[str, Any]:
        answer = self.service.client.get(
            f"/v1/hands/{self.table.hand}/turn?view={view}", headers=headers or self.dealer
        )
        assert answer.status_code == 200
        assert answer.headers["etag"] == f'"{answer.json()["turn"]}"'
        body: dict[str, Any] = answer.json()
        return body

    def post(
        self, part: str, body: object, headers: dict[str, str] | None = None, **more: str
    ) -> Response:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return self.service.client.post(
            f"/v1/hands/{self.table.hand}/{part}",
            headers=(headers or self.dealer) | named,
            json=body,
        )

    def act(self, body: object, headers: dict[str, str] | None = None, **more: str) -> Response:
        """An action that answers the turn as it is now."""
        return self.post(
            "actions", body, headers, **{"If_Match": f'"{self.turn()["turn"]}"', **more}
        )

    def seat(self, number: int) -> dict[str, str]:
        """The key of whoever sits there."""
        return self.service.headers("player", player(number))


@pytest.fixture
def hand(service: Served) -> AtTable:
    table = TableInPlay(service.app.state.parts.live)
    table.begin()
    return AtTable(service, table)


def problem(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].removeprefix(TYPE)


def wanted(legal: dict[str, Any]) -> dict[str, Any]:
    """A legal action as it is sent."""
    sent = {"seat": legal["seat"], "action": legal["action"]}
    return sent | ({"to": legal["to"]} if legal["action"] in ("bet", "raise") else {})


def likely(answer: dict[str, Any]) -> dict[str, Any]:
    """Bringing in, betting what may be bet, calling what has been."""
    order = ("bring_in", "bet", "check", "call")
    by_name = {legal["action"]: legal for legal in answer["legal"]}
    return wanted(next(by_name[name] for name in order if name in by_name))


# -- answers ---------------------------------------------------------------------------------------


def test_a_hand_is_played_to_its_end_over_http(hand: AtTable) -> None:
    answer = hand.turn()
    for _ in range(60):
        if not answer["legal"]:
            break
        sent = likely(answer)
        answered = hand.post("actions", sent, If_Match=f'"{answer["turn"]}"')
        assert answered.status_code == 200
        answer = answered.json()
        assert answer["turn"] == answered.headers["etag"].strip('"')
        assert answer["state"]["step"] == answer["events"][-1]["n"]
    assert answer["deadline"] is None
    assert answer["events"][-1]["event"]["type"] == "hand_completed.v1"
    assert judge(hand.table.stored()).verdict == "clean"
    assert hand.table.table().table.playing is None


def test_a_live_hand_is_found_and_judged_as_any_other(service: Served, hand: AtTable) -> None:
    turn = hand.turn()
    refused = {"seat": turn["legal"][0]["seat"], "action": "check"}
    assert hand.act(refused).status_code == 409
    hand.table.last = replace(hand.table.last, turn=turn["turn"])
    number = hand.table.to_the_end().hand.started.number
    projector_of(service.room).catch_up()
    (found,) = service.client.get(
        f"/v1/hands?number={number}", headers=service.headers("floor")
    ).json()["hands"]
    assert (found["hand"], found["verdict"]) == (str(hand.table.hand), "clean")
    called = service.client.get(f"/v1/hands/{number}/turn", headers=hand.dealer)
    assert called.json()["hand"] == found["hand"]


def test_the_answer_has_the_new_events_the_table_the_choices_and_the_time(hand: AtTable) -> None:
    before = hand.turn()
    answer = hand.act(likely(before)).json()
    assert set(answer) == {
        *("hand", "turn", "events", "state", "legal", "countdown_at", "deadline", "paused"),
    }
    assert [one["event"]["type"] for one in answer["events"]] == ["bring_in_posted.v1"]
    assert answer["state"] == hand.turn()["state"]
    assert answer["legal"] == answer["state"]["legal"] != before["legal"]
    assert before["countdown_at"] < before["deadline"] < answer["deadline"]


def test_events_carry_the_time_at_which_the_request_arrived(server: Server) -> None:
    time = [NOON]
    with open_room(fresh_settings(server)) as room:
        app = create_app(room, QUIET, lambda: time[0])
        with TestClient(app) as client:
            table = TableInPlay(app.state.parts.live)
            table.begin()
            hand = AtTable(Served(room, app, client, DemoStored()), table)
            turn = hand.turn()
            time[0] += timedelta(seconds=5)
            answer = hand.post("actions", likely(turn), If_Match=turn["turn"]).json()
    assert {one["event"]["at"] for one in answer["events"]} == {"2026-01-31T12:00:05Z"}


@pytest.mark.parametrize("role", ["dealer", "floor", "admin"])
def test_nobody_sees_anothers_down_cards_in_an_answer(hand: AtTable, role: Role) -> None:
    down = {c for ev in hand.table.stored() if isinstance(ev, e.CardsDealt) for c in ev.down}
    headers = hand.service.headers(role)
    incident = hand.post("incidents", {"kind": "spill", "text": "x"}, headers)
    for answer in (
        incident,
        hand.service.client.get(f"/v1/hands/{hand.table.hand}/turn", headers=headers),
    ):
        assert answer.status_code == 200
        assert not any(f'"{card}"' in answer.text for card in down)


def test_a_player_sees_his_own_cards_in_his_answer(hand: AtTable) -> None:
    sent = likely(hand.turn())
    own = next(
        ev.down
        for ev in hand.table.stored()
        if isinstance(ev, e.CardsDealt) and ev.seat == sent["seat"]
    )
    answer = hand.act(sent, hand.seat(sent["seat"])).json()
    shown = {seat["seat"]: seat["down"] for seat in answer["state"]["seats"]}
    assert shown.pop(sent["seat"]) == list(own)
    assert {card for down in shown.values() for card in down} == {"??"}


# -- refusals --------------------------------------------------------------------------------------


def test_what_the_rules_do_not_allow_is_told_with_rule_and_alternatives(hand: AtTable) -> None:
    turn = hand.turn()
    answer = hand.act({"seat": turn["legal"][0]["seat"], "action": "fold"})
    assert problem(answer) == (409, "against-the-rules")
    assert answer.json()["rule"] == "S4"
    assert answer.json()["legal"] == turn["legal"]
    assert hand.turn() == turn


def test_an_action_says_which_turn_it_answers(hand: AtTable) -> None:
    sent = likely(hand.turn())
    assert problem(hand.post("actions", sent)) == (428, "turn-required")
    assert problem(hand.post("actions", sent, If_Match="*")) == (428, "turn-required")
    first = hand.turn()
    assert hand.act(sent).status_code == 200
    moved = hand.post("actions", sent, If_Match=f'"{first["turn"]}"')
    now = hand.turn()
    assert problem(moved) == (412, "turn-moved")
    assert (moved.json()["turn"], moved.json()["legal"]) == (now["turn"], now["legal"])
    assert moved.headers["etag"] == f'"{now["turn"]}"'


def test_a_connection_lost_between_does_not_cost_anybody_his_turn(hand: AtTable) -> None:
    turn = hand.turn()
    other = next(s for s in hand.table.stacks() if s != turn["legal"][0]["seat"])
    lost = hand.post("connection", {"seat": other, "state": "lost"})
    assert lost.json()["turn"] == turn["turn"]
    assert hand.post("connection", {"seat": other, "state": "back"}).status_code == 200
    assert hand.post("actions", likely(turn), If_Match=turn["turn"]).status_code == 200


@pytest.mark.parametrize(
    ("part", "body"),
    [
        ("actions", {"seat": 3, "action": "steal"}),
        ("actions", {"seat": 3}),
        ("actions", {"seat": 30, "action": "fold"}),
        ("actions", {"seat": 3, "action": "fold", "to": 100}),
        ("actions", {"seat": 3, "action": "fold", "why": "bored"}),
        ("actions", [1]),
        ("connection", {"seat": 3, "state": "wobbly"}),
        ("cards", {"cards": []}),
        ("cards", {"cards": ["Zz"]}),
        ("incidents", {"kind": "", "text": "x"}),
        ("void", {"reason": ""}),
        ("clock", {"state": "slow", "reason": "x"}),
    ],
)
def test_a_body_of_another_shape_is_told_so(hand: AtTable, part: str, body: object) -> None:
    admin = hand.service.headers("admin")
    answer = hand.post(part, body, admin, If_Match="x")
    assert problem(answer) == (422, "bad-parameter")
    assert answer.json()["errors"][0]["name"] == "body"


def test_a_hand_that_is_not_there_is_not_found(hand: AtTable) -> None:
    for called in (uuid4(), "nosuch", hand.table.id):
        answer = hand.service.client.post(
            f"/v1/hands/{called}/actions",
            headers=hand.dealer | {"If-Match": "x"},
            json={"seat": 1, "action": "fold"},
        )
        assert problem(answer) == (404, "hand-not-found")


def test_a_hand_that_was_not_dealt_here_is_only_looked_at(service: Served, hand: AtTable) -> None:
    answer = service.client.post(
        f"/v1/hands/{service.hand}/actions",
        headers=hand.dealer | {"If-Match": "x"},
        json={"seat": 1, "action": "fold"},
    )
    assert problem(answer) == (409, "not-dealt-here")


def test_a_player_acts_at_his_own_seat(hand: AtTable) -> None:
    sent = likely(hand.turn())
    other = next(s for s in hand.table.stacks() if s != sent["seat"])
    assert problem(hand.act(sent, hand.seat(other))) == (403, "not-your-seat")
    assert hand.act(sent, hand.seat(sent["seat"])).status_code == 200


def test_a_hand_that_is_over_takes_no_action(hand: AtTable) -> None:
    turn = hand.turn()
    floor = hand.service.headers("floor")
    void = hand.post("void", {"reason": "fouled deck"}, floor)
    assert void.json()["events"][-1]["event"]["type"] == "hand_voided.v1"
    assert hand.table.table().table.playing is None
    answer = hand.post("actions", likely(turn), If_Match=turn["turn"])
    assert problem(answer) == (409, "against-the-rules")
    assert answer.json()["rule"] == "P9"
    assert hand.post("incidents", {"kind": "after", "text": "x"}, floor).status_code == 200


def test_cards_of_an_external_deck_are_dealt_street_by_street(service: Served) -> None:
    table = TableInPlay(service.app.state.parts.live)
    table.begin(EXTERNAL)
    hand = AtTable(service, table)
    assert hand.turn()["legal"] == []
    due = cards_due(replay(table.stored()))
    assert due is not None
    few = hand.post("cards", {"cards": list(DECK[:2])})
    assert problem(few) == (409, "against-the-rules")
    dealt = hand.post("cards", {"cards": list(DECK[: due.cards])})
    assert dealt.json()["legal"]


def test_a_stopped_clock_costs_nobody_his_time(hand: AtTable) -> None:
    floor = hand.service.headers("floor")
    paused = hand.post("clock", {"state": "paused", "reason": "fire alarm"}, floor)
    assert paused.json()["paused"] is True
    resumed = hand.post("clock", {"state": "resumed", "reason": "false alarm"}, floor)
    assert resumed.json()["paused"] is False
    assert resumed.json()["deadline"] > paused.json()["deadline"]


# -- the same request again ------------------------------------------------------------------------


def test_a_request_sent_again_is_answered_the_same_and_done_once(hand: AtTable) -> None:
    turn = hand.turn()
    sent = likely(turn)
    asked = {"If_Match": turn["turn"], "Idempotency_Key": str(uuid4())}
    first = hand.post("actions", sent, **asked)
    stored = hand.table.stored()
    assert hand.act(likely(hand.turn())).status_code == 200
    again = hand.post("actions", sent, **asked)
    assert first.status_code == again.status_code == 200
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    assert hand.table.stored()[: len(stored)] == stored


def test_a_refused_request_sent_again_is_refused_the_same(hand: AtTable) -> None:
    turn = hand.turn()
    asked = {"If_Match": turn["turn"], "Idempotency_Key": "k"}
    sent = {"seat": turn["legal"][0]["seat"], "action": "check"}
    first = hand.post("actions", sent, **asked)
    assert hand.act(likely(turn)).status_code == 200
    again = hand.post("actions", sent, **asked)
    assert problem(first) == (409, "against-the-rules")
    assert again.json() == first.json()
    assert len(hand.table.attempts()) == 1


def test_a_key_stands_for_one_request_of_one_subject(hand: AtTable) -> None:
    turn = hand.turn()
    asked = {"If_Match": turn["turn"], "Idempotency_Key": "mine"}
    assert hand.post("actions", likely(turn), **asked).status_code == 200
    other = {"seat": 1, "action": "fold"}
    assert problem(hand.post("actions", other, **asked)) == (422, "idempotency-key-reused")
    route = hand.post("connection", {"seat": 1, "state": "lost"}, Idempotency_Key="mine")
    assert problem(route) == (422, "idempotency-key-reused")
    now = hand.turn()
    stranger = hand.service.headers("dealer")
    sent = likely(now)
    answer = hand.post("actions", sent, stranger, If_Match=now["turn"], Idempotency_Key="mine")
    assert answer.status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 201, "\x7f"])
def test_a_key_is_short_and_printable(hand: AtTable, key: str) -> None:
    answer = hand.act(likely(hand.turn()), Idempotency_Key=key)
    assert problem(answer) == (422, "bad-parameter")


def test_however_a_request_is_written_it_is_the_same_and_answered_so(hand: AtTable) -> None:
    """What is written as usual goes a shorter way to its answer than the rest."""
    turn = hand.turn()["turn"]
    sent, usual = likely(hand.turn()), hand.dealer["Authorization"]
    answers = [
        hand.post(
            "actions", sent, {"Authorization": shown}, If_Match=named, Idempotency_Key="one request"
        )
        for shown in (usual, usual.replace("Bearer", "bearer"))
        for named in (f'"{turn}"', turn)
    ]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.content for answer in answers}) == 1
    refused = [hand.post("actions", {"seat": 30}, If_Match=named) for named in (turn, f'"{turn}"')]
    assert problem(refused[0]) == problem(refused[1]) == (422, "bad-parameter")
    assert refused[0].json()["errors"] == refused[1].json()["errors"]
