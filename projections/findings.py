"""What the rules object to in a hand, and the verdict, with the rules' version that judged."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain import events as e
from domain.verdict import RULES_VERSION, judge
from projections.shape import Projection, TableRow, Told

ENDS = (e.HandCompleted, e.HandVoided)


class Row(msgspec.Struct, frozen=True, gc=False):
    """The facts so far: a hand is judged as a whole, so none may be missing."""

    facts: tuple[e.HandEvent, ...] = ()


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
    """Keep one fact. Pure; every kind of fact is kept, so there is nothing to tell apart."""
    return Row((*row.facts, event) if row else (event,))


def rows(row: Row, told: Told) -> tuple[VerdictRow | FindingRow, ...]:
    """The verdict and a row per finding, once the hand is over: until then there is none."""
    if not any(isinstance(fact, ENDS) for fact in row.facts):
        return ()
    judged = judge(row.facts)
    verdict = VerdictRow(
        hand=told.hand,
        verdict=judged.verdict,
        findings=len(judged.findings),
        steps=len(row.facts),
        rules_version=str(RULES_VERSION),
    )
    found = (
        FindingRow(
            hand=told.hand,
            line=line,
            step=finding.step,
            rule=finding.rule,
            expected=finding.expected,
            recorded=finding.recorded,
            text=finding.text,
            rules_version=str(RULES_VERSION),
        )
        for line, finding in enumerate(judged.findings, start=1)
    )
    return (verdict, *found)


FINDINGS = Projection(name="findings", tables=(VerdictRow, FindingRow), project=project, rows=rows)
