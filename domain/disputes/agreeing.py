"""Whether what a hand says was ruled on it is what two people ruled, by the policy it was under."""

from __future__ import annotations

from collections.abc import Sequence

from domain import events as e
from domain.disputes.case import Ruling
from domain.disputes.rulings import moves_by_seat
from domain.house_rules import HouseRules
from domain.ruled import RULINGS

Moved = tuple[dict[int, int], int]
"""Amounts by seat, and what of the rake, in minor units."""


def said_of(events: Sequence[e.HandEvent]) -> dict[str, Moved]:
    """What a hand says was moved by which ruling, after it was over."""
    said, over = {}, False
    for event in events:
        over = over or isinstance(event, e.HandCompleted)
        if isinstance(event, RULINGS) and over and event.ruling:
            said[event.ruling] = (moves_by_seat(event.moves), event.rake)
    return said


def meant_by(ruling: Ruling) -> Moved:
    """What a ruling moves in the hand."""
    return moves_by_seat(ruling.proposed.moves), ruling.proposed.rake


def unsound(ruling: Ruling) -> str | None:
    """What is wrong with an approved ruling, by itself (D3)."""
    proposed = ruling.proposed
    if proposed.proposed_by == ruling.approved_by:
        return f"ruling {ruling.id} was proposed and approved by the same person"
    if sum(move.amount for move in proposed.moves) + proposed.rake + proposed.house:
        return f"ruling {ruling.id} does not add up to zero"
    return None


def of_another_policy(ruling: Ruling, rules: HouseRules) -> str | None:
    """Nobody is ruled by a policy that was not in force at the hand (D4)."""
    policy = ruling.proposed.policy
    if (policy.name, policy.version) == (rules.name, rules.version):
        return None
    return (
        f"ruling {ruling.id} is by {policy.name} {policy.version}, and the hand was played under"
        f" {rules.name} {rules.version}"
    )
