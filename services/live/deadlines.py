"""Whether a command came in time, by the clock of the turn it is about (C1)."""

from __future__ import annotations

from domain import commands as c
from domain.errors import NotAllowedNow
from services.live.errors import TooLate
from services.live.standing import Standing
from services.live.turns import ACTIONS


def by_the_clock(hand: Standing, command: c.HandCommand) -> c.HandCommand:
    """The command, a time-out with the evidence of the turn it ends.

    Raises `TooLate` for an action that arrived after the deadline of its seat's turn, and
    `NotAllowedNow` for a time-out while the clock is stopped.
    """
    if not isinstance(command, (*ACTIONS, c.TimeOut)):
        return command
    clock, at = hand.clock, command.at
    assert at is not None, "every command is stamped when it arrives"
    if clock is None or clock.seat != command.seat:
        return command
    if isinstance(command, c.TimeOut):
        if clock.paused:
            raise NotAllowedNow("the clock is stopped", rule="C1")
        return clock.time_out(at)
    if clock.ran_out(at):
        raise TooLate(f"the turn of seat {clock.seat} was over when this arrived", clock.deadline)
    return command
