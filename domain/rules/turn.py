"""Whose turn it is, and when a street's betting is over (B1, B2, B5, B10, S5)."""

from __future__ import annotations

from domain.hand import Hand, Player
from domain.memory import remembers_last
from domain.rules.openers import leaders
from domain.rules.streets import LAST_STREET, still_dealing
from domain.units import Seat


def turn(hand: Hand) -> tuple[Seat, ...]:
    """The seat to act now: none between rounds, several where the record leaves it open."""
    betting = hand.betting
    last, price, spoken = betting.last, betting.price, betting.spoken
    if betting.street == 0 or hand.completed or hand.voided:
        return ()
    if last is None:
        return _opening(hand)
    found: Player | None = None
    for player in hand.seats:
        if player.status == "active" and (player.street_total < price or player.seat not in spoken):
            if player.seat > last:
                found = player
                break
            found = found or player
    if found is None or hand.another_active(found) is None:
        return _alone(hand)
    return (found.seat,)


@remembers_last
def _opening(hand: Hand) -> tuple[Seat, ...]:
    """Who may be first on a street that is dealt."""
    waiting = _waiting(hand)
    if not waiting or still_dealing(hand):
        return ()
    return tuple(dict.fromkeys([_from_leader(seat, waiting) for seat in leaders(hand)]))


def _waiting(hand: Hand) -> list[Seat]:
    """Everyone who has yet to act at the present price.

    A lone active player acts only if somebody still in has more in on this street (B10).
    """
    price, spoken = hand.betting.price, hand.betting.spoken
    active = 0
    waiting: list[Seat] = []
    for player in hand.seats:
        if player.status == "active":
            active += 1
            if player.street_total < price or player.seat not in spoken:
                waiting.append(player.seat)
    return waiting if active > 1 else [*_alone(hand)]


def _alone(hand: Hand) -> tuple[Seat, ...]:
    """The only active player, if there is only one, where he faces more than he has in (B10)."""
    active = hand.active
    if len(active) != 1:
        return ()
    (player,) = active
    faces_more = any(other.street_total > player.street_total for other in hand.still_in)
    return (player.seat,) if faces_more else ()


def _from_leader(leader: Seat, waiting: list[Seat]) -> Seat:
    return leader if leader in waiting else _first_waiting(leader, waiting)


def _first_waiting(after: Seat, waiting: list[Seat]) -> Seat:
    """`waiting` in ascending order: the next above `after`, or else the lowest."""
    for seat in waiting:
        if seat > after:
            return seat
    return waiting[0]


def bring_in_owed(hand: Hand) -> bool:
    """Whether third street still waits for its first chips (S4, S5)."""
    betting = hand.betting
    return betting.street == 3 and betting.price == 0 and hand.started.stakes.bring_in > 0


def duty_passed(hand: Hand) -> bool:
    """Whether the bring-in is owed by somebody else than the lowest door card (S5)."""
    return hand.betting.last is not None or not set(turn(hand)) & set(leaders(hand))


def why_not_his_turn(hand: Hand, seat: Seat) -> str:
    """The rule that gives the turn to somebody else than `seat`, while there is a turn."""
    if all(player.seat != seat for player in hand.still_in):
        return "B2"
    if bring_in_owed(hand) and duty_passed(hand):
        return "S5"
    return "S3" if hand.betting.street == 3 and hand.betting.last is None else "B1"


@remembers_last
def street_over(hand: Hand) -> bool:
    """Whether the street in play is dealt and nobody is left to act on it."""
    if hand.betting.street == 0:
        return False
    return one_left(hand) or (not _waiting(hand) and not still_dealing(hand))


def one_left(hand: Hand) -> bool:
    """Whether everybody but one has folded (B9)."""
    left = 0
    for player in hand.seats:
        if player.status != "folded":
            left += 1
            if left > 1:
                return False
    return True


def hand_over(hand: Hand) -> bool:
    """Whether nothing is left but to pay out: one player left, or seventh street done (B9, P0)."""
    return street_over(hand) and (hand.betting.street == LAST_STREET or one_left(hand))
