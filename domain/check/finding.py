"""What a check objects to."""

from __future__ import annotations

import msgspec

from domain.hand import Hand


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of a record: at `step` (1 = the first event), by `rule`, in one sentence."""

    step: int
    rule: str
    expected: str
    recorded: str
    text: str


def object_to(hand: Hand, rule: str, expected: str, recorded: str, text: str) -> Finding:
    """A finding about the event that would follow the state `hand`."""
    return Finding(step=hand.step + 1, rule=rule, expected=expected, recorded=recorded, text=text)
