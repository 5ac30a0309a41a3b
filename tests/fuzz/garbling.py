"""Texts and bytes damaged as files are: lines lost, doubled, swapped, numbers and letters wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.fuzz.dice import NASTY_NUMBERS, NASTY_TEXT

ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"\S+")


def garbled(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    """The text with one to four things wrong; `others` are spliced in now and then."""
    for _ in range(dice.choice((1, 1, 2, 4))):
        change = dice.choice(_CHANGES)
        text = change(text, others, dice)
    return text


def _lines(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    n, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(5):
        case 0:
            del lines[n]
        case 1:
            lines.insert(other, lines[n])
        case 2:
            lines[n], lines[other] = lines[other], lines[n]
        case 3:
            lines[n] = lines[n] * dice.choice((2, 3, 20))
        case _:
            lines = lines[:n]
    return "".join(lines)


def _number(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    return _instead(text, list(_NUMBER.finditer(text)), dice.choice(NASTY_NUMBERS), dice)


def _word(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    words = list(_WORD.finditer(text))
    return _instead(text, words, dice.choice(words)[0] if words else "", dice)


def _nasty_word(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    return _instead(text, list(_WORD.finditer(text)), dice.choice(NASTY_TEXT), dice)


def _letters(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    gone = dice.choice((0, 0, 1, 2, 30))
    return text[:at] + dice.choice(NASTY_TEXT) + text[at + gone :]


def _splice(text: str, others: tuple[str, ...], dice: random.Random) -> str:
    other = dice.choice(others)
    lines, more = text.splitlines(keepends=True), other.splitlines(keepends=True)
    cut = dice.randrange(len(lines) + 1)
    return "".join((*lines[:cut], *more[dice.randrange(len(more)) :]))


def _instead(text: str, places: list[re.Match[str]], new: str, dice: random.Random) -> str:
    if not places:
        return new
    place = dice.choice(places)
    return text[: place.start()] + new + text[place.end() :]


_CHANGES: tuple[Callable[[str, tuple[str, ...], random.Random], str], ...] = (
    *(_lines, _lines, _number, _number, _word, _word, _nasty_word, _letters, _splice),
)


def as_bytes(text: str, dice: random.Random) -> bytes:
    """The text in some encoding, now and then with bytes that are none of it."""
    data = bytearray(text.encode(dice.choice(ENCODINGS), "replace"))
    for _ in range(dice.choice((0, 0, 0, 1, 2, 8))):
        at = dice.randrange(len(data) + 1)
        data[at : at + dice.choice((0, 1, 1, 4))] = bytes(dice.choices(range(256), k=1))
    return bytes(data)


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Bytes with some of them changed, lost, doubled or cut off."""
    raw = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 6))):
        at = dice.randrange(len(raw) + 1)
        match dice.randrange(5):
            case 0:
                raw[at : at + dice.choice((1, 2, 64))] = b""
            case 1:
                raw[at:at] = raw[at : at + 64]
            case 2:
                raw = raw[:at] if dice.random() < 0.2 else raw
            case _:
                raw[at : at + 1] = bytes(dice.choices((0, 1, 8, 0x7F, 0x80, 0xFF), k=1))
    return bytes(raw)
