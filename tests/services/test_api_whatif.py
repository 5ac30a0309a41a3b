"""What would have followed from another decision, policy or rake schedule, asked over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.schedules import SCHEDULES
from domain.units import Card
from services.embedded import Server
from services.whatif import WhatIfAnswer
from tests.support.asking import Asking, whatif_path
from tests.support.cli import CommandLine
from tests.support.played import cards_in
from tests.support.service import Served, served

LAST_CALL = 42
"""Step of D00001 at which seat 1 calls the last bet of seat 3."""

TIMED_OUT = 18
"""Step of D00002 at which a turn runs out."""


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture(scope="module")
def key(service: Served) -> dict[str, str]:
    return service.headers("floor")


@pytest.fixture
def ask(service: Served, key: dict[str, str]) -> Asking:
    return Asking(service, key)


def asked(ask: Asking, hand: object, **change: object) -> WhatIfAnswer:
    return msgspec.json.decode(ask(whatif_path(hand, **change)).content, type=WhatIfAnswer)


def differences(answer: WhatIfAnswer) -> dict[int, int | None]:
    return {one.seat: one.difference for one in answer.players}


# -- what may be changed ---------------------------------------------------------------------------


def test_another_decision_is_told_with_the_difference_in_money(ask: Asking) -> None:
    answer = asked(ask, "D00001", step=LAST_CALL, instead="fold")
    assert (answer.hand, answer.number) == (str(ask.service.hand), "D00001")
    assert (answer.step, answer.view, answer.outcome) == (LAST_CALL, "public", "certain")
    assert differences(answer) == {1: -1720, 2: 0, 3: 1720, 4: 0}
    assert (answer.rake.played, answer.rake.instead) == (200, 200)


def test_a_decision_nobody_made_leaves_open_what_the_next_one_does(ask: Asking) -> None:
    answer = asked(ask, "D00001", step=LAST_CALL - 1, instead="check")
    (question,) = answer.open
    assert (answer.outcome, question.about, question.seats) == ("open", "decision", (1,))
    assert [choice.action for choice in question.legal] == ["fold", "check", "bet"]


def test_a_time_out_may_have_had_another_outcome(ask: Asking) -> None:
    folded = asked(ask, "D00002", step=TIMED_OUT, instead="time out fold")
    by_policy = asked(ask, "D00002", policy="timeout_outcome=check_or_fold")
    assert folded.open == by_policy.open
    assert [question.about for question in folded.open] == ["cards"]


def test_another_policy_moves_the_odd_chip(ask: Asking) -> None:
    answer = asked(ask, "D00001", policy="odd_chip_tie=suit")
    assert answer.step is None
    assert [one.field for one in answer.policies] == ["odd_chip_tie"]
    assert differences(answer) == {1: -1, 2: 0, 3: 1, 4: 0}


def test_several_policies_hold_together(ask: Asking) -> None:
    policies = ["preset=roberts", "odd_chip_tie=left_of_dealer", "clock=10+20+20"]
    answer = asked(ask, "D00001", policy=policies)
    changed = {one.field: one.instead for one in answer.policies}
    assert (changed["name"], changed["burn_cards"]) == ("roberts", True)
    assert changed.keys().isdisjoint({"odd_chip_tie", "clock"})


def test_a_clock_may_be_written_as_it_is_listed(ask: Asking) -> None:
    (changed,) = msgspec.json.decode(
        ask("/v1/hands/D00001/whatif?policy=clock=15+30+60").content, type=WhatIfAnswer
    ).policies
    assert msgspec.to_builtins(changed.instead) == {"turn": 15, "countdown": 30, "disconnected": 60}


def test_another_schedule_is_named_and_decides_the_rake(ask: Asking) -> None:
    events = ask.service.events(ask.service.hand)
    recorded = ask.service.store(tuple(map(_as_recorded, events)))
    answer = asked(ask, recorded, schedule="topspoker:1")
    assert answer.rake_schedule == SCHEDULES["topspoker", 1].ref
    assert (answer.rake.played, answer.rake.instead, answer.rake.difference) == (200, 200, 0)


def _as_recorded(event: e.HandEvent) -> e.HandEvent:
    """The same hand as a site's record that names no schedule."""
    if not isinstance(event, e.HandStarted):
        return event
    return replace(
        event,
        number="recorded",
        rake_schedule=None,
        house_rules=replace(event.house_rules, rake="as_recorded"),
    )


@pytest.mark.parametrize(
    ("arguments", "change"),
    [
        (("--step", 42, "--instead", "fold"), {"step": 42, "instead": "fold"}),
        (
            ("--policy", "preset=roberts", "--policy", "burn_cards=no"),
            {"policy": ["preset=roberts", "burn_cards=no"]},
        ),
        (("--schedule", "topspoker:1"), {"schedule": "topspoker:1"}),
    ],
    ids=["decision", "policies", "schedule"],
)
def test_it_is_the_answer_of_the_command_line(
    ask: Asking,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[object, ...],
    change: dict[str, object],
) -> None:
    studledger = CommandLine(ask.service.room.settings, monkeypatch, capsys)
    told = studledger("whatif", "D00001", *arguments, "--format", "json").json
    assert ask(whatif_path("D00001", **change)).json() == told


def test_nothing_is_written_and_the_same_answer_is_not_sent_again(ask: Asking) -> None:
    store, question = ask.service.room.store, whatif_path("D00001", step=LAST_CALL, instead="fold")
    before = store.page(after=0, limit=10_000)
    first = ask(question)
    assert store.page(after=0, limit=10_000) == before
    headers = ask.headers | {"If-None-Match": first.headers["etag"]}
    again = ask.service.client.get(question, headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    other = whatif_path("D00001", step=LAST_CALL, instead="call")
    assert ask.service.client.get(other, headers=headers).status_code == 200


# -- who may see what ------------------------------------------------------------------------------


def hidden(events: tuple[e.HandEvent, ...], seat: int | None) -> set[Card]:
    """Down cards that were never shown, but for those of one seat."""
    shown = {card for event in events if isinstance(event, e.CardsShown) for card in event.cards}
    return {
        card
        for event in events
        if isinstance(event, e.CardsDealt) and event.seat != seat
        for card in event.down
    } - shown


def decisions(events: tuple[e.HandEvent, ...]) -> Iterator[dict[str, Any]]:
    """Another decision at every step at which somebody called, checked or folded; and policies."""
    for step, event in enumerate(events, 1):
        if isinstance(event, e.Called | e.Checked):
            yield {"step": step, "instead": "fold"}
        elif isinstance(event, e.Folded | e.TimedOut):
            yield {"step": step, "instead": "call"}
    yield {"policy": ["bring_in_tie=suit", "odd_chip_tie=suit"]}
    yield {"policy": "timeout_outcome=check_or_fold"}


@pytest.mark.parametrize("own", [False, True], ids=["public", "own seat"])
@pytest.mark.parametrize(("index", "facts"), [(0, 51), (0, 30), (1, 30), (2, 30)])
def test_no_answer_holds_or_depends_on_a_card_the_view_may_not_see(
    service: Served, index: int, facts: int, own: bool
) -> None:
    """Two records that differ in cards nobody saw have one answer; live hands too."""
    events = service.events(service.demo.arranged[index].hand)[:facts]
    hand = service.store(events)
    taken = service.started(hand).seats[0]
    unseen = hidden(events, taken.seat if own else None)
    other = service.store(with_other_cards(events, unseen))
    headers = service.headers("player", UUID(taken.player))
    view = f"seat:{taken.seat}" if own else "public"
    assert unseen
    for change in decisions(events):
        told, same = (
            service.client.get(whatif_path(one, view=view, **change), headers=headers)
            for one in (hand, other)
        )
        assert told.status_code in (200, 409)
        assert cards_in(told.text).isdisjoint(unseen)
        assert told.text.replace(str(hand), str(other)) == same.text


def with_other_cards(events: tuple[e.HandEvent, ...], unseen: set[Card]) -> tuple[Any, ...]:
    """The same hand with other cards in the places nobody saw."""
    dealt = [event for event in events if isinstance(event, e.CardsDealt)]
    known = {card for event in dealt for card in (*event.up, *event.down)} - unseen
    known |= {event.card for event in events if isinstance(event, e.CommunityCardDealt)}
    drawn = Random(7).sample(sorted(set(DECK) - known), len(unseen))
    new = dict(zip(sorted(unseen), drawn, strict=True))
    return tuple(
        replace(event, down=tuple(new.get(card, card) for card in event.down))
        if isinstance(event, e.CardsDealt)
        else event
        for event in events
    )


def test_a_player_sees_with_his_own_cards_and_with_nobody_elses(service: Served) -> None:
    taken, other, *_ = service.started(service.hand).seats
    headers = service.headers("player", UUID(taken.player))
    ask, change = Asking(service, headers), {"step": LAST_CALL, "instead": "fold"}
    assert asked(ask, service.hand, view=f"seat:{taken.seat}", **change).view == "seat:1"
    for view in (f"seat:{other.seat}", "all"):
        ask.wrong(
            whatif_path(service.hand, view=view, why="test", **change), 403, "view-not-allowed"
        )


def test_all_cards_are_on_record_before_a_what_if_rests_on_them(ask: Asking) -> None:
    hand, store = ask.service.demo.arranged[3].hand, ask.service.room.store
    change = {"policy": "odd_chip_tie=suit", "view": "all"}
    ask.wrong(whatif_path(hand, **change), 422, "purpose-required")
    before = len(store.page(after=0, limit=10_000))
    assert asked(ask, hand, why="complaint 17", **change).view == "all"
    seen = store.page(after=0, limit=10_000)[before:]
    assert [fact.type for fact in seen] == ["cards_seen.v1"]


def test_a_live_hand_is_asked_about_without_anybodys_hidden_cards(ask: Asking) -> None:
    live = ask.service.store(ask.service.events(ask.service.hand)[: LAST_CALL - 1])
    step = LAST_CALL - 1
    assert asked(ask, live, step=step, instead="check").outcome == "open"
    question = whatif_path(live, step=step, instead="check", view="all", why="test")
    ask.wrong(question, 403, "hand-still-live")
