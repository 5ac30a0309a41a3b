"""What is worked out from hands, pot and rake: exact integers, every rounding a visible divmod."""

from __future__ import annotations

from domain.amounts import decimal_words
from domain.units import ChipsMoved

PERCENT_DECIMALS = 4
MILLION = 100 * 10**PERCENT_DECIMALS  # A whole, in ten-thousandths of a percent.


def nearest(amount: int, parts: int) -> int:
    """`amount` divided into `parts`, to the nearest whole; a half goes away from zero.

    >>> nearest(5, 2), nearest(-5, 2), nearest(4, 3), nearest(0, 7)
    (3, -3, 1, 0)
    """
    assert parts > 0
    whole, rest = divmod(abs(amount), parts)
    whole += 2 * rest >= parts
    return whole if amount >= 0 else -whole


def rake_per_100_hands(rake: ChipsMoved, hands: int) -> ChipsMoved | None:
    """Minor units of rake in a hundred such hands; None where there is no hand.

    >>> rake_per_100_hands(200, 3)
    6667
    """
    return nearest(100 * rake, hands) if hands else None


def effective_percentage(rake: ChipsMoved, pot: ChipsMoved) -> str | None:
    """Rake in percent of what was matched, four decimals; None where nothing was.

    >>> effective_percentage(200, 5324), effective_percentage(-1, 3), effective_percentage(0, 5)
    ('3.7566', '-33.3333', '0.0000')
    """
    if pot <= 0:
        return None
    share = nearest(MILLION * rake, pot)
    return f"{'-' if share < 0 else ''}{decimal_words(abs(share), PERCENT_DECIMALS)}"
