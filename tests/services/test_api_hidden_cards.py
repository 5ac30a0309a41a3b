"""A card that a view may not see is in no answer, and no answer depends on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.house_rules import TOPSPOKER
from domain.units import Card
from domain.whatif import Instead
from services.api import sheets
from services.api.files import OnFile
from services.demo.arranged import arranged_hands
from services.demo.hands import DealtHand, table_hands
from services.embedded import Server
from services.explaining import explain
from services.replaying import PUBLIC, View, parse_view, replay_step
from services.store.port import Recorded
from services.whatif import what_if
from tests.support.service import Served, served

HANDS = 30
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
VIEWED = ("events", "replay", "odd-chips", "verdict", "explain")
UNVIEWED = ("", "/pots", "/rake")
CHANGES = ("policy=odd_chip_tie=suit", "policy=burn_cards=yes", "policy=bring_in_tie=suit")

Events = tuple[e.HandEvent, ...]


def hidden_from(view: View, events: Events) -> set[Card]:
    """Every card the events know that this view has not seen by their end."""
    dealt = [event for event in events if isinstance(event, e.CardsDealt)]
    shown = {c for event in events if isinstance(event, e.CardsShown) for c in event.cards}
    down = {card for event in dealt if not view.owns(event.seat) for card in event.down}
    return down - shown - {"??"}


def seats(events: Events) -> tuple[e.SeatTaken, ...]:
    started = events[0]
    assert isinstance(started, e.HandStarted)
    return started.seats


# -- over HTTP -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, HANDS) as service:
        yield service


@pytest.fixture(scope="module")
def hands(service: Served) -> list[UUID]:
    found = service.client.get("/v1/hands?limit=100", headers=service.headers("admin")).json()
    return [UUID(hand["hand"]) for hand in found["hands"]]


def answers(service: Served, hand: UUID, headers: dict[str, str], view: str) -> Iterator[str]:
    """The text of everything there is to be asked about a hand in a view."""
    step = len(service.events(hand)) * 2 // 3
    paths = [f"/{part}?view={view}" for part in VIEWED]
    paths += [f"/{part}?view={view}&step={step}" for part in ("replay", "explain")]
    paths += [f"/whatif?view={view}&{change}" for change in CHANGES]
    for path in (*paths, *UNVIEWED):
        answer = service.client.get(f"/v1/hands/{hand}{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        yield answer.text
    lines = headers | {"Accept": "application/jsonl"}
    yield service.client.get(f"/v1/hands/{hand}/events?view={view}", headers=lines).text


def test_the_public_view_of_a_hand_holds_no_hidden_card(service: Served, hands: list[UUID]) -> None:
    headers, looked_for = service.headers("finance"), 0
    for hand in hands:
        hidden = hidden_from(PUBLIC, service.events(hand))
        looked_for += len(hidden)
        for text in answers(service, hand, headers, "public"):
            assert hidden.isdisjoint(CARD.findall(text))
    assert looked_for > 100


def test_a_players_own_view_holds_his_cards_and_nobody_elses(
    service: Served, hands: list[UUID]
) -> None:
    for hand in hands[::5]:
        events = service.events(hand)
        for taken in seats(events)[:3]:
            headers = service.headers("player", UUID(taken.player))
            view = parse_view(f"seat:{taken.seat}")
            own = hidden_from(PUBLIC, events) - hidden_from(view, events)
            for text in answers(service, hand, headers, str(view)):
                assert hidden_from(view, events).isdisjoint(CARD.findall(text))
            replayed = service.client.get(f"/v1/hands/{hand}/replay?view={view}", headers=headers)
            assert own <= set(CARD.findall(replayed.text))


def test_a_problem_holds_no_card(service: Served, hands: list[UUID]) -> None:
    headers = service.headers("floor")
    for hand in hands[:5]:
        live = service.store(service.events(hand)[:-1])
        for query in ("view=all", "view=all&why=test", "view=seat:9&why=test", "step=0", "x=1"):
            answer = service.client.get(f"/v1/hands/{live}/replay?{query}", headers=headers)
            assert answer.status_code >= 400
            assert not CARD.findall(answer.text)


# -- whatever the hidden cards are -----------------------------------------------------------------


@cache
def dealt_hands() -> tuple[DealtHand, ...]:
    return (*arranged_hands(), *table_hands(12))


def file_of(events: Events) -> OnFile:
    """The hand as if it had been stored."""
    hand, at = UUID(int=7), datetime(2026, 3, 9, tzinfo=UTC)
    facts = tuple(
        Recorded(n, hand, n, e.tag_of(event), e.encode(event), at, "test", None, None, None)
        for n, event in enumerate(events, 1)
    )
    return OnFile(hand, facts, events, {})


def with_other_cards(events: Events, hidden: set[Card], random: Random) -> Events:
    """The same hand where the hidden cards are others that nobody could tell from them."""
    known = {event.card for event in events if isinstance(event, e.CommunityCardDealt)}
    for event in events:
        if isinstance(event, e.CardsDealt):
            known |= {*event.up, *event.down}
    pool = sorted((set(DECK) - known) | hidden)
    new = dict(zip(sorted(hidden), random.sample(pool, len(hidden)), strict=True))
    return tuple(
        replace(event, down=tuple(new.get(card, card) for card in event.down))
        if isinstance(event, e.CardsDealt)
        else event
        for event in events
    )


BY_SUIT = Instead(house_rules=replace(TOPSPOKER, bring_in_tie="suit", odd_chip_tie="suit"))
ASKED: dict[str, Callable[[OnFile, View], object]] = {
    "hand": lambda file, view: sheets.hand_sheet(file, conflicting=False),
    "events": sheets.events_of_hand,
    "replay": lambda file, view: replay_step("7", file.events, None, view),
    "pots": lambda file, view: sheets.pots_of_hand(file),
    "odd chips": sheets.odd_chips_of_hand,
    "rake": lambda file, view: sheets.rake_of_hand(file),
    "verdict": sheets.verdict_on_hand,
    "explain": lambda file, view: explain("7", file.events, None, view),
    "explain a step": lambda file, view: explain("7", file.events, len(file.events), view),
    "what if": lambda file, view: what_if("7", file.events, None, BY_SUIT, view),
}


@pytest.mark.parametrize("asked", ASKED)
@given(data=st.data())
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
def test_no_answer_depends_on_a_card_the_view_may_not_see(asked: str, data: st.DataObject) -> None:
    """Two hands that differ in hidden cards only are the same hand to whoever may not see them,
    at any moment of the hand.
    """
    whole = data.draw(st.sampled_from(dealt_hands())).events
    events = whole[: data.draw(st.integers(1, len(whole)))]
    views = [PUBLIC, *(View("seat", taken.seat) for taken in seats(events))]
    view = data.draw(st.sampled_from(views))
    others = with_other_cards(
        events, hidden_from(view, events), Random(data.draw(st.integers(0, 9)))
    )
    answer = ASKED[asked]
    assert msgspec.json.encode(answer(file_of(events), view)) == msgspec.json.encode(
        answer(file_of(others), view)
    )
