"""The players of a state by their places: finding one, and the state in which he is changed."""

from __future__ import annotations

from msgspec.structs import replace

from domain.errors import CorruptHistory
from domain.hand import Hand, Player
from domain.units import Seat


def place_of(hand: Hand, seat: Seat) -> int:
    """Where in `hand.seats` that seat is. Raises `CorruptHistory` if nobody was dealt in there."""
    seats = hand.seats
    # Where no seat below is empty, the first guess is right.
    if seat <= len(seats) and seats[seat - 1].seat == seat:
        return seat - 1
    for place, player in enumerate(seats):
        if player.seat == seat:
            return place
    raise CorruptHistory(f"nobody was dealt in at seat {seat}")


def seated(seats: tuple[Player, ...], place: int, player: Player) -> tuple[Player, ...]:
    """The same seats with another state of the player at one place."""
    changed = [*seats]
    changed[place] = player
    return tuple(changed)


def with_player(hand: Hand, place: int, player: Player) -> Hand:
    """The next state, in which one player is not what he was."""
    return replace(hand, step=hand.step + 1, seats=seated(hand.seats, place, player))
