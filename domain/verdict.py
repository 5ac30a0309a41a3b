"""The judgement of a whole hand: its findings and whether everything could be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, cast

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

Judgement = Literal["clean", "clean_as_visible", "findings", "ruled"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`clean_as_visible`: no contradiction, but `open_questions` the record cannot answer.

    `ruled`: no contradiction in how it was played, and a ruling has moved money since.
    """

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
        if found := check(hand, event):
            findings += found
        if left_open := questions_left_open(hand, event):
            questions += left_open
        hand = after
    if hand is None:
        raise CorruptHistory("a hand without any event")
    return Verdict(
        verdict=judgement(findings, questions, ruled=hand.ruled),
        findings=tuple(findings),
        open_questions=tuple(questions),
        hand=hand,
    )


def judgement(
    findings: Sequence[Finding], open_questions: Sequence[str], *, ruled: bool
) -> Judgement:
    """What all the findings and open questions of a hand come to."""
    if ruled and not findings:
        return "ruled"
    return "findings" if findings else "clean_as_visible" if open_questions else "clean"


def questions_left_open(hand: Hand | None, event: e.HandEvent) -> tuple[str, ...]:
    """What the record up to `event`, coming after the state `hand`, does not answer."""
    asks = _ASKS.get(type(event))
    return () if asks is None or hand is None else asks(hand, event)


def _who_opens(hand: Hand, event: e.HandEvent) -> tuple[str, ...]:
    betting = hand.betting
    if betting.last is None and betting.street and len(turn(hand)) > 1:
        return (f"who opens street {betting.street}",)
    return ()


def _what_size(hand: Hand, event: e.BetPlaced | e.Raised) -> tuple[str, ...]:
    opens = _who_opens(hand, event)
    if not opens and event.size == "big" and hides_open_pair(hand):
        return ("whether an open pair allows the big bet",)
    return opens


def _who_wins(hand: Hand, event: e.HandCompleted) -> tuple[str, ...]:
    return tuple([question.text for question in open_questions(recorded_payouts(hand))])


_ASKS = cast(
    "dict[type[Any], Callable[[Hand, Any], tuple[str, ...]]]",
    {
        **dict.fromkeys((e.BringInPosted, e.Called, e.Completed, e.Checked, e.Folded), _who_opens),
        e.BetPlaced: _what_size,
        e.Raised: _what_size,
        e.HandCompleted: _who_wins,
    },
)
"""Facts that a question may hang on, by kind."""
