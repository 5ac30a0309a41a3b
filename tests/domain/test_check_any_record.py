"""Whatever a record says, it is judged or it is no history; nothing else ever happens."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import events as e
from domain.check import check
from domain.consequences import cards_due, consequences
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.hand import Hand
from domain.legal import legal_actions
from domain.verdict import judge
from tests.support.bdd import Table, chosen
from tests.support.mutations import mistold
from tests.support.rule_ids import RULE_IDS
from tests.support.strategies import tables

PATIENT = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def play(start: e.HandStarted, dice: random.Random) -> list[e.HandEvent]:
    """A whole hand, now mild, now wild."""
    table = Table(start)
    for _ in range(dice.randrange(12)):
        choices = legal_actions(table.now)
        if table.now.completed:
            break
        table.issue(chosen(dice.choice(choices)) if choices else table.next_deal())
    return (table.aggressively() if dice.random() < 0.5 else table.passively()).log


def assert_judged(log: list[e.HandEvent]) -> None:
    """Judged whole, by rules of the book, at steps of the hand; or not a history at all."""
    try:
        verdict = judge(log)
    except CorruptHistory as corrupt:
        assert str(corrupt).startswith("step ") or not log
        return
    assert all(finding.rule in RULE_IDS for finding in verdict.findings)
    assert all(1 <= finding.step <= len(log) + 1 for finding in verdict.findings)
    assert all(finding.text for finding in verdict.findings)
    hand: Hand | None = None
    for event in log:
        check(hand, event)
        hand = evolve(hand, event)
        chips = sum(p.stack for p in hand.seats) + hand.pot + hand.rake
        assert chips == sum(p.started_with for p in hand.seats), "chips are conserved"


def assert_questions_are_answered(log: list[e.HandEvent]) -> None:
    """Whose turn it is, what is due and what follows can be asked of any state."""
    hand: Hand | None = None
    try:
        for event in log:
            hand = evolve(hand, event)
            legal_actions(hand)
            consequences(hand)
            cards_due(hand)
    except CorruptHistory:
        return


ANY_HAND = {"start": tables(), "dice": st.randoms(use_true_random=False)}


@settings(PATIENT, max_examples=60)
@given(**ANY_HAND)
def test_any_record_is_judged_or_is_no_history(start: e.HandStarted, dice: random.Random) -> None:
    clean = play(start, dice)
    assert judge(clean).verdict == "clean"
    for wrongs in (1, 1, 1, 2, 3):
        log = clean
        for _ in range(wrongs):
            log = mistold(log, dice) if log else log
        assert_judged(log)
        assert_questions_are_answered(log)


@pytest.mark.slow
@settings(PATIENT, max_examples=1500)
@given(**ANY_HAND)
def test_very_many_records_are_judged_or_are_no_history(
    start: e.HandStarted, dice: random.Random
) -> None:
    clean = play(start, dice)
    for wrongs in (1, 1, 2, 3):
        log = clean
        for _ in range(wrongs):
            log = mistold(log, dice) if log else log
        assert_judged(log)
        assert_questions_are_answered(log)
