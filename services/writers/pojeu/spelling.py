"""How POJEU spells cards, amounts, times and references."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

from domain.amounts import decimal_words
from domain.cards import DECK, LOW_RANK
from domain.units import Card, ChipsMoved

SUITS = "shdc"
"""Spades first, then hearts, diamonds and clubs; within a suit from the ace to the king."""

NUMBERS: dict[Card, int] = {card: 13 * SUITS.index(card[1]) + LOW_RANK[card] for card in DECK}
"""A card's number, 1 to 52."""

_BEYOND_REFERENCES = re.compile(rb"[^a-zA-Z0-9._/-]")


def amount(chips: ChipsMoved, exponent: int) -> str:
    """Minor units as a decimal with all its places.

    >>> amount(-5, 2), amount(1200, 2), amount(7, 0)
    ('-0.05', '12.00', '7')
    """
    return ("-" if chips < 0 else "") + decimal_words(abs(chips), exponent)


def moment(at: datetime, zone: tzinfo) -> str:
    """A time to the second that has passed, in the zone's hours.

    >>> from datetime import UTC
    >>> moment(datetime(2026, 1, 9, 16, 20, 59, 999999, tzinfo=UTC), UTC)
    '260109162059'
    """
    return at.astimezone(zone).strftime("%y%m%d%H%M%S")


def reference(text: str) -> str:
    """A name as a reference may be written; every other byte is `#` and two hex digits.

    Different names stay different.

    >>> reference("1178621"), reference("Aquila II"), reference("#1")
    ('1178621', 'Aquila#20II', '#231')
    """
    escaped = _BEYOND_REFERENCES.sub(lambda byte: b"#%02X" % ord(byte[0]), text.encode())
    return escaped.decode("ascii")
