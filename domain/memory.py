"""Remembering the last answer of a pure function, for questions asked of one state in a row."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

State = TypeVar("State")
Answer = TypeVar("Answer")


def remembers_last(function: Callable[[State], Answer]) -> Callable[[State], Answer]:
    """The same function, its last answer given again when asked of the very same state.

    States are immutable and compared by identity. Threads may share it: the memory is replaced
    whole, so an answer always belongs to its state.
    """
    last: tuple[State, Answer] | None = None

    @wraps(function)
    def remembering(state: State) -> Answer:
        nonlocal last
        known = last
        if known is not None and known[0] is state:
            return known[1]
        answer = function(state)
        last = (state, answer)
        return answer

    return remembering
