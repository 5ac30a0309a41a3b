"""What must hold of any course another decision takes, whoever played what."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import events as e
from domain.errors import CorruptHistory, Refused
from domain.hand import Hand
from domain.legal import LegalAction, legal_actions
from domain.rederiving import first_difference
from domain.verdict import judge
from domain.whatif import Decision, Instead, WhatIf, whatif
from domain.whatif.record import Record
from tests.support.hand_texts import needs_corpus
from tests.support.mutating.clean import real_hands
from tests.support.mutations import mistold
from tests.support.played import played_hands

Facts = tuple[Any, ...]

PATIENT = settings(
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ANY_HAND = {"events": played_hands(), "dice": st.randoms(use_true_random=False)}


def decision(choice: LegalAction) -> Decision:
    """The decision to make a legal choice."""
    to = choice.to if choice.action in {"bet", "raise"} else None
    return Decision(action=choice.action, to=to)


def courses(events: Facts, dice: Random, most: int = 6) -> Iterator[tuple[LegalAction, WhatIf]]:
    """Other legal decisions at some steps of a hand."""
    record = Record(events)
    places = record.decisions()
    for place in dice.sample(places, min(most, len(places))):
        then, seat = record.at(place), record.events[place].seat  # type: ignore[union-attr]
        choices = legal_actions(then, seat)
        if choices:
            choice = dice.choice(choices)
            yield choice, whatif(events, place + 1, Instead(decision=decision(choice)))


def assert_chips_are_conserved(hand: Hand) -> None:
    brought = sum(player.started_with for player in hand.seats)
    assert sum(player.stack for player in hand.seats) + hand.pot + hand.rake == brought


def assert_money_adds_up(found: WhatIf) -> None:
    """What players lose and win and the house takes comes to nothing."""
    for moment in ("played", "instead"):
        sums = [getattr(one, moment) for one in found.players]
        if None not in sums:
            rake = found.hand.rake if moment == "instead" else found.played.rake  # type: ignore[union-attr]
            assert sum(sums) + rake == 0


def assert_told(found: WhatIf) -> None:
    """Its outcome is what its parts say, and it ends either paid out or with a question."""
    assert (found.outcome == "open") == bool(found.open)
    assert found.hand.completed or found.open
    if found.outcome == "certain":
        assert not found.repeated
    assert len(found.sources) == len(found.events)
    assert all(source is not None for source in found.sources[: found.since])


@PATIENT
@given(played_hands())
def test_without_a_change_everything_stands(events: Facts) -> None:
    found = whatif(events, None, Instead())
    assert (found.events, found.outcome, found.since) == (events, "certain", len(events))
    assert {one.difference for one in found.players} == {0}


@PATIENT
@given(**ANY_HAND)
def test_a_course_is_what_dealing_the_hand_like_that_comes_to(events: Facts, dice: Random) -> None:
    for _, found in courses(events, dice):
        differs = first_difference(found.events)
        # A course may end in the middle of what follows by itself, with a pot nobody can judge.
        assert differs is None or (found.open and differs.step == len(found.events))
        assert judge(found.events).findings == ()


@PATIENT
@given(**ANY_HAND)
def test_chips_are_neither_made_nor_lost_on_another_course(events: Facts, dice: Random) -> None:
    for _, found in courses(events, dice):
        assert_chips_are_conserved(found.hand)
        assert_money_adds_up(found)
        assert_told(found)


@PATIENT
@given(**ANY_HAND)
def test_the_facts_before_the_decision_stand(events: Facts, dice: Random) -> None:
    for choice, found in courses(events, dice):
        assert found.step is not None
        before = found.step - 1
        assert found.events[:before] == events[:before]
        assert found.events[before].seat == choice.seat  # type: ignore[union-attr]


@PATIENT
@given(**ANY_HAND)
def test_a_seat_that_folds_wins_nothing_more(events: Facts, dice: Random) -> None:
    for choice, found in courses(events, dice):
        if choice.action == "fold":
            paid = found.hand.player(choice.seat).paid
            [money] = [one for one in found.players if one.seat == choice.seat]
            assert money.instead in {None, -paid}


@pytest.mark.slow
@settings(PATIENT, max_examples=1500)
@given(**ANY_HAND)
def test_very_many_courses_are_what_dealing_comes_to(events: Facts, dice: Random) -> None:
    for _, found in courses(events, dice, most=20):
        differs = first_difference(found.events)
        assert differs is None or (found.open and differs.step == len(found.events))
        assert_chips_are_conserved(found.hand)
        assert_money_adds_up(found)
        assert_told(found)


@PATIENT
@given(**ANY_HAND)
def test_a_record_with_faults_takes_another_course_or_is_refused(
    events: Facts, dice: Random
) -> None:
    log = list(events)
    for _ in range(dice.randint(1, 3)):
        log = mistold(log, dice) or log
    try:
        places = Record(log).decisions()
    except CorruptHistory:
        return
    for place in dice.sample(places, min(3, len(places))):
        action = dice.choice(("fold", "check", "call", "raise", "bring_in", "time_out"))
        asked = Instead(decision=Decision(action=action))  # type: ignore[arg-type]
        try:
            assert_chips_are_conserved(whatif(log, place + 1, asked).hand)
        except (Refused, CorruptHistory) as wrong:
            assert str(wrong)


@needs_corpus
def test_real_hands_take_other_courses_too() -> None:
    dice = Random("other courses")
    for hand in real_hands():
        unchanged = whatif(hand.events, None, Instead())
        assert unchanged.events == hand.events
        for _, found in courses(hand.events, dice):
            assert_chips_are_conserved(found.hand)
            assert_told(found)
            rake_is_open = any(question.about == "rake" for question in found.open)
            rules = {finding.rule for finding in judge(found.events).findings}
            assert rules <= ({"R1"} if rake_is_open else set())


@needs_corpus
def test_the_rake_of_a_real_hand_by_the_chart_changes_what_the_winner_gets() -> None:
    chart = e.ScheduleRef(id="topspoker", version=1)
    dollars = [h for h in real_hands() if h.end.started.money.currency == "USD"]
    at_chart_stakes = [
        hand
        for hand in dollars
        if (hand.end.started.stakes.small_bet, hand.end.started.stakes.big_bet) == (200, 400)
    ]
    for hand in at_chart_stakes:
        found = whatif(hand.events, None, Instead(rake_schedule=chart))
        was, now = found.rake
        assert now is not None
        assert was is not None
        assert sum(one.difference or 0 for one in found.players) == was - now
