"""Where chance comes from: Hypothesis, or the bytes of a coverage-guided fuzzer."""

from __future__ import annotations

import random

from domain.units import MOST_CHIPS

NASTY_TEXT = (
    *("", " ", "\ufeff", "\u00a0", "\u2028", "\u202e", "\x1b[2J", "\x85", "\t", "'", '"', "\\"),
    *("[", "]", "[Ah", "??", ":", "#", "$", "€", "-", "- ", "(", ")", "{", "}", ",", ".", "0" * 40),
    *("😀", "ß", "Ａ", "٣", "²", "%s", "{0}", "../", "Seat 1: ", "*** ", "null", "NaN", "1e999"),
)
NASTY_NUMBERS = (
    *("0", "-1", "1", "2", "11", "0.1", "0.005", "00", "1 480", "1.480,00", "1,48", "٣", "-0"),
    *(str(MOST_CHIPS), str(MOST_CHIPS + 1), str(2**64), "9" * 30, "9" * 5000, "1e5", "1e-999999"),
    *("0x" + "F" * 5000, "1." + "0" * 400 + "1", "nan", "inf", "1_000"),
)
NASTY_INTS = (0, 1, 2, 3, 5, 7, 10, 20, 100, 1000, -1, 2**31, MOST_CHIPS, MOST_CHIPS + 1, 10**30)


class BytesDice(random.Random):
    """Chance read from given bytes, so that whoever changes them steers it; zeros at the end."""

    def __new__(cls, data: bytes) -> BytesDice:
        return super().__new__(cls)

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data, self._at = data, 0

    def getrandbits(self, k: int) -> int:
        """The next `k` bits, in whole bytes."""
        count = (k + 7) // 8
        piece = self._data[self._at : self._at + count]
        self._at += count
        return int.from_bytes(piece, "big") & ((1 << k) - 1)

    def random(self) -> float:
        """From 0 up to 1."""
        return self.getrandbits(16) / (1 << 16)
