"""Amounts in tables and CSV: exact decimals, never floats."""

from __future__ import annotations

from domain.amounts import amount_words, decimal_words
from domain.events import Money


def decimal(amount: int, exponent: int) -> str:
    """An amount in minor units as a plain decimal figure, for CSV.

    >>> decimal(-1205, 2)
    '-12.05'
    """
    return f"{'-' if amount < 0 else ''}{decimal_words(abs(amount), exponent)}"


def money(amount: int, currency: str, exponent: int) -> str:
    """An amount in minor units with its currency, for people.

    >>> money(1205, "USD", 2)
    '$12.05'
    """
    return amount_words(amount, Money(kind="real", currency=currency, exponent=exponent))
