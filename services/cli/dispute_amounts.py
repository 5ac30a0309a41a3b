"""Amounts of rulings as one types them: `3=5.00` gives seat 3 five of the hand's money."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import Money, SeatMove
from domain.units import MOST_CHIPS, ChipsMoved
from services.cli.exits import USAGE, Stop
from services.whatif import BadAsk, amount_of


def moves_of(given: Sequence[str], money: Money) -> tuple[SeatMove, ...]:
    """What each seat gets, or gives, in minor units."""
    moves = []
    for one in given:
        seat, _, amount = one.partition("=")
        if not (seat.isascii() and seat.isdigit() and 1 <= int(seat) <= 10):
            raise Stop(f"'{one}' is not of the form SEAT=AMOUNT, such as 3=5.00", USAGE)
        moves.append(SeatMove(seat=int(seat), amount=signed_of(amount, money)))
    return tuple(moves)


def signed_of(text: str, money: Money) -> ChipsMoved:
    """An amount, given where it begins with a minus; of no other currency than the hand's."""
    sign, plain = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    try:
        amount = amount_of(plain, money)
    except BadAsk as wrong:
        raise Stop(str(wrong), USAGE) from None
    if amount > MOST_CHIPS:
        raise Stop(f"'{text}' is more than there is", USAGE)
    return sign * amount
