"""Rolling a hand back to the last step that was right: who gets what when nothing later counts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain import events as e
from domain.disputes import commands as q
from domain.errors import NotAllowedNow
from domain.evolve import replay
from domain.hand import Hand
from domain.rules.betting import uncalled
from domain.rules.odd_chips import divide
from domain.rules.pots import build_pots
from domain.units import Chips, ChipsMoved, Seat


def with_amounts(command: q.ProposeRuling, events: Sequence[e.HandEvent]) -> q.ProposeRuling:
    """A ruling that rolls back and names no amounts, with those that follow from the step (D6).

    Any other is left as it is, and so is one that is refused for another reason. Raises
    `NotAllowedNow` if nothing follows from the step.
    """
    step = command.step
    asked = command.kind == "corrected_award" and command.remedy == "roll_back"
    named = command.moves or command.rake or command.evidence is not None
    if not asked or named or step is None or not 1 <= step <= len(events):
        return command
    hand = replay(events)
    if hand.voided or not hand.completed:
        return command
    moves, rake = rolled_back(hand, replay(events[:step]))
    return replace(command, moves=moves, rake=rake)


def rolled_back(hand: Hand, then: Hand) -> tuple[tuple[e.SeatMove, ...], ChipsMoved]:
    """What each seat and the rake get or give for `hand` to stand as it did `then` (D6).

    Whoever put chips in later, or more than anybody matched, has them back (B8). The pots there
    were then (P1) are shared equally by those still in, odd chips clockwise from the dealer (P7).
    No rake is kept, as in a void (P9). Amounts in minor units, in sum nothing. Raises
    `NotAllowedNow` if the pots were being paid out by then, or were never paid out whole.
    """
    if then.collected or then.completed or then.voided:
        raise NotAllowedNow("the pots were being paid out at that step: name an earlier", rule="D6")
    if hand.pot:
        # A correction moves what was won and no more; what a record lost of a pot, only a void.
        raise NotAllowedNow(
            "the record never paid out all of its pots: only a void gives that back", rule="D6"
        )
    paid = _matched(then)
    left = {p.seat: p.started_with - paid[p.seat] for p in then.seats}
    for seat, amount in _shares(then, paid):
        left[seat] += amount
    moves = tuple(
        e.SeatMove(seat=p.seat, amount=left[p.seat] - p.stack)
        for p in hand.seats
        if left[p.seat] != p.stack
    )
    assert sum(move.amount for move in moves) == hand.rake, "a hand rolled back sums to zero"
    return moves, -hand.rake


def _matched(then: Hand) -> dict[Seat, Chips]:
    """What each seat had in the pots, without what nobody had matched (B8)."""
    paid = {player.seat: player.paid for player in then.seats}
    if (back := uncalled(then)) is not None:
        seat, amount = back
        paid[seat] -= amount
    return paid


def _shares(then: Hand, paid: dict[Seat, Chips]) -> list[tuple[Seat, Chips]]:
    """Each pot among those who could still win it, alike (P1, P7)."""
    still_in = [player.seat for player in then.clockwise() if player.still_in]
    chip = then.started.stakes.chip_unit
    return [
        (share.seat, share.amount)
        for pot in build_pots(paid, still_in)
        for share in divide(pot.amount, pot.claimants, chip=chip)
    ]
