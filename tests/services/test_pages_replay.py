"""The replay of a hand as a page: every step has its address, no view shows more than it may."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from services.access_report import AccessWanted, access_entries
from services.embedded import Server
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served

HREF = re.compile(r'href="([^"]+)"')
HOSTILE = "<img src=x onerror=alert(1)>\"'&"


class Room(NamedTuple):
    service: Served
    floor: Visitor

    @property
    def hand(self) -> UUID:
        return self.service.hand

    @property
    def hidden(self) -> tuple[str, ...]:
        """Down cards of the hand that nobody turned up."""
        events = self.service.events(self.hand)
        down = {card for one in events if isinstance(one, e.CardsDealt) for card in one.down}
        shown = {card for one in events if isinstance(one, e.CardsShown) for card in one.cards}
        return tuple(sorted(down - shown - {"??"}))


@pytest.fixture(scope="module")
def room(server: Server) -> Iterator[Room]:
    with served(server, 8) as service:
        yield Room(service, visitor(service, "floor"))


def path(room: Room, step: int | None = None, **query: str) -> str:
    asked = ({} if step is None else {"step": str(step)}) | query
    rest = "&".join(f"{name}={value}" for name, value in asked.items())
    return f"/hands/{room.hand}/replay" + (f"?{rest}" if rest else "")


def addresses(page: str) -> set[str]:
    return {unescape(found) for found in HREF.findall(page)}


def faces(page: str) -> set[str]:
    """Cards that are told anywhere on a page: drawn, labelled or in words."""
    return set(re.findall(r"\b(?:10|[2-9TJQKA])[♣♦♥♠cdhs]\b|[2-9TJQKA][♣♦♥♠]", page))


def test_every_step_is_one_address_and_leads_to_its_neighbours(room: Room) -> None:
    steps = len(room.service.events(room.hand))
    for step in (1, 2, steps // 2, steps):
        page = room.floor.get(path(room, step))
        assert f"Step {step} of {steps}" in page
        assert {path(room, max(1, step - 1)), path(room, min(steps, step + 1))} <= addresses(page)
        assert {path(room, 1), path(room, steps)} <= addresses(page)
    assert f"Step {steps} of {steps}" in room.floor.get(path(room))


def test_every_event_is_told_and_leads_to_its_step(room: Room) -> None:
    page = room.floor.get(path(room, 1))
    steps = len(room.service.events(room.hand))
    assert {path(room, step) for step in range(1, steps + 1)} <= addresses(page)
    assert 'aria-current="step"' in page
    assert "Everybody dealt in antes" in room.floor.get(path(room, 2))


def test_the_slider_says_in_words_where_it_is(room: Room) -> None:
    page = room.floor.get(path(room, 2))
    slider = re.search(r'<input type="range"[^>]+>', page)
    assert slider is not None
    assert 'name="step"' in slider[0]
    assert re.search(r'aria-valuetext="Step 2 of \d+, [^"]+ antes [^"]+"', slider[0])


def test_a_step_that_is_not_there_is_told_as_a_page(room: Room) -> None:
    assert problem_of(room.floor.get(path(room, 999), 422)) == "bad-parameter"
    assert problem_of(room.floor.get(f"/hands/{uuid4()}/replay", 404)) == "hand-not-found"


def test_the_table_sees_no_hidden_card_on_any_page(room: Room) -> None:
    assert room.hidden
    hidden = {f"{card[0]}{dict(zip('cdhs', '♣♦♥♠', strict=True))[card[1]]}" for card in room.hidden}
    for address in (path(room), path(room, 3), f"/hands/{room.hand}/replay.html"):
        page = visitor(room.service, "dealer").get(address)
        assert not hidden & faces(page)
        assert not set(room.hidden) & set(re.findall(r"\b[2-9TJQKA][cdhs]\b", page))


def test_all_cards_are_shown_for_a_purpose_and_on_record(room: Room) -> None:
    asked = room.floor.get(path(room, 3, view="all"))
    assert "What do you look at them for?" in asked
    assert not set(room.hidden) & set(re.findall(r"\b[2-9TJQKA][cdhs]\b", asked))
    told = room.floor.get(path(room, 3, view="all", why="complaint+17"))
    assert "It is on record" in told
    assert path(room, 4, view="all", why="complaint+17") in addresses(told)
    assert path(room, None, view="seat%3A1", why="complaint+17") + "&step=3" in addresses(told)
    assert path(room, 3) in addresses(told)
    found = access_entries(room.service.room, AccessWanted(hand=room.hand))
    assert [one.purpose for one in found if one.view == "all"] == ["complaint 17"]


def test_who_may_not_see_all_is_not_offered_it_and_refused(room: Room) -> None:
    somebody = visitor(room.service, "finance")
    assert "All cards" not in somebody.get(path(room))
    answer = somebody.get(path(room, 3, view="all", why="curiosity"), 403)
    assert problem_of(answer) == "view-not-allowed"


def test_a_player_sees_his_own_seat_without_a_purpose(room: Room) -> None:
    seat = room.service.started(room.hand).seats[0]
    own = visitor(room.service, "player", UUID(seat.player))
    page = own.get(path(room, view=f"seat:{seat.seat}"))
    assert "It is on record" not in page
    assert "As the table saw it" in page


def test_a_file_of_the_replay_has_all_steps_and_loads_nothing(room: Room) -> None:
    answer = room.floor.client.get(f"/hands/{room.hand}/replay.html")
    steps = len(room.service.events(room.hand))
    assert answer.headers["content-disposition"].startswith('attachment; filename="hand-')
    assert [f'id="step-{step}"' in answer.text for step in range(1, steps + 1)] == [True] * steps
    assert not re.findall(r'(?:src|href|action)="|url\(|@import', answer.text)


def test_names_are_shown_and_never_markup(room: Room) -> None:
    first, *rest = room.service.events(room.hand)
    assert isinstance(first, e.HandStarted)
    hostile = room.service.room.players.resolve(first.site, [HOSTILE])[HOSTILE]
    seats = (replace(first.seats[0], player=hostile), *first.seats[1:])
    hand = room.service.store((replace(first, seats=seats), *rest))
    for address in (f"/hands/{hand}/replay?step=2", f"/hands/{hand}/replay.html"):
        page = room.floor.get(address)
        assert "<img" not in page
        assert "&lt;img src=x" in page
