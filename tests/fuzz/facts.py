"""Values of any type of the domain, plausible and absurd, made from the type alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import inspect as i

from domain import events as e
from tests.fuzz.dice import NASTY_INTS, NASTY_TEXT

KINDS: tuple[type[e.HandEvent], ...] = get_args(e.HandEvent)
TIMES = (
    datetime(2024, 3, 1, 12, tzinfo=UTC),
    datetime(2024, 3, 1, 12),
    datetime(2024, 3, 1, 12, 0, 25, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(timedelta(hours=-14))),
)


def any_fact(dice: random.Random, kinds: tuple[type[e.HandEvent], ...] = KINDS) -> e.HandEvent:
    """A fact as it may be decoded, of one of these kinds."""
    fact: e.HandEvent = any_value(type_of(dice.choice(kinds)), dice)
    return fact


@cache
def type_of(kind: Any) -> i.Type:
    return i.type_info(kind)


def any_value(kind: i.Type, dice: random.Random) -> Any:
    """A value the decoder would accept for this type."""
    return _MAKE[type(kind)](kind, dice)


def _number(kind: i.IntType, dice: random.Random) -> int:
    low = -(10**30) if kind.ge is None else kind.ge
    high = 10**30 if kind.le is None else kind.le
    return dice.choice([n for n in (*NASTY_INTS, low, high) if low <= n <= high])


def _text(kind: i.StrType, dice: random.Random) -> str:
    return dice.choice(("anna", "cents", "USD", "chips", "G1", "P6", *NASTY_TEXT))


def _literal(kind: i.LiteralType, dice: random.Random) -> Any:
    if "??" in kind.values and dice.random() < 0.3:
        return "??"
    return dice.choice(kind.values)


def _tuple(kind: i.VarTupleType, dice: random.Random) -> tuple[Any, ...]:
    return tuple(any_value(kind.item_type, dice) for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 8))))


def _struct(kind: i.StructType, dice: random.Random) -> msgspec.Struct:
    values = {
        field.name: any_value(field.type, dice)
        for field in kind.fields
        if field.required or dice.random() < 0.1
    }
    made: msgspec.Struct = kind.cls(**values)
    return made


_MAKE: dict[type[i.Type], Callable[[Any, random.Random], Any]] = {
    i.IntType: _number,
    i.StrType: _text,
    i.LiteralType: _literal,
    i.VarTupleType: _tuple,
    i.StructType: _struct,
    i.UnionType: lambda kind, dice: any_value(dice.choice(kind.types), dice),
    i.BoolType: lambda kind, dice: dice.random() < 0.5,
    i.NoneType: lambda kind, dice: None,
    i.DateTimeType: lambda kind, dice: dice.choice(TIMES),
}
