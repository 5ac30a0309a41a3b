"""Whose turn it is, and when a street's betting is over (B1, B2, B5, B10, S5)."""

from __future__ import annotations

from domain.hand import Hand, Player
from domain.rules.openers import leaders
from domain.rules.streets import LAST_STREET, undealt
from domain.units import Seat


def must_act(hand: Hand, player: Player) -> bool:
    """Whether this player has yet to act at the present price.

    A lone active player acts only if somebody still in has more in on this street (B10).
    """
    if player.status != "active":
        return False
    active = hand.active
    if len(active) == 1:
        return any(other.street_total > player.street_total for other in hand.still_in)
    betting = hand.betting
    return player.seat not in betting.spoken or player.street_total < betting.price


def turn(hand: Hand) -> tuple[Seat, ...]:
    """The seat to act now: none between rounds, several where the record leaves it open."""
    if hand.betting.street == 0 or hand.completed or hand.voided or len(hand.still_in) < 2:
        return ()
    waiting = {p.seat for p in hand.active if must_act(hand, p)}
    if not waiting or undealt(hand):
        return ()
    if hand.betting.last is not None:
        return (_first_waiting(hand, hand.betting.last, waiting),)
    return tuple(dict.fromkeys(_from_leader(hand, seat, waiting) for seat in leaders(hand)))


def _from_leader(hand: Hand, leader: Seat, waiting: set[Seat]) -> Seat:
    return leader if leader in waiting else _first_waiting(hand, leader, waiting)


def _first_waiting(hand: Hand, after: Seat, waiting: set[Seat]) -> Seat:
    return next(p.seat for p in hand.clockwise(after) if p.seat in waiting)


def bring_in_owed(hand: Hand) -> bool:
    """Whether third street still waits for its first chips (S4, S5)."""
    betting = hand.betting
    return betting.street == 3 and betting.price == 0 and hand.started.stakes.bring_in > 0


def duty_passed(hand: Hand) -> bool:
    """Whether the bring-in is owed by somebody else than the lowest door card (S5)."""
    return hand.betting.last is not None or turn(hand)[0] not in leaders(hand)


def street_over(hand: Hand) -> bool:
    """Whether the street in play is dealt and nobody is left to act on it."""
    if hand.betting.street == 0:
        return False
    if len(hand.still_in) < 2:
        return True
    return not undealt(hand) and not turn(hand)


def hand_over(hand: Hand) -> bool:
    """Whether nothing is left but to pay out: one player left, or seventh street done (B9, P0)."""
    return street_over(hand) and (len(hand.still_in) < 2 or hand.betting.street == LAST_STREET)
