"""Making findings about the event that is being checked."""

from __future__ import annotations

from domain.finding import Finding
from domain.hand import Hand


def object_to(hand: Hand, rule: str, expected: str, recorded: str, text: str) -> Finding:
    """A finding about the event that would follow the state `hand`."""
    return Finding(step=hand.step + 1, rule=rule, expected=expected, recorded=recorded, text=text)
