"""What the rules object to in a hand, and the verdict, with the rules' version that judged."""

from __future__ import annotations

from typing import ClassVar

from domain import events as e
from domain.check import check
from domain.finding import Finding
from domain.hand import Hand
from domain.verdict import RULES_VERSION, judgement, questions_left_open
from projections.shape import EVERY_KIND, Followed, Projection, TableRow, Told, follow


class Row(Followed, frozen=True, gc=False):
    """The hand so far, what the rules object to in it, and what its record leaves open."""

    findings: tuple[Finding, ...] = ()
    open_questions: tuple[str, ...] = ()


class VerdictRow(TableRow, frozen=True, kw_only=True, gc=False):
    """The verdict on one finished hand of `steps` facts."""

    table: ClassVar[str] = "verdicts"

    verdict: str
    findings: int
    steps: int
    rules_version: str


class FindingRow(TableRow, frozen=True, kw_only=True, gc=False):
    """One objection: at `step` the rule expects something else than is recorded."""

    table: ClassVar[str] = "findings"

    line: int
    step: int
    rule: str
    expected: str
    recorded: str
    text: str
    rules_version: str


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Judge one fact. Pure; the checks themselves tell the kinds of facts apart."""
    before = row.hand if row else None
    # What cannot be applied is no fact to judge, so it is applied first.
    after = follow(before, event)
    found, left_open = check(before, event), questions_left_open(before, event)
    if row is None:
        return Row(after, found, left_open)
    return Row(after, row.findings + found, row.open_questions + left_open)


def passes_over(hand: Hand, event: e.HandEvent) -> bool:
    """Whether there is nothing to say about a fact, as there is about few."""
    return not check(hand, event) and not questions_left_open(hand, event)


def rows(row: Row, told: Told) -> tuple[VerdictRow | FindingRow, ...]:
    """The verdict and a row per finding, once the hand is over: until then there is none."""
    if not row.hand.completed and not row.hand.voided:
        return ()
    verdict = VerdictRow(
        hand=told.stream,
        verdict=judgement(row.findings, row.open_questions, ruled=row.hand.ruled),
        findings=len(row.findings),
        steps=row.hand.step,
        rules_version=str(RULES_VERSION),
    )
    found = (
        FindingRow(
            hand=told.stream,
            line=line,
            step=finding.step,
            rule=finding.rule,
            expected=finding.expected,
            recorded=finding.recorded,
            text=finding.text,
            rules_version=str(RULES_VERSION),
        )
        for line, finding in enumerate(row.findings, start=1)
    )
    return (verdict, *found)


FINDINGS = Projection(
    name="findings",
    project=project,
    heeds=EVERY_KIND,
    passes_over=passes_over,
    tables=(VerdictRow, FindingRow),
    rows=rows,
)
