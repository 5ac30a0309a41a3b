"""A finding together with the hand it is about."""

from __future__ import annotations

from uuid import UUID

from domain.discreet import Discreet


class HandFinding(Discreet, frozen=True, kw_only=True):
    """One fault of a hand's record: at `step`, by `rule`, in one sentence."""

    hand: UUID
    number: str
    step: int
    rule: str
    expected: str
    recorded: str
    text: str
