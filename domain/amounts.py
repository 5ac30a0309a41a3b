"""Amounts of minor units as people write them: `$12.25`, `1250`."""

from __future__ import annotations

from domain.events import Money
from domain.units import ChipsMoved

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}


def amount_words(amount: ChipsMoved, money: Money) -> str:
    """An amount in minor units with its currency's sign or, without one, its code.

    >>> amount_words(-1225, Money(kind="real", currency="USD", exponent=2))
    '-$12.25'
    """
    minus = "-" if amount < 0 else ""
    figure = decimal_words(abs(amount), money.exponent)
    if money.currency in SIGNS:
        return f"{minus}{SIGNS[money.currency]}{figure}"
    unit = "" if money.currency == "chips" else f" {money.currency}"
    return f"{minus}{figure}{unit}"


def is_foreign(text: str, money: Money) -> bool:
    """Whether an amount that somebody wrote begins with the sign of another currency.

    >>> is_foreign("€4", Money(kind="real", currency="USD", exponent=2))
    True
    """
    return text[:1] in SIGNS.values() and text[:1] != SIGNS.get(money.currency)


def decimal_words(amount: ChipsMoved, exponent: int) -> str:
    """An amount in minor units, not negative, as an exact decimal figure.

    >>> decimal_words(1205, 2), decimal_words(1205, 0)
    ('12.05', '1205')
    """
    assert amount >= 0
    if exponent == 0:
        return str(amount)
    whole, rest = divmod(amount, 10**exponent)
    return f"{whole}.{rest:0{exponent}d}"
