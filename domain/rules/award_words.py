"""Awards in a floor person's words: which prize, whose hand, how shared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.amounts import amount_words
from domain.hand import Hand
from domain.rules.payouts import half_spec
from domain.rules.showdown import in_words
from domain.units import Chips, Half, Seat


def prize_words(pot: int, half: Half) -> str:
    """A prize as the dealer calls it.

    >>> prize_words(2, "low")
    'the low half of side pot 2'
    """
    name = "the main pot" if pot == 0 else f"side pot {pot}"
    return name if half == "whole" else f"the {half} half of {name}"


def sentence(text: str) -> str:
    """`text` with a capital first letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def hands_words(hand: Hand, half: Half, seats: Iterable[Seat]) -> str:
    """Seats with their hands for this half: `seat 3 (7-6-4-2-A low) and seat 5 (folded)`."""
    each = [f"seat {seat} ({_hand_words(hand, half, seat)})" for seat in sorted(seats)]
    return " and ".join(each) or "nobody"


def _hand_words(hand: Hand, half: Half, seat: Seat) -> str:
    player = hand.player(seat)
    if not player.still_in:
        return "folded"
    if len(hand.still_in) == 1:
        return "alone still in"
    words = in_words(hand, half_spec(hand, half), seat).words
    return f"{words}, mucked" if player.mucked else words


def shares_words(hand: Hand, shares: Mapping[Seat, Chips]) -> str:
    """Seats with their amounts: `seat 1 $8.28, seat 3 $8.27`."""
    money = hand.started.money
    each = [f"seat {seat} {amount_words(shares[seat], money)}" for seat in sorted(shares)]
    return ", ".join(each) or "nobody"
