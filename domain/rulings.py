"""Undoing: a void gives everyone back what he put in, a correction moves chips (P9)."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.errors import IllegalAmount, NotAllowedNow
from domain.hand import Hand
from domain.schedules import is_raked
from domain.units import ChipsMoved


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
    _require_payable(hand, command.moves)
    _require_rake(hand, command.rake)
    return e.AwardCorrected(
        moves=command.moves, rake=command.rake, reason=command.reason, ruling=command.ruling
    )


def _require_payable(hand: Hand, moves: tuple[e.SeatMove, ...]) -> None:
    moved = [move.seat for move in moves]
    if len(set(moved)) < len(moved):
        raise IllegalAmount("a correction names each seat once", rule="P9")
    stacks = {player.seat: player.stack for player in hand.seats}
    for move in moves:
        if move.seat not in stacks:
            raise NotAllowedNow(f"nobody was dealt in at seat {move.seat}", rule="P9")
        if stacks[move.seat] + move.amount < 0:
            raise IllegalAmount(f"seat {move.seat} cannot give what he does not have", rule="P9")


def _require_rake(hand: Hand, moved: ChipsMoved) -> None:
    if moved and not is_raked(hand.started):
        raise IllegalAmount("only real-money cash hands bear rake", rule="R1")
    if hand.rake + moved < 0:
        raise IllegalAmount("no more rake can be given back than was taken", rule="P9")
