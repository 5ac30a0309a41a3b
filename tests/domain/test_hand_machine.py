"""Any command from any seat at any time: the books balance, replay agrees, every hand ends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.check import check
from domain.consequences import cards_due, consequences
from domain.decide import decide
from domain.errors import Refused
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.legal import legal_actions
from domain.verdict import judge
from tests.support.bdd import chosen
from tests.support.rule_ids import RULE_IDS
from tests.support.strategies import tables, time_outs, wild_commands

MOST_COMMANDS = 5 + 5 * 4 * 8 + 8
"""Five deals; a round of eight has at most four wagers with seven answers each, and time-outs."""

WITH_PATIENCE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
QUICK = settings(WITH_PATIENCE, max_examples=20, stateful_step_count=40)
LONG = settings(WITH_PATIENCE, max_examples=400, stateful_step_count=60)


def issue(hand: Hand | None, command: c.HandCommand) -> tuple[Hand, tuple[e.HandEvent, ...]]:
    """Decide and apply, and see after each event that nothing is lost, changed or objected to."""
    events = decide(hand, command)
    for event in events:
        assert check(hand, event) == ()
        assert e.decode(e.encode(event)) == event
        hand = evolve(hand, event)
        chips = sum(p.stack for p in hand.seats) + hand.pot + hand.rake
        assert chips == sum(p.started_with for p in hand.seats), "chips are conserved"
        assert min(p.stack for p in hand.seats) >= 0
    assert hand is not None
    return hand, events


def assert_refusal_helps(hand: Hand | None, refusal: Refused) -> None:
    """A refusal names a rule, and what it calls legal is accepted."""
    assert refusal.rule in RULE_IDS
    assert str(refusal)
    for choice in refusal.legal:
        assert decide(hand, chosen(choice))


def next_legal(hand: Hand, dice: random.Random) -> c.HandCommand:
    """The deal that is due, or something the seat to act may do."""
    due = cards_due(hand)
    if due is not None:
        left = [card for card in DECK if card not in hand.seen]
        return c.Deal(cards=tuple(dice.sample(left, due.cards)))
    choices = legal_actions(hand)
    assert choices, "somebody acts, cards are due, or the hand is over"
    if dice.random() < 0.05:
        return c.TimeOut(seat=choices[0].seat)
    kept = [choice for choice in choices if choice.action != "fold" or dice.random() < 0.3]
    return chosen(dice.choice(kept or choices))


class HandMachine(RuleBasedStateMachine):
    """One hand at a table where everybody may ask for anything."""

    def __init__(self) -> None:
        super().__init__()
        self.hand: Hand | None = None
        self.log: list[e.HandEvent] = []

    @initialize(start=tables())
    def begin(self, start: e.HandStarted) -> None:
        self.start = start
        self.ask(c.StartHand(hand=start))

    @precondition(lambda self: self.in_play)
    @rule(dice=st.randoms(use_true_random=False))
    def legal(self, dice: random.Random) -> None:
        assert self.hand is not None
        self.ask(next_legal(self.hand, dice))

    @precondition(lambda self: self.in_play)
    @rule(data=st.data())
    def time_out(self, data: st.DataObject) -> None:
        assert self.hand is not None
        seats = [choice.seat for choice in legal_actions(self.hand)] or [1]
        self.try_for(data.draw(time_outs(st.just(seats[0]))))

    @rule(data=st.data())
    def anything(self, data: st.DataObject) -> None:
        self.try_for(data.draw(wild_commands(self.start)))

    @precondition(lambda self: len(self.log) > 30)
    @rule()
    def void(self) -> None:
        self.try_for(c.Void(reason="misdeal"))

    def teardown(self) -> None:
        if self.hand is None:
            return
        dice = random.Random(len(self.log))
        for _ in range(MOST_COMMANDS):
            if not self.in_play:
                break
            self.ask(next_legal(self.hand, dice))
        assert not self.in_play, "every hand ends"
        verdict = judge(self.log)
        assert (verdict.verdict, verdict.findings) == ("clean", ())
        assert replay(self.log) == self.hand
        assert self.hand.pot == 0

    @property
    def in_play(self) -> bool:
        return self.hand is not None and not self.hand.completed and not self.hand.voided

    def ask(self, command: c.HandCommand) -> None:
        self.hand, events = issue(self.hand, command)
        self.log.extend(events)
        assert consequences(self.hand) == (), "what follows by itself has followed"

    def try_for(self, command: c.HandCommand) -> None:
        before = self.hand
        try:
            self.ask(command)
        except Refused as refusal:
            assert self.hand == before
            assert_refusal_helps(before, refusal)


def test_whatever_anybody_asks_the_hand_stays_sound() -> None:
    run_state_machine_as_test(HandMachine, settings=QUICK)


@pytest.mark.slow
def test_whatever_anybody_asks_for_long_the_hand_stays_sound() -> None:
    run_state_machine_as_test(HandMachine, settings=LONG)


def played(start: e.HandStarted, dice: random.Random) -> Iterator[tuple[e.HandEvent, ...]]:
    """The events of a legal hand, one command's at a time."""
    command: c.HandCommand = c.StartHand(hand=start)
    hand: Hand | None = None
    for _ in range(MOST_COMMANDS):
        hand, events = issue(hand, command)
        yield events
        if hand.completed:
            return
        command = next_legal(hand, dice)
    raise AssertionError("every hand ends")


def sound_hand(start: e.HandStarted, dice: random.Random) -> None:
    log = [event for events in played(start, dice) for event in events]
    verdict = judge(log)
    assert (verdict.verdict, verdict.findings, verdict.open_questions) == ("clean", (), ())
    assert replay(e.decode(e.encode(event)) for event in log) == verdict.hand
    assert verdict.hand.pot == 0


ANY_DICE: Any = st.randoms(use_true_random=False)


@settings(WITH_PATIENCE, max_examples=60)
@given(start=tables(), dice=ANY_DICE)
def test_every_legal_hand_ends_and_is_judged_clean(
    start: e.HandStarted, dice: random.Random
) -> None:
    sound_hand(start, dice)


@pytest.mark.slow
@settings(WITH_PATIENCE, max_examples=2000)
@given(start=tables(), dice=ANY_DICE)
def test_very_many_legal_hands_end_and_are_judged_clean(
    start: e.HandStarted, dice: random.Random
) -> None:
    sound_hand(start, dice)
