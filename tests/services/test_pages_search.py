"""Finding a hand at the pages by what somebody remembers of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from domain import events as e
from services.embedded import Server
from services.reports import HandsWanted, find_hands
from tests.support.browsing import Visitor, visitor
from tests.support.dispute_routes import dispute_for
from tests.support.service import Served, served

HOSTILE = "</td><script>alert('1')</script>\"&amp;"
LINK = re.compile(r'<th scope="row" class="name"><a href="/hands/([0-9a-f-]{36})/replay">')
NEXT = re.compile(r'<a class="button" href="([^"]+)" rel="next">')


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 60) as service:
        yield service


@pytest.fixture(scope="module")
def somebody(service: Served) -> Visitor:
    return visitor(service, "floor")


def hands_on(page: str) -> list[UUID]:
    return [UUID(found) for found in LINK.findall(page)]


def found(somebody: Visitor, **asked: str) -> list[UUID]:
    return hands_on(somebody.get(f"/hands?{urlencode(asked)}"))


def test_a_list_goes_on_from_page_to_page_and_shows_every_hand_once(
    service: Served, somebody: Visitor
) -> None:
    wanted = HandsWanted(limit=1000, game="stud8")
    every = [hand.hand for hand in find_hands(service.room.connect, HandsWanted(limit=1000)).hands]
    seen, path = [], "/hands"
    while path:
        page = somebody.get(path)
        seen += hands_on(page)
        following = NEXT.search(page)
        path = unescape(following[1]) if following else ""
    assert seen == every
    stud8 = [hand.hand for hand in find_hands(service.room.connect, wanted).hands]
    assert found(somebody, game="stud8") == stud8


def test_a_hand_is_found_by_its_number_and_by_our_id(service: Served, somebody: Visitor) -> None:
    assert found(somebody, number="D00001") == [service.hand]
    assert found(somebody, number=str(service.hand)) == [service.hand]
    page = somebody.get("/hands?number=nowhere")
    assert "No hand is like that" in page
    assert 'value="nowhere"' in page


def test_hands_are_found_by_stakes_pot_time_player_and_table(
    service: Served, somebody: Visitor
) -> None:
    every = find_hands(service.room.connect, HandsWanted(limit=1000)).hands
    one = every[20]
    dearer = [hand.hand for hand in every if hand.big_bet == 1000]
    assert found(somebody, stakes="5/10") == found(somebody, stakes="$5.00 / $10") == dearer[:50]
    assert found(somebody, min_pot="250") == [h.hand for h in every if h.pot >= 25_000]
    at = f"{one.happened_at:%Y-%m-%d}", f"{one.happened_at:%H:%M}"
    minute = {"from": at[0], "from_time": at[1], "to": at[0], "to_time": at[1]}
    then = [
        h.hand for h in every if f"{h.happened_at:%Y-%m-%d}/{h.happened_at:%H:%M}" == "/".join(at)
    ]
    assert found(somebody, **minute) == then
    assert one.hand in then
    assert found(somebody, table=one.table, **minute) == [
        h.hand for h in every if h.hand in then and h.table == one.table
    ]
    player = service.room.players.names([service.started(one.hand).seats[0].player]).popitem()[1]
    assert one.hand in found(somebody, player=player, **minute)
    assert found(somebody, player="nobody we know") == []


def test_hands_are_found_by_findings_and_by_whether_there_is_a_case(
    service: Served, somebody: Visitor
) -> None:
    assert found(somebody, findings="true") == []
    assert len(found(somebody, findings="false")) == 50
    dispute_for(service.room, service.hand, "GET /v1/disputes/{dispute}")
    service.app.state.parts.projector.catch_up()
    page = somebody.get("/hands?disputed=true")
    assert hands_on(page) == [service.hand]
    assert ">disputed</span>" in page
    assert service.hand not in found(somebody, disputed="false", number="D00001")


def test_empty_fields_stay_out_of_the_address(somebody: Visitor) -> None:
    answer = somebody.client.get("/hands?number=&table=Birch&game=&from=&after=")
    assert (answer.status_code, answer.headers["location"]) == (303, "/hands?table=Birch")
    assert somebody.client.get("/hands?game=&player=").headers["location"] == "/hands"


@pytest.mark.parametrize(
    ("asked", "field", "words"),
    [
        ({"stakes": "high"}, "stakes", "write small and big bet as 1/2 or 0.50/1"),
        ({"min_pot": "-3"}, "min_pot", "write an amount in whole units, as 20 or 20.00"),
        ({"from": "yesterday"}, "from", "write a day as 2026-01-31"),
        ({"to": "2026-01-31", "to_time": "9pm"}, "to_time", "write a time as 21:30"),
        ({"from_time": "21:30"}, "from", "say which day, too"),
        ({"game": "omaha"}, "game", "there is no such game"),
        ({"table": "x" * 201}, "table", "write 1 to 200 characters"),
        ({"player": "a\0b"}, "player", "write 1 to 200 characters"),
        ({"after": "the fifth"}, "after", "this is no place in a list of hands"),
    ],
)
def test_what_is_not_written_as_it_should_be_is_told_beside_the_field(
    somebody: Visitor, asked: dict[str, str], field: str, words: str
) -> None:
    page = somebody.get(f"/hands?{urlencode(asked | {'number': 'D00001'})}", 422)
    assert f'<a href="#{field}">' in page
    assert words in page
    assert 'value="D00001"' in page
    assert not hands_on(page)


def test_what_a_hand_calls_itself_is_text_and_nothing_else(
    service: Served, somebody: Visitor
) -> None:
    started, *rest = service.events(service.hand)
    assert isinstance(started, e.HandStarted)
    table = e.TableRef(id=HOSTILE, name=HOSTILE, max_seats=8)
    hand = service.store((replace(started, number=HOSTILE, site=HOSTILE, table=table), *rest))
    page = somebody.get(f"/hands?{urlencode({'table': HOSTILE, 'player': HOSTILE})}")
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") == 4
    page = somebody.get(f"/hands?{urlencode({'number': HOSTILE})}")
    assert hands_on(page) == [hand]
    assert "<script>alert" not in page
    assert page.count("&lt;/td&gt;&lt;script&gt;alert") == 5


def test_a_page_says_how_far_the_projections_are_behind(service: Served, somebody: Visitor) -> None:
    room = service.room
    with psycopg.connect(room.database.owner) as holding:
        holding.execute(SQL("set search_path to {}").format(Identifier(room.settings.room)))
        holding.execute("select from projection_positions for update")
        service.key("auditor")
        page = somebody.get("/hands")
        assert re.search(r"[1-9]\d* newer events? (is|are) stored and not taken in yet", page)
