"""Amounts in tables: exact decimals, never floats."""

from __future__ import annotations

from domain.amounts import amount_words
from domain.events import Money


def money(amount: int, currency: str, exponent: int) -> str:
    """An amount in minor units with its currency, for people.

    >>> money(1205, "USD", 2)
    '$12.05'
    """
    return amount_words(amount, Money(kind="real", currency=currency, exponent=exponent))
