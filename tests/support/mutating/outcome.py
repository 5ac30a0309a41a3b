"""What becomes of a mutant: a finding, a rejection, another hand without a fault, or nothing."""

from __future__ import annotations

from typing import Literal

from domain.check import Finding, check
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.rederiving import first_difference
from tests.support.mutating.facts import Mutant

Outcome = Literal["found", "rejected", "another clean hand", "not told"]


def outcome(mutant: Mutant) -> Outcome:
    """What judging makes of it. A dealt hand that can be dealt like this has no fault."""
    found, applied = judged(mutant, first=True)
    if found:
        return "found"
    if not applied:
        return "rejected"
    if mutant.hand.dealt and first_difference(mutant.events) is None:
        return "another clean hand"
    return "not told"


def judged(mutant: Mutant, *, first: bool = False) -> tuple[list[Finding], bool]:
    """The findings from where the hand was changed on, and whether all of it can be applied.

    Judging ends at the first fact that cannot be applied or, if asked, at the first finding.
    """
    hand = mutant.hand.before[mutant.at]
    found: list[Finding] = []
    for event in mutant.tail:
        try:
            after = evolve(hand, event)
        except CorruptHistory:
            return found, False
        found.extend(check(hand, event))
        if first and found:
            break
        hand = after
    return found, True
