"""Undoing: a void gives everyone back what he put in, a correction moves chips (P9)."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.errors import IllegalAmount, NotAllowedNow
from domain.hand import Hand


def void(hand: Hand, command: c.Void) -> e.HandVoided:
    """Everyone back to the stack he started with, no rake. Raises `NotAllowedNow` if void."""
    if hand.voided:
        raise NotAllowedNow("the hand is void already", rule="P9")
    moves = tuple(
        e.SeatMove(seat=p.seat, amount=p.started_with - p.stack)
        for p in hand.seats
        if p.started_with != p.stack
    )
    assert sum(move.amount for move in moves) - hand.rake == hand.pot, "chips are conserved"
    return e.HandVoided(moves=moves, rake=-hand.rake, reason=command.reason, ruling=command.ruling)


def correct(hand: Hand, command: c.Correct) -> e.AwardCorrected:
    """Chips moved after the hand. Raises `NotAllowedNow` or, if unbalanced, `IllegalAmount`."""
    if hand.voided or not hand.completed:
        raise NotAllowedNow("only a completed hand can be corrected", rule="P9")
    if sum(move.amount for move in command.moves) + command.rake != 0:
        raise IllegalAmount("a correction must sum to zero", rule="P9")
    moved = [move.seat for move in command.moves]
    if len(set(moved)) < len(moved):
        raise IllegalAmount("a correction names each seat once", rule="P9")
    stacks = {p.seat: p.stack for p in hand.seats}
    for move in command.moves:
        if stacks.get(move.seat, -1) + move.amount < 0:
            raise IllegalAmount(f"seat {move.seat} cannot give what he does not have", rule="P9")
    if hand.rake + command.rake < 0:
        raise IllegalAmount("no more rake can be given back than was taken", rule="P9")
    return e.AwardCorrected(
        moves=command.moves, rake=command.rake, reason=command.reason, ruling=command.ruling
    )
