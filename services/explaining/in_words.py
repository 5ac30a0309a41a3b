"""The events in words: every fact of a hand in a sentence, with its rules and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from domain import events as e
from domain.check import Finding
from domain.discreet import Discreet
from domain.verdict import judge
from services.explaining.explanation import Line
from services.explaining.happening import why
from services.explaining.judging import as_seen
from services.explaining.walking import Passed, walk
from services.replaying.notes import note
from services.replaying.seating import Seating, seating
from services.replaying.views import PUBLIC, View, require_allowed, seen_by

DECISIONS = (
    e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised | e.Checked | e.Folded
    | e.TimedOut
)  # fmt: skip
"""Facts at which somebody decided, or let the clock decide."""


class EventInWords(Discreet, frozen=True, kw_only=True):
    """One fact: what happened, by which rules and why, and what the rules object to.

    `street` is the one it belongs to, 0 before the cards; `decision` whether somebody decided.
    """

    step: int
    street: int
    at: datetime | None
    decision: bool
    text: str
    rules: tuple[str, ...]
    why: tuple[Line, ...]
    findings: tuple[Finding, ...]


def in_words(
    events: Sequence[e.HandEvent], view: View = PUBLIC, names: Mapping[str, str] | None = None
) -> tuple[EventInWords, ...]:
    """Every fact of the hand, as `view` may know it; `names` maps player ids to names.

    Raises `BadView`.
    """
    require_allowed(view, events)
    seen = tuple(seen_by(view, events))
    found: dict[int, list[Finding]] = {}
    for finding in as_seen(judge(events).findings, judge(seen).findings):
        found.setdefault(finding.step, []).append(finding)
    passed = tuple(walk(seen))
    words = seating(passed[-1].after.started, names or {})
    return tuple(_told(step, words, found.get(step.after.step, ())) for step in passed)


def _told(step: Passed, words: Seating, findings: Sequence[Finding]) -> EventInWords:
    because = tuple(why(step.before, step.event, step.after, words))
    return EventInWords(
        step=step.after.step,
        street=step.after.betting.street,
        at=step.event.at,
        decision=isinstance(step.event, DECISIONS),
        text=note(words, step.event, step.after),
        rules=tuple(dict.fromkeys(rule for line in because for rule in line.rules)),
        why=because,
        findings=tuple(findings),
    )
