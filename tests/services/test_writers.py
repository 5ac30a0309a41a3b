"""Written for a view and read again, a hand is what that view saw: state, verdict and cards."""

from __future__ import annotations

import io
from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events as e
from domain.evolve import replay
from domain.hand import Hand
from domain.verdict import judge
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from services.readers.reading import READERS, read_file, read_lines
from services.readers.record import HandRead
from services.replaying import ALL, PUBLIC, View, parse_view, seen_by
from services.writers import CannotSay, SeenHand, seen_hand
from services.writers.jsonl import lines_of
from services.writers.phh import phh_of
from tests.support.hand_texts import CORPUS, PHH, STUD, needs_corpus, read
from tests.support.played import cards_in, played_hands, seen_at_the_table
from tests.support.site_texts import BOVADA, FULLTILT, FULLTILT_HIGH_LOW

HAND = UUID(int=1)
TEXTS = (STUD, PHH, FULLTILT, FULLTILT_HIGH_LOW, BOVADA)
Events = tuple[e.HandEvent, ...]


def views_of(events: Events) -> list[View]:
    assert isinstance(events[0], e.HandStarted)
    return [PUBLIC, ALL, *(parse_view(f"seat:{taken.seat}") for taken in events[0].seats)]


def in_jsonl(hand: SeenHand) -> str:
    return b"".join(lines_of(hand)).decode()


def again(text: str, form: str) -> Events:
    [outcome] = read_lines("again", io.StringIO(text, newline=""), READERS[form])
    assert isinstance(outcome, HandRead), outcome
    assert outcome.hand == HAND
    return outcome.events


def same_but_for_the_source(one: Hand, other: Hand) -> bool:
    without = e.Source(kind="imported", format=None, text_sha256=None)
    return _with_source(one, without) == _with_source(other, without)


def _with_source(hand: Hand, source: e.Source) -> Hand:
    return replace(hand, started=replace(hand.started, source=source))


def comes_back_from_jsonl(events: Events, view: View) -> None:
    hand = seen_hand(HAND, events, {}, view)
    back = again(in_jsonl(hand), "jsonl")
    assert back[1:] == hand.events[1:]
    assert same_but_for_the_source(replay(back), replay(hand.events))
    assert (judge(back).verdict, judge(back).findings) == (
        judge(hand.events).verdict,
        judge(hand.events).findings,
    )


def comes_back_from_phh(events: Events, view: View) -> bool:
    """Whether the notation has words for the hand; if so, they say it."""
    hand = seen_hand(HAND, events, {}, view)
    try:
        text = phh_of(hand)
    except CannotSay:
        return False
    back = tuple(seen_by(view, again(text, "phh")))
    ours, theirs = replay(hand.events), replay(back)
    assert [_told(player) for player in ours.seats] == [_told(player) for player in theirs.seats]
    assert (ours.pot, ours.rake, ours.community) == (theirs.pot, theirs.rake, theirs.community)
    assert judge(back).verdict == judge(hand.events).verdict
    return True


def _told(player: object) -> list[object]:
    names = ("seat", "player", "stack", "status", "paid", "down", "up", "shown")
    return [getattr(player, name) for name in names]


def demonstrated() -> Iterator[Events]:
    for hand in (*arranged_hands(), *table_hands(60)):
        yield hand.events


# -- the same hand ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS, ids=["stars", "phh", "tilt", "high-low", "bovada"])
def test_a_record_comes_back_as_every_view_saw_it(text: str) -> None:
    events = read(text).events
    for view in views_of(events):
        comes_back_from_jsonl(events, view)
        comes_back_from_phh(events, view)


def test_the_demonstrations_hands_come_back() -> None:
    said = [comes_back_from_phh(events, ALL) for events in demonstrated()]
    assert 0 < sum(said) < len(said)
    for events in demonstrated():
        comes_back_from_jsonl(events, PUBLIC)


@settings(max_examples=40, deadline=None)
@given(events=played_hands(), which=st.integers(0, 9))
def test_any_hand_comes_back(events: Events, which: int) -> None:
    views = views_of(events)
    view = views[which % len(views)]
    comes_back_from_jsonl(events, view)
    comes_back_from_phh(events, view)


@needs_corpus
def test_every_hand_of_the_corpus_comes_back() -> None:
    said = 0
    for path in sorted(CORPUS.glob("*/*.*")):
        for outcome in read_file(path):
            if isinstance(outcome, HandRead):
                comes_back_from_jsonl(outcome.events, PUBLIC)
                said += comes_back_from_phh(outcome.events, PUBLIC)
    assert said == 41, "the others were raked, had an odd chip or a time-out"


# -- and nothing more ------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(events=played_hands(), which=st.integers(0, 9))
def test_what_a_view_could_not_see_is_never_in_the_file(events: Events, which: int) -> None:
    views = [view for view in views_of(events) if view != ALL]
    view = views[which % len(views)]
    hand = seen_hand(HAND, events, {}, view)
    seen = seen_at_the_table(events, view.seat)
    assert cards_in(in_jsonl(hand)) <= seen
    try:
        assert _cards_in_actions(phh_of(hand)) <= seen
    except CannotSay:
        return


def _cards_in_actions(text: str) -> set[str]:
    actions = text[text.index("actions") : text.index("]\n", text.index("actions"))]
    runs = [word for line in actions.splitlines() for word in line.strip(' ",').split()]
    runs = [run for run in runs if len(run) % 2 == 0 and run not in {"dh", "db", "cc", "sm", "pb"}]
    pairs = {run[i : i + 2] for run in runs for i in range(0, len(run), 2)}
    return {pair for pair in pairs if cards_in(pair)}


@pytest.mark.parametrize("text", TEXTS, ids=["stars", "phh", "tilt", "high-low", "bovada"])
def test_names_are_in_the_file_and_ids_are_not(text: str) -> None:
    events = read(text).events
    assert isinstance(events[0], e.HandStarted)
    names = {taken.player: f"{taken.player} (known)" for taken in events[0].seats}
    hand = seen_hand(HAND, events, names, PUBLIC)
    assert all(name in in_jsonl(hand) for name in names.values())
