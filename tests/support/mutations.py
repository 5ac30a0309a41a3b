"""Hands told wrongly in any way: facts lost, doubled, swapped, or with another value inside."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from domain import events as e
from domain.cards import DECK

SMALL = (0, 1, 2, 3, 5, 7, 10)


def mistold(log: list[e.HandEvent], dice: random.Random) -> list[e.HandEvent]:
    """The same hand with one thing wrong; it may come out as it was."""
    told = list(log)
    n, other = dice.randrange(len(told)), dice.randrange(len(told))
    match dice.randrange(6):
        case 0:
            del told[n]
        case 1:
            told.insert(other, told[n])
        case 2:
            told[n], told[other] = told[other], told[n]
        case _:
            told[n] = _with_another_value(told[n], dice)
    return told


def _with_another_value(event: e.HandEvent, dice: random.Random) -> e.HandEvent:
    raw = msgspec.json.decode(e.encode(event))
    places = list(_places(raw))
    if not places:
        return event
    holder, key = dice.choice(places)
    holder[key] = _another(holder[key], dice)
    try:
        return e.decode(msgspec.json.encode(raw))
    except msgspec.ValidationError:
        return event


def _places(raw: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a value in a decoded event, as what holds it and where there."""
    items = raw.items() if isinstance(raw, dict) else enumerate(raw)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from _places(value)
        elif key != "type":
            yield raw, key


def _another(value: Any, dice: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return dice.choice((*SMALL, value + 1, max(value - 1, 0), value * 2))
    if isinstance(value, str) and len(value) == 2:
        return dice.choice(("??", dice.choice(DECK)))
    return dice.choice((None, 3, "small", "big", "high", "low", "whole", "fold", "all_in"))
