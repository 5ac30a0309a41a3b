"""What a game of stud is, as data: who takes which part of the pot."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from domain.ranking import Judged
from domain.units import Card


class HalfSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How one half, or the whole pot, is won.

    `score` (larger is better) decides and `judge` explains, both by `rule`; `None` from either
    means that the cards do not qualify.
    """

    rule: str
    score: Callable[[Collection[Card]], int | None]
    judge: Callable[[Collection[Card]], Judged | None]


class GameSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What one game does differently; without `low` the high hand takes the whole pot."""

    title: str
    high: HalfSpec
    low: HalfSpec | None = None
