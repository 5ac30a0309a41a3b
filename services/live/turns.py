"""The turn somebody answers: it changes exactly when the betting moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from domain import commands as c
from domain import events as e
from domain.timing import last_move

ACTIONS = (c.PostBringIn, c.Complete, c.Bet, c.Raise, c.Call, c.Check, c.Fold)
"""What a player does when it is his turn."""


_TURN = re.compile(r"[0-9a-f]{12}-[0-9]{1,6}")


def turn_of(hand_id: UUID, events: Sequence[e.HandEvent]) -> str:
    """The token of the turn after these events: some letters of the hand, and the last move's n.

    A token of another hand or of an earlier turn is never equal to it.
    """
    return f"{hand_id.hex[:12]}-{last_move(events)}"


def turn_or_none(named: str | None) -> str | None:
    """What was named as a turn, if it is written as one; anything else is not worth keeping."""
    return named if named is not None and _TURN.fullmatch(named) else None
