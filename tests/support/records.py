"""Clean hands with one fact changed, as a wrong record has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain import events as e
from domain.finding import Finding
from domain.verdict import judge
from tests.support.bdd import Table


class Record:
    """The facts of a hand that was played by the rules, to be changed one by one."""

    def __init__(self, table: Table) -> None:
        self.log: list[Any] = list(table.log)
        assert judge(self.log).verdict == "clean"

    def find(self, kind: type[e.Event], nth: int = 0, **fields: Any) -> int:
        """Where the nth fact of this kind with these fields is."""
        return [
            n
            for n, event in enumerate(self.log)
            if isinstance(event, kind) and all(getattr(event, f) == v for f, v in fields.items())
        ][nth]

    def changed(self, n: int, **fields: Any) -> Sequence[Finding]:
        """What is objected to up to the fact at `n` if it says this instead."""
        return self.instead(n, replace(self.log[n], **fields))

    def instead(self, n: int, *facts: e.HandEvent) -> Sequence[Finding]:
        """What is objected to up to these facts, if they come in place of the one at `n`."""
        return objections([*self.log[:n], *facts])

    def without(self, n: int) -> Sequence[Finding]:
        """What is objected to up to the next fact if the one at `n` is missing."""
        return objections([*self.log[:n], self.log[n + 1]])

    def before(self, n: int, *facts: e.HandEvent) -> Sequence[Finding]:
        """What is objected to up to these facts, if they come before the one at `n`."""
        return objections([*self.log[:n], *facts])


def objections(log: Sequence[e.HandEvent]) -> Sequence[Finding]:
    return judge(log).findings


def assert_only(findings: Sequence[Finding], step: int, rule: str) -> Finding:
    """One finding, at this 0-based place of the log and by this rule."""
    assert [(finding.step, finding.rule) for finding in findings] == [(step + 1, rule)]
    (finding,) = findings
    assert finding.text.endswith("."), "a sentence"
    assert finding.expected != finding.recorded
    return finding
