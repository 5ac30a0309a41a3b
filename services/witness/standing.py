"""A hand as it stands while lines are added to it, and what becomes of each."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from domain import events as e
from domain.check import check
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.finding import Finding
from domain.hand import Hand
from services.store.port import Recorded
from services.witness.lines import LONGEST_REASON, MOST_FACTS, LineAnswer, Posted, Status


class Standing:
    """What is stored of a posted hand, and what is to be.

    `new` are lines that become facts, `aside` those to be kept aside, with the reason.
    """

    def __init__(self, hand: UUID, stored: Sequence[Recorded], suspended: str | None) -> None:
        self.id = hand
        self.positions = [fact.position for fact in stored]
        self.new: list[Posted] = []
        self.aside: list[tuple[Posted, str]] = []
        self._suspended = suspended
        self._events: list[e.HandEvent] = []
        self._findings: list[tuple[Finding, ...]] = []
        self._hand: Hand | None = None
        for fact in stored:
            self._add(e.decode(fact.state))

    @property
    def elsewhere(self) -> str | None:
        """How a hand that nobody posted came into the log."""
        started = self._events[0] if self._events else None
        kind = started.source.kind if isinstance(started, e.HandStarted) else "posted"
        return None if kind == "posted" else kind

    @property
    def next(self) -> int:
        """The n that comes next."""
        return len(self._events) + 1

    def take(self, line: Posted) -> LineAnswer:
        """Judge one line as the hand stands with those before it."""
        if self.elsewhere:
            return self.answer(line, "refused", reason=f"this hand was {self.elsewhere}")
        if line.n < self.next:
            return self._again(line)
        if self._suspended:
            return self._keep_aside(line, self._suspended)
        if line.n > self.next:
            return self.answer(line, "gap", reason=f"fact {self.next} of the hand comes next")
        if self.next > MOST_FACTS:
            return self.answer(line, "refused", reason=f"a hand has at most {MOST_FACTS} facts")
        return self._apply(line)

    def answer(
        self,
        line: Posted,
        status: Status,
        *,
        findings: tuple[Finding, ...] = (),
        reason: str | None = None,
    ) -> LineAnswer:
        """What is said of a line; its position is known once it is stored."""
        known = line.n <= len(self.positions) and status == "duplicate"
        return LineAnswer(
            line=line.line,
            hand=self.id,
            called=line.called,
            n=line.n,
            status=status,
            position=self.positions[line.n - 1] if known else None,
            findings=findings,
            expected=None if status in ("stored", "duplicate") else self.next,
            reason=reason,
        )

    def _again(self, line: Posted) -> LineAnswer:
        """The same fact told again, or another one in its place."""
        if self._events[line.n - 1] == line.event:
            return self.answer(line, "duplicate", findings=self._findings[line.n - 1])
        return self.answer(line, "conflict", reason=f"fact {line.n} is on record as another")

    def _apply(self, line: Posted) -> LineAnswer:
        try:
            self._add(line.event)
        except CorruptHistory as wrong:
            self._suspended = str(wrong)[:LONGEST_REASON]
            return self._keep_aside(line, self._suspended)
        self.new.append(line)
        return self.answer(line, "stored", findings=self._findings[-1])

    def _keep_aside(self, line: Posted, reason: str) -> LineAnswer:
        self.aside.append((line, reason))
        return self.answer(line, "suspended", reason=reason)

    def _add(self, event: e.HandEvent) -> None:
        """Apply a fact. Raises CorruptHistory, and then nothing has changed."""
        # What cannot be applied is no fact to judge, so it is applied first.
        after = evolve(self._hand, event)
        self._findings.append(check(self._hand, event))
        self._events.append(event)
        self._hand = after
