"""The judgement of a whole hand: its findings and whether everything could be judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from domain import events as e
from domain.check import check
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.betting import hides_open_pair
from domain.rules.payouts import recorded_payouts
from domain.rules.settlement import open_questions
from domain.rules.turn import turn

RULES_VERSION = 1
"""Version of the rules code that judges; stored with findings, raised when a judgement changes."""

Judgement = Literal["clean", "clean_as_visible", "findings"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`clean_as_visible`: no contradiction, but `open_questions` the record cannot answer."""

    verdict: Judgement
    findings: tuple[Finding, ...]
    open_questions: tuple[str, ...]
    hand: Hand


def judge(events: Iterable[e.HandEvent]) -> Verdict:
    """Check every event of one hand in order. Raises `CorruptHistory` as `evolve` does."""
    hand: Hand | None = None
    findings: list[Finding] = []
    questions: list[str] = []
    for event in events:
        # What cannot be applied is no fact to judge, so it is applied first.
        after = evolve(hand, event)
        findings += check(hand, event)
        questions += questions_left_open(hand, event)
        hand = after
    if hand is None:
        raise CorruptHistory("a hand without any event")
    return Verdict(
        verdict=judgement(findings, questions),
        findings=tuple(findings),
        open_questions=tuple(questions),
        hand=hand,
    )


def judgement(findings: Sequence[Finding], open_questions: Sequence[str]) -> Judgement:
    """What all the findings and open questions of a hand come to."""
    return "findings" if findings else "clean_as_visible" if open_questions else "clean"


def questions_left_open(hand: Hand | None, event: e.HandEvent) -> tuple[str, ...]:
    """What the record up to `event`, coming after the state `hand`, does not answer."""
    if hand is None or type(event) not in _MAY_BE_OPEN:
        return ()
    if type(event) is e.HandCompleted:
        return tuple([question.text for question in open_questions(recorded_payouts(hand))])
    betting = hand.betting
    if betting.last is None and betting.street and len(turn(hand)) > 1:
        return (f"who opens street {betting.street}",)
    if isinstance(event, e.BetPlaced | e.Raised) and event.size == "big" and hides_open_pair(hand):
        return ("whether an open pair allows the big bet",)
    return ()


_MAY_BE_OPEN = frozenset(
    {
        *(e.BringInPosted, e.Called, e.Completed, e.BetPlaced, e.Raised, e.Checked, e.Folded),
        e.HandCompleted,
    }
)
