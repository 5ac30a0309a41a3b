"""The verdict in words, for eyes that may not see every card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from domain.check import Finding
from domain.verdict import RULES_VERSION, Verdict
from services.explaining.explanation import Line, say
from services.replaying.views import NOT_SHOWN

HIDDEN = "A finding rests on cards that are not shown in this view."


def as_seen(real: Iterable[Finding], masked: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings of the record in the words of a view: `masked` are those of what it sees.

    What the view cannot find by itself is only said to be there.
    """
    known: dict[tuple[int, str], list[Finding]] = {}
    for finding in masked:
        known.setdefault((finding.step, finding.rule), []).append(finding)
    return tuple(_of_view(finding, known) for finding in real)


def _of_view(finding: Finding, known: dict[tuple[int, str], list[Finding]]) -> Finding:
    same = known.get((finding.step, finding.rule))
    if same:
        return same.pop(0)
    return Finding(
        step=finding.step, rule=finding.rule, expected=NOT_SHOWN, recorded=NOT_SHOWN, text=HIDDEN
    )


def finding_lines(findings: Sequence[Finding]) -> Iterator[Line]:
    """Each finding with its step."""
    for finding in findings:
        yield say(f"Step {finding.step}: {finding.text}", finding.rule)


def verdict_lines(verdict: Verdict, findings: Sequence[Finding], steps: int) -> Iterator[Line]:
    """The judgement of the whole hand and what it rests on."""
    yield say(f"{_judgement(verdict, steps)} (rules version {RULES_VERSION}).")
    yield from finding_lines(findings)
    for question, times in Counter(verdict.open_questions).items():
        often = f" ({times} times)" if times > 1 else ""
        yield say(f"Left open by the record: {question}{often}.")


def _judgement(verdict: Verdict, steps: int) -> str:
    checked = f"all {steps} steps were checked"
    match verdict.verdict:
        case "clean":
            return f"Clean: {checked} and agree with the rules"
        case "clean_as_visible":
            return f"Clean as far as visible: {checked}, nothing contradicts the rules"
        case "ruled":
            return f"Ruled: {checked} and agree with the rules; a ruling moved money afterwards"
        case "findings":
            count = len(verdict.findings)
            return f"{count} {'finding' if count == 1 else 'findings'}: {checked}"
