"""The pages of tables: what everybody at a table sees, and nobody's face-down cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from domain import commands as c
from domain import events as e
from domain.units import UNKNOWN
from services.embedded import Server
from services.projecting import projector_of
from services.seating import player_id
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.live import FLOOR, TableInPlay
from tests.support.service import Served, served


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 4) as service:
        yield service


@pytest.fixture(scope="module")
def floor(service: Served) -> Visitor:
    return visitor(service, "floor")


@pytest.fixture
def table(service: Served) -> TableInPlay:
    table = TableInPlay(service.app.state.parts.live)
    table.begin()
    return table


def face_down(events: tuple[e.HandEvent, ...]) -> set[str]:
    dealt = [event for event in events if isinstance(event, e.CardsDealt)]
    return {card for event in dealt for card in event.down} - {UNKNOWN}


def spoken(card: str) -> str:
    ranks = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return f"{ranks.get(card[0], card[0])} of {suits[card[1]]}"


def test_tables_are_listed_open_ones_first(
    service: Served, floor: Visitor, table: TableInPlay
) -> None:
    projector_of(service.room).catch_up()
    page = floor.get("/tables")
    assert f'href="/tables/{table.id}">Amber</a>' in page
    assert "playing</span>" in page
    assert f"/tables/{table.id}" not in floor.get("/tables?open=false")


def test_a_table_shows_seats_pot_and_who_acts(floor: Visitor, table: TableInPlay) -> None:
    table.act("bring_in")
    page = floor.get(f"/tables/{table.id}")
    assert "Pot <strong>$1.75</strong>" in page
    assert re.search(r"\(seat [123]\) is to act until <time", page)
    assert page.count('<tr class="acting"') == 1
    assert f'data-feed="/tables/{table.id}/feed"' in page


def test_no_page_of_a_table_has_a_face_down_card_in_it(
    service: Served, floor: Visitor, table: TableInPlay
) -> None:
    secret = face_down(table.stored())
    assert len(secret) == 6
    owner = visitor(service, "player", player=UUID(int=101))
    for who in (floor, owner, visitor(service, "admin")):
        for path in (f"/tables/{table.id}", f"/tables/{table.id}/now"):
            page = who.get(path)
            for card in secret:
                assert card not in re.findall(r"\b[2-9TJQKA][cdhs]\b", page)
                assert spoken(card) not in page


def test_the_part_that_is_asked_for_anew_moves_with_the_hand(
    floor: Visitor, table: TableInPlay
) -> None:
    path = f"/tables/{table.id}/now"
    before = floor.get(path)
    table.act("bring_in")
    after = floor.get(path)
    assert "<html" not in after
    said, place = (re.findall(rf'data-{name}="([^"]*)"', after)[0] for name in ("said", "position"))
    assert "brings it in" in said
    assert int(place) > int(re.findall(r'data-position="(\d+)"', before)[0])


def test_between_hands_it_says_so_and_shows_who_sits_there(
    floor: Visitor, table: TableInPlay
) -> None:
    table.do(c.Void(reason="fouled deck"), FLOOR)
    page = floor.get(f"/tables/{table.id}")
    assert "No hand is being played." in page
    assert "3 of 8 seats" in page
    assert "$100.00" in page


def test_the_feed_of_a_page_is_the_tables_own_and_public(
    service: Served, floor: Visitor, table: TableInPlay
) -> None:
    position = re.findall(r'data-position="(\d+)"', floor.get(f"/tables/{table.id}"))[0]
    assert problem_of(floor.get(f"/tables/{table.id}/feed?after=99999999", 422)) == "bad-parameter"
    assert problem_of(floor.get(f"/tables/{table.id}/feed?view=all&after={position}", 422))
    answer = Visitor(service).client.get(f"/tables/{table.id}/feed")
    assert answer.status_code == 303


def test_names_are_text_whatever_a_player_calls_himself(service: Served, floor: Visitor) -> None:
    hostile = '"><script>alert(1)</script>'
    table = TableInPlay(
        service.app.state.parts.live, players={1: UUID(player_id(service.room, hostile))}
    )
    table.begin()
    page = floor.get(f"/tables/{table.id}")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_table_there_is_not_is_told(floor: Visitor) -> None:
    for path in ("/tables/Amber", f"/tables/{uuid4()}", f"/tables/{uuid4()}/now"):
        assert problem_of(floor.get(path, 404)) == "table-not-found"
