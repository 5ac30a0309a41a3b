"""Printed amounts as exact minor units, whatever country printed them."""

from __future__ import annotations

import re
from decimal import Context, Decimal

from domain.units import MOST_CHIPS, Chips

SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
CODES = ("USD", "EUR", "GBP", "CAD", "AUD", "CHF", "INR", "SEK", "DKK", "NOK")
CENTS = 2
MOST_DIGITS = 40
_EXACT = Context(prec=2 * MOST_DIGITS)

_CURRENCY = re.compile(rf"[$€£]|\b(?:{'|'.join(CODES)})\b")
_CODE = re.compile(rf"\b({'|'.join(CODES)})\b")
_GROUPED = re.compile(
    r"([1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?", re.ASCII
)
_PLAIN = re.compile(r"(\d+)?(?:[.,](\d+))?", re.ASCII)
_SPACES = str.maketrans("\u00a0\u202f\u2007\u2009", "    ")


class NotAnAmount(ValueError):
    """The printed text is no amount, or one that minor units cannot say exactly."""


def minor_units(printed: str, exponent: int) -> Chips:
    """`printed` in minor units of 10^-exponent. Raises `NotAnAmount`.

    The last of two kinds of separator is the decimal one; a single one before exactly three
    digits separates thousands, for no site prints tenths of a cent.

    >>> [minor_units(text, 2) for text in ("$1,234.50", "€1.234,50", "0.5", "$2")]
    [123450, 123450, 50, 200]
    >>> minor_units("1 480", 0)
    1480
    """
    bare = _CURRENCY.sub("", printed.translate(_SPACES)).strip()
    match = _GROUPED.fullmatch(bare)
    if match:
        whole, fraction = re.sub(r"\D", "", match[1]), match[3] or ""
    else:
        whole, fraction = _plain(bare, printed)
    return _exact(whole, fraction, exponent, printed)


def _plain(bare: str, printed: str) -> tuple[str, str]:
    match = _PLAIN.fullmatch(bare)
    if not match or not (match[1] or match[2]):
        raise NotAnAmount(f"'{printed}' is not an amount")
    return match[1] or "0", match[2] or ""


def _exact(whole: str, fraction: str, exponent: int, printed: str) -> Chips:
    kept, lost = fraction[:exponent], fraction[exponent:]
    if lost.strip("0"):
        raise NotAnAmount(f"'{printed}' is not a whole number of minor units")
    # No amount has more digits than this, and int() of a huge text is slow.
    if len(whole) > len(str(MOST_CHIPS)):
        raise NotAnAmount(f"'{printed[:20]}…' is more than there are chips")
    amount = int(whole + kept.ljust(exponent, "0"))
    if amount > MOST_CHIPS:
        raise NotAnAmount(f"'{printed}' is more than there are chips")
    return amount


def of_decimal(value: Decimal, exponent: int) -> Chips:
    """A number of a structured file in minor units. Raises `NotAnAmount`."""
    if not has_few_digits(value) or value < 0:
        raise NotAnAmount(f"{str(value)[:40]} is not an amount")
    scaled = value.scaleb(exponent, _EXACT)
    if scaled != scaled.to_integral_value() or scaled > MOST_CHIPS:
        raise NotAnAmount(f"{value} is not a whole number of minor units")
    return int(scaled)


def has_few_digits(value: Decimal) -> bool:
    """Whether this can be written out: `1e999999999` has more digits than there is memory.

    >>> has_few_digits(Decimal("12.50")), has_few_digits(Decimal("1e-999999999"))
    (True, False)
    """
    _, digits, exponent = value.as_tuple()
    return isinstance(exponent, int) and abs(exponent) + len(digits) <= MOST_DIGITS


def small_number(printed: str) -> int:
    """A seat, a count of seats, the number of a pot: what has many digits is above them all.

    >>> small_number("08"), small_number("1" * 5_000)
    (8, 1000000000)
    """
    return int(printed) if len(printed) < 10 else 10**9


def currency_of(printed: str) -> str | None:
    """The currency a printed amount names, by its code or else its sign; None for chips."""
    code = _CODE.search(printed)
    if code:
        return code[1]
    return next((SYMBOLS[sign] for sign in printed if sign in SYMBOLS), None)
