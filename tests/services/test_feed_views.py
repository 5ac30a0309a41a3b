"""What the feed shows to whom, and what it answers to questions that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from services.demo.hands import table_hands
from services.embedded import Server
from services.replaying import PUBLIC, View, seen_by
from tests.support.streams import Live, Told, live, refusal

MINE, GOING_ON = (hand.events for hand in table_hands(2))

Events = tuple[e.HandEvent, ...]


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Live]:
    with live(server, "viewing", hands=12) as running:
        yield running


# -- cards -----------------------------------------------------------------------------------------


def as_seen(view: View, events: Events) -> list[object]:
    return [json.loads(e.encode(event)) for event in seen_by(view, events)]


def whole(running: Live) -> list[Told]:
    log = running.log()
    return running.follow(f"after=0&limit={len(log)}").take(len(log))


def test_at_no_step_does_the_public_stream_know_more_than_the_table(running: Live) -> None:
    everything = whole(running)
    for hand in {fact.stream for fact in running.log() if fact.type == "hand_started.v1"}:
        events = running.service.events(hand)
        mine = [one for one in everything if one.data and one.data["stream"] == str(hand)]
        assert [one.data["event"] for one in mine if one.data] == as_seen(PUBLIC, events)
        shown: set[str] = set()
        for one, event in zip(mine, events, strict=True):
            shown |= set(event.cards) if isinstance(event, e.CardsShown) else set()
            hidden = {c for d in events if isinstance(d, e.CardsDealt) for c in d.down} - shown
            assert not [card for card in hidden if f'"{card}"' in one.raw]


def test_a_live_hand_shows_a_player_his_own_cards_and_nobody_elses(running: Live) -> None:
    events = MINE
    started = events[0]
    assert isinstance(started, e.HandStarted)
    player = uuid4()
    mine, *others = started.seats
    started = replace(started, seats=(replace(mine, player=str(player)), *others))
    events = (started, *events[1:])
    headers = running.service.headers("player", player)
    first = running.follow_with(headers, "view=own")
    hand = running.tell(events)
    second = running.follow_with(headers, f"view=seat:{mine.seat}&hand={hand}&after=0")
    third = running.follow_with(headers, "after=" + str(first.begins))
    want = as_seen(View("seat", mine.seat), events)
    for follower, seen in ((first, want), (second, want), (third, as_seen(PUBLIC, events))):
        told = follower.take(len(events))
        assert [one.data["event"] for one in told if one.data] == seen


@pytest.mark.parametrize("view", ["all", "seat:1"])
def test_hidden_cards_of_a_hand_that_is_over_need_a_purpose(running: Live, view: str) -> None:
    hand = running.service.demo.arranged[0].hand
    query = f"hand={hand}&after=0&limit=20&view={view}"
    assert refused(running, query) == (422, "purpose-required")
    events = running.service.events(hand)
    told = running.follow(f"{query}&why=dispute").take(20)
    seen = View("all") if view == "all" else View("seat", 1)
    assert [one.data["event"] for one in told if one.data] == as_seen(seen, events)[:20]
    live_hand = running.tell(GOING_ON[:-1])
    query = f"hand={live_hand}&view={view}&why=dispute"
    assert refused(running, query) == (403, "hand-still-live")


def refused(running: Live, query: str) -> tuple[int, str]:
    problem = refusal(running.port, running.service.headers("auditor"), query)
    return problem["status"], problem["type"].rpartition(":")[2]


# -- questions that are none -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "name", "possible"),
    [
        ("after=-1", "after", "0 to the last position"),
        ("after=9223372036854775807", "after", "0 to "),
        ("limit=0", "limit", "1 or more"),
        ("table=A", "table", "the id of a table of this room"),
        ("table=00000000-0000-4000-8000-000000000000", "table", "a table's id"),
        ("view=mine", "view", "public"),
        ("view=all", "hand", "its id"),
        ("view=seat:3", "hand", "its id"),
        ("from=1", "from", "after"),
    ],
)
def test_a_wrong_parameter_is_told_what_is_possible(
    running: Live, query: str, name: str, possible: str
) -> None:
    problem = refusal(running.port, running.service.headers("auditor"), query)
    (error,) = problem["errors"]
    assert (problem["status"], error["name"]) == (422, name)
    assert error["possible"][0].startswith(possible)


def test_a_position_seen_last_must_be_one_of_this_room(running: Live) -> None:
    headers = running.service.headers("auditor")
    for position in ("seven", "9223372036854775807"):
        problem = refusal(running.port, headers | {"Last-Event-ID": position}, "")
        assert [error["name"] for error in problem["errors"]] == ["Last-Event-ID"]


def test_views_are_for_roles_that_have_them(running: Live) -> None:
    for role, view in (("dealer", "all"), ("finance", "seat:1"), ("auditor", "own")):
        headers = running.service.headers(role)  # type: ignore[arg-type]
        assert refusal(running.port, headers, f"view={view}")["status"] == 403
