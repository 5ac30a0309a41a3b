"""Amounts of a ruling as people type them: whole units with a sign, in sum nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from domain.amounts import amount_words, is_foreign
from domain.events import Money, SeatMove
from domain.units import ChipsMoved, Seat
from services.pages.forms import Form

TYPED = re.compile(r"([+\-−])?\s*([$€£])?\s*(\d{1,12})(?:\.(\d+))?", re.ASCII)
RAKE = "rake"
BALANCE = "balance"
"""Under which name it is noted that amounts do not balance."""


def seat_field(seat: Seat) -> str:
    """What the field of a seat's amount is called."""
    return f"seat-{seat}"


def signed(text: str, money: Money) -> ChipsMoved:
    """An amount in minor units from one in whole units. Raises ValueError, with why.

    >>> dollars = Money(kind="real", currency="USD", exponent=2)
    >>> signed("-2.5", dollars), signed("+$3", dollars)
    (-250, 300)
    """
    found = TYPED.fullmatch(text.strip())
    if found is None:
        raise ValueError("write an amount with its sign, as +2.00 or -2.00")
    sign, currency, whole, rest = found.groups(default="")
    if is_foreign(currency, money):
        raise ValueError(f"this is of another currency: the hand's is {money.currency}")
    exponent = money.exponent
    if len(rest) > exponent:
        raise ValueError(f"an amount here has {exponent or 'no'} decimals")
    amount = int(whole + rest.ljust(exponent, "0"))
    return amount if sign in ("", "+") else -amount


def typed_moves(
    form: Form, seats: Iterable[Seat], money: Money
) -> tuple[tuple[SeatMove, ...], ChipsMoved]:
    """What each seat and the rake get or give; what cannot be read is noted beside its field."""
    moves = tuple(
        SeatMove(seat=seat, amount=amount)
        for seat in seats
        if (amount := _typed(form, seat_field(seat), money))
    )
    return moves, _typed(form, RAKE, money)


def _typed(form: Form, field: str, money: Money) -> ChipsMoved:
    text = form.value(field)
    if not text.strip():
        return 0
    try:
        return signed(text, money)
    except ValueError as wrong:
        form.errors[field] = str(wrong)
        return 0


def note_imbalance(form: Form, moves: tuple[SeatMove, ...], rake: ChipsMoved, money: Money) -> None:
    """Note by how much a correction is off: what some get, others and the rake must give."""
    off = sum(move.amount for move in moves) + rake
    if off:
        words, side = amount_words(abs(off), money), "much" if off > 0 else "little"
        form.errors[BALANCE] = f"off by {words}: seats and rake together get that too {side}"
