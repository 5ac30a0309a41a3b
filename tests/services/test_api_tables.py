"""Tables over HTTP: opened, sat down at, dealt at, left and closed, each request done once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from httpx2 import Response

from domain.cards import DECK
from domain.house_rules import ROBERTS
from domain.tables import events as t
from services.embedded import Server
from services.projecting import projector_of
from tests.support.service import Served, served

TYPE = "urn:studledger:problem:"
OPENING: dict[str, Any] = {
    "name": "A",
    "game": "stud8",
    "stakes": {"small_bet": 200, "big_bet": 400, "ante": 25, "bring_in": 100},
    "money": {"kind": "real", "currency": "USD"},
    "max_seats": 8,
}


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


class Floor:
    """Somebody who runs tables of the service."""

    def __init__(self, service: Served) -> None:
        self.service = service
        self.floor, self.dealer = service.headers("floor"), service.headers("dealer")

    def post(self, path: str, body: object, headers: dict[str, str] | None = None) -> Response:
        return self.service.client.post(path, headers=headers or self.floor, json=body)

    def open(self, **changed: Any) -> OpenTable:
        answer = self.post("/v1/tables", OPENING | changed)
        assert answer.status_code == 200, answer.text
        return OpenTable(self, answer.json())


class OpenTable:
    """A table of the service, as the last answer had it."""

    def __init__(self, floor: Floor, sheet: dict[str, Any]) -> None:
        self.floor, self.sheet = floor, sheet
        self.id = sheet["table"]

    def ask(
        self, part: str, body: object, headers: dict[str, str] | None = None, key: str | None = None
    ) -> Response:
        sent = headers or (self.floor.floor if part == "close" else self.floor.dealer)
        sent = sent | ({"Idempotency-Key": key} if key else {})
        return self.floor.post(f"/v1/tables/{self.id}/{part}", body, sent)

    def done(self, part: str, body: object, **more: Any) -> dict[str, Any]:
        answer = self.ask(part, body, **more)
        assert answer.status_code == 200, answer.text
        answered: dict[str, Any] = answer.json()
        return answered

    def sit(self, seat: int, player: str, stack: int = 20000) -> dict[str, Any]:
        return self.done("seats", {"seat": seat, "player": player, "stack": stack})

    def now(self) -> dict[str, Any]:
        answer = self.floor.service.client.get(f"/v1/tables/{self.id}", headers=self.floor.dealer)
        assert answer.status_code == 200
        sheet: dict[str, Any] = answer.json()
        return sheet

    def seats(self) -> dict[int, dict[str, Any]]:
        return {seat["seat"]: seat for seat in self.now()["seats"]}


@pytest.fixture(scope="module")
def floor(service: Served) -> Floor:
    return Floor(service)


@pytest.fixture
def table(floor: Floor) -> OpenTable:
    """A table with two people at it."""
    table = floor.open()
    table.sit(3, f"anna {table.id}")
    table.sit(5, f"beno {table.id}")
    return table


def problem(answer: Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["type"].removeprefix(TYPE)


# -- opening ---------------------------------------------------------------------------------------


def test_a_table_is_opened_with_the_games_own_rules_and_the_rooms_schedule(floor: Floor) -> None:
    sheet = floor.open().sheet
    assert sheet["house_rules"]["name"] == "topspoker"
    assert sheet["rake_schedule"] == {"id": "topspoker", "version": 1}
    assert sheet["money"] == {"kind": "real", "currency": "USD", "exponent": 2}
    assert (sheet["is_open"], sheet["seats"], sheet["hand"], sheet["hands"]) == (True, [], None, 0)
    assert floor.open(game="stud_hilo").sheet["house_rules"]["name"] == "cardroom"


def test_house_rules_are_named_or_given_whole(floor: Floor) -> None:
    play = {"kind": "play"}
    assert floor.open(house_rules="roberts", money=play).sheet["house_rules"]["burn_cards"]
    rules = {name: getattr(ROBERTS, name) for name in ROBERTS.__struct_fields__} | {"name": "ours"}
    sheet = floor.open(house_rules=rules, money=play).sheet
    assert sheet["house_rules"]["name"] == "ours"
    assert sheet["rake_schedule"] is None


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"stakes": {"small_bet": 300_000}}, "R3"),
        ({"money": {"kind": "real", "currency": "EUR"}}, "R3"),
        ({"stakes": {"small_bet": 200, "big_bet": 300}}, "S6"),
        ({"stakes": {"small_bet": 200, "bring_in": 20}}, "S4"),
        ({"max_seats": 9}, "G4"),
        ({"house_rules": "pokerstars"}, "R2"),
    ],
)
def test_what_the_rules_do_not_allow_is_not_opened(
    floor: Floor, changed: dict[str, Any], rule: str
) -> None:
    answer = floor.post("/v1/tables", OPENING | changed)
    assert problem(answer) == (409, "against-the-rules")
    assert answer.json()["rule"] == rule


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"name": None},
        {"game": "holdem"},
        {"stakes": {"small_bet": -1}},
        {"stakes": {"small_bet": 200, "chip_unit": 0}},
        {"max_seats": 11},
        {"money": {"kind": "real", "exponent": 16}},
        {"money": {"kind": "real", "currency": "$"}},
        {"house_rules": "nobody's"},
        {"house_rules": {"name": "half of them"}},
        {"rake_schedule": "unpublished"},
        {"rake_schedule": {"id": "topspoker", "version": 9}},
        {"colour": "green"},
    ],
)
def test_a_table_of_another_shape_is_told_so(floor: Floor, changed: dict[str, Any]) -> None:
    assert problem(floor.post("/v1/tables", OPENING | changed)) == (422, "bad-parameter")


def test_a_preset_there_is_not_is_told_with_those_there_are(floor: Floor) -> None:
    answer = floor.post("/v1/tables", OPENING | {"house_rules": "nobody's"})
    (error,) = answer.json()["errors"]
    assert error["name"] == "house_rules"
    assert "roberts" in error["possible"]


# -- seats -----------------------------------------------------------------------------------------


def test_a_player_sits_down_by_name_and_the_log_knows_his_id_only(floor: Floor) -> None:
    table = floor.open()
    (seat,) = table.sit(3, "anna")["seats"]
    assert (seat["seat"], seat["name"], seat["stack"], seat["in_hand"]) == (3, "anna", 20000, False)
    stored = floor.service.room.store.load(UUID(table.id))[-1]
    event = t.decode(stored.state)
    assert isinstance(event, t.PlayerSeated)
    assert (event.player, stored.actor != "") == (seat["player"], True)
    assert b"anna" not in stored.state
    elsewhere = floor.open()
    assert elsewhere.sit(1, seat["player"])["seats"][0]["name"] == "anna"


def test_an_id_nobody_has_is_a_wrong_parameter(floor: Floor) -> None:
    body = {"seat": 3, "player": str(uuid4()), "stack": 1}
    assert problem(floor.open().ask("seats", body)) == (422, "bad-parameter")


def test_the_rules_of_seats_are_told_with_their_ids(table: OpenTable) -> None:
    who = table.seats()[3]["name"]
    for body, rule in (
        ({"seat": 3, "player": "carl", "stack": 1}, "G4"),
        ({"seat": 4, "player": who, "stack": 1}, "G4"),
        ({"seat": 9, "player": "carl", "stack": 1}, "G4"),
        ({"seat": 4, "player": "carl", "stack": 0}, "B6"),
    ):
        answer = table.ask("seats", body)
        assert problem(answer) == (409, "against-the-rules")
        assert answer.json()["rule"] == rule
    assert problem(table.ask("chips", {"seat": 4, "amount": 1})) == (409, "against-the-rules")


@pytest.mark.parametrize(
    ("part", "body"),
    [
        ("seats", {"seat": 11, "player": "anna", "stack": 1}),
        ("seats", {"seat": 3, "player": "", "stack": 1}),
        ("seats", {"seat": 3, "player": "anna"}),
        ("chips", {"seat": 3, "amount": -1}),
        ("chips", {"seat": 3, "amount": 1.5}),
        ("sit-out", {"seat": "3"}),
        ("sit-in", {}),
        ("leave", [3]),
        ("close", {"now": True}),
        ("hands", {"dealer": 0}),
        ("hands", {"deck": "marked"}),
        ("hands", {"deck": {"source": "supplied", "cards": ["Ah"]}}),
    ],
)
def test_a_request_of_another_shape_is_told_so(table: OpenTable, part: str, body: object) -> None:
    assert problem(table.ask(part, body)) == (422, "bad-parameter")


@pytest.mark.parametrize("part", ["seats", "chips", "sit-out", "sit-in", "leave", "close", "hands"])
@pytest.mark.parametrize("table", [str(UUID(int=9)), "no-id"])
def test_a_table_that_is_not_there_is_not_found(floor: Floor, table: str, part: str) -> None:
    bodies = {"seats": {"seat": 1, "player": "nobody at all", "stack": 1}, "close": {}, "hands": {}}
    bodies["chips"] = {"seat": 1, "amount": 1}
    headers = floor.service.headers("admin")
    answer = floor.post(f"/v1/tables/{table}/{part}", bodies.get(part, {"seat": 1}), headers)
    assert problem(answer) == (404, "table-not-found")
    assert not floor.service.room.players.find("studledger", ["nobody at all"])
    looked = floor.service.client.get(f"/v1/tables/{table}", headers=headers)
    assert problem(looked) == (404, "table-not-found")


def test_a_hand_is_no_table(floor: Floor) -> None:
    path = f"/v1/tables/{floor.service.hand}"
    answer = floor.service.client.get(path, headers=floor.floor)
    assert problem(answer) == (404, "table-not-found")


def test_a_player_sits_out_and_leaves_by_himself(table: OpenTable) -> None:
    service, anna = table.floor.service, UUID(table.seats()[3]["player"])
    himself = service.headers("player", anna)
    assert table.done("sit-out", {"seat": 3}, headers=himself)["seats"][0]["sitting_out"]
    table.done("sit-in", {"seat": 3}, headers=himself)
    assert problem(table.ask("sit-out", {"seat": 5}, headers=himself)) == (403, "not-your-seat")
    assert [s["seat"] for s in table.done("leave", {"seat": 3}, headers=himself)["seats"]] == [5]


# -- hands -----------------------------------------------------------------------------------------


def test_a_hand_begins_with_the_stacks_at_the_table(table: OpenTable) -> None:
    answer = table.ask("hands", {"dealer": 5})
    assert answer.status_code == 200
    body = answer.json()
    assert answer.headers["etag"] == f'"{body["turn"]}"'
    stacks = {seat["seat"]: seat["stack"] for seat in body["state"]["seats"]}
    assert (stacks, body["state"]["pot"]) == ({3: 19975, 5: 19975}, 50)
    assert {choice["action"] for choice in body["legal"]} == {"bring_in", "bet"}
    sheet = table.now()
    assert sheet["hand"] == {"hand": body["hand"], "number": f"T{UUID(table.id).hex[:8]}-1"}
    assert (sheet["disc"], sheet["hands"], sheet["seats"][0]["in_hand"]) == (5, 1, True)


def test_one_hand_at_a_time_and_two_players_at_least(table: OpenTable, floor: Floor) -> None:
    table.done("hands", {})
    for answer in (table.ask("hands", {}), table.ask("close", {}), floor.open().ask("hands", {})):
        assert problem(answer) == (409, "against-the-rules")
        assert answer.json()["rule"] == "G4"


def test_who_leaves_in_a_hand_leaves_when_it_ends_and_added_chips_count_then(
    table: OpenTable,
) -> None:
    hand = table.done("hands", {})["hand"]
    assert table.done("leave", {"seat": 3})["seats"][0]["leaving"]
    assert problem(table.ask("leave", {"seat": 3})) == (409, "against-the-rules")
    seats = table.done("chips", {"seat": 5, "amount": 700})["seats"]
    assert (seats[1]["stack"], seats[1]["added"]) == (20000, 700)
    void = table.floor.post(f"/v1/hands/{hand}/void", {"reason": "fouled deck"})
    assert void.status_code == 200
    assert [(s["seat"], s["stack"], s["added"]) for s in table.now()["seats"]] == [(5, 20700, 0)]


def test_a_hand_is_dealt_from_the_deck_that_is_supplied(table: OpenTable) -> None:
    body = table.done("hands", {"deck": {"source": "supplied", "cards": list(DECK)}})
    doors = [seat["up"] for seat in body["state"]["seats"]]
    assert doors == [[DECK[5]], [DECK[4]]]


def test_a_supplied_deck_is_whole(table: OpenTable) -> None:
    cards = [DECK[0], *DECK[:-1]]
    answer = table.ask("hands", {"deck": {"source": "supplied", "cards": cards}})
    assert problem(answer) == (409, "against-the-rules")


def test_a_hand_from_an_external_deck_waits_for_its_cards(table: OpenTable) -> None:
    body = table.done("hands", {"deck": "external"})
    assert body["legal"] == []
    assert [seat["up"] for seat in body["state"]["seats"]] == [[], []]


def test_a_closed_table_sends_everybody_home(table: OpenTable) -> None:
    sheet = table.done("close", {})
    assert (sheet["is_open"], sheet["seats"]) == (False, [])
    assert problem(table.ask("hands", {})) == (409, "against-the-rules")


# -- once ------------------------------------------------------------------------------------------


def test_a_table_asked_for_twice_under_one_key_is_opened_once(floor: Floor) -> None:
    headers = floor.floor | {"Idempotency-Key": "open it once"}
    first, again = (floor.post("/v1/tables", OPENING, headers) for _ in range(2))
    assert first.json() == again.json()
    other = floor.post("/v1/tables", OPENING | {"name": "B"}, headers)
    assert problem(other) == (422, "idempotency-key-reused")


def test_every_request_of_a_table_is_done_once_and_answered_the_same(table: OpenTable) -> None:
    for part, body in (
        ("seats", {"seat": 7, "player": "carl", "stack": 500}),
        ("chips", {"seat": 7, "amount": 5}),
        ("sit-out", {"seat": 7}),
        ("sit-in", {"seat": 7}),
        ("hands", {"dealer": 3}),
        ("leave", {"seat": 7}),
    ):
        first = table.ask(part, body, key=f"once {part}")
        table.ask("chips", {"seat": 5, "amount": 1})
        again = table.ask(part, body, key=f"once {part}")
        assert first.status_code == again.status_code == 200
        assert first.json() == again.json()
        wrong = table.ask(part, body | {"seat": 5} if "seat" in body else {}, key=f"once {part}")
        assert problem(wrong) == (422, "idempotency-key-reused")
    assert table.seats()[7]["stack"] == 505


# -- finding ---------------------------------------------------------------------------------------


def test_tables_are_listed_page_by_page_and_line_by_line(floor: Floor) -> None:
    for name in ("Listed 1", "Listed 2", "Listed 3"):
        floor.open(name=name, game="stud")
    projector_of(floor.service.room).catch_up()
    path, names = "/v1/tables?game=stud&open=true&limit=2", []
    while path:
        answer = floor.service.client.get(path, headers=floor.dealer)
        names += [one["name"] for one in answer.json()["tables"]]
        path = answer.links["next"]["url"] if answer.json()["next"] else ""
    assert names == ["Listed 1", "Listed 2", "Listed 3"]
    lines = floor.service.client.get(
        "/v1/tables?table=Listed%202", headers=floor.dealer | {"Accept": "application/jsonl"}
    )
    assert len(lines.text.splitlines()) == 1


def test_a_table_carries_a_tag_that_changes_with_it(table: OpenTable) -> None:
    client, path = table.floor.service.client, f"/v1/tables/{table.id}"
    tag = client.get(path, headers=table.floor.dealer).headers["etag"]
    seen = table.floor.dealer | {"If-None-Match": tag}
    assert client.get(path, headers=seen).status_code == 304
    table.done("sit-out", {"seat": 3})
    assert client.get(path, headers=seen).status_code == 200


def test_a_list_goes_on_only_from_a_place_in_it(floor: Floor) -> None:
    answer = floor.service.client.get("/v1/tables?after=nowhere", headers=floor.dealer)
    assert problem(answer) == (422, "bad-parameter")
