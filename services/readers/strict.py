"""Events from outside: what the store would tolerate is refused at the edge.

Whatever passes here can be folded, stored in any column, printed and written out again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.decoding import decoder
from domain.events import HandEvent, decode
from domain.units import MOST_CHIPS, MOST_DECIMALS, POTS
from services.readers.names import LONGEST_NAME, steers

YEARS = range(1900, 2201)
"""When a hand may have been played; a time far outside is no time in every time zone."""

LONGEST_TEXT = 10_000
"""Characters of what people write in sentences."""

MOST_PARTS = 100
"""Seats, cards or shares in one list: no list of a hand's facts has as many as there are cards."""

_SENTENCES = frozenset({"reason", "ruling", "text"})
_LONGEST = {"currency": 20} | dict.fromkeys(_SENTENCES, LONGEST_TEXT)
_NUMBERS = {
    "pot": POTS,
    "exponent": range(MOST_DECIMALS + 1),
    "position": range(53),
    "positions": range(53),
    "max_seats": range(11),
    "version": range(1 << 31),
    "turn": range(1 << 31),
    "countdown": range(1 << 31),
    "disconnected": range(1 << 31),
}
"""What a number may be, by the field it stands in; seats and chips have their bounds by type."""


class UnknownField(ValueError):
    """An event has a field that no event of its kind has; the text says where."""


_anything = decoder(object)


def event_of(raw: bytes | msgspec.Raw) -> HandEvent:
    """An event and nothing but an event, its times in UTC; a time without an offset is UTC.

    Raises `msgspec.ValidationError` or `UnknownField`. The texts name places, never values.
    """
    event = decode(raw)
    _refuse_unknown(_anything(raw), event, "$")
    require_fit(event)
    return _in_utc(event)


def require_fit(told: msgspec.Struct) -> None:
    """Raises `msgspec.ValidationError` for a value that has no place in an event of ours."""
    _refuse_unfit(told, "", "$")


def _refuse_unknown(raw: Any, value: Any, where: str) -> None:
    if isinstance(value, msgspec.Struct):
        allowed = {*value.__struct_encode_fields__, value.__struct_config__.tag_field}
        unknown = next((name for name in raw if name not in allowed), None)
        if unknown is not None:
            raise UnknownField(f"Object has the unknown field `{unknown[:60]}` - at `{where}`")
        fields = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        for name, encoded in fields:
            if encoded in raw:
                _refuse_unknown(raw[encoded], getattr(value, name), f"{where}.{encoded}")
    elif isinstance(value, tuple):
        for place, (inner, one) in enumerate(zip(raw, value, strict=True)):
            _refuse_unknown(inner, one, f"{where}[{place}]")


def _refuse_unfit(value: Any, name: str, where: str) -> None:
    """Every text, number, time and list of an event; `name` is the field it stands in."""
    match value:
        case msgspec.Struct():
            for field in value.__struct_fields__:
                _refuse_unfit(getattr(value, field), field, f"{where}.{field}")
        case tuple():
            _refuse_list(value, name, where)
        case str():
            _refuse_text(value, name, where)
        case int():
            _refuse_number(value, name, where)
        case datetime() if value.year not in YEARS:
            raise _unfit(f"a time of the years {YEARS[0]} to {YEARS[-1]}", where)


def _refuse_list(parts: tuple[Any, ...], name: str, where: str) -> None:
    if len(parts) > MOST_PARTS:
        raise _unfit(f"`array` of at most {MOST_PARTS}", where)
    for place, part in enumerate(parts):
        _refuse_unfit(part, name, f"{where}[{place}]")


def _refuse_text(text: str, name: str, where: str) -> None:
    longest = _LONGEST.get(name, LONGEST_NAME)
    if len(text) > longest:
        raise _unfit(f"`str` of length <= {longest}", where)
    # People write several lines; nothing else does.
    lines = text.split("\n") if name in _SENTENCES else [text]
    if any(map(steers, lines)):
        raise _unfit("`str` that can be printed", where)


def _refuse_number(number: int, name: str, where: str) -> None:
    if abs(number) > MOST_CHIPS:
        raise _unfit(f"`int` of at most {MOST_CHIPS}", where)
    allowed = _NUMBERS.get(name)
    if allowed is not None and number not in allowed:
        raise _unfit(f"`int` from {allowed[0]} to {allowed[-1]}", where)


def _unfit(expected: str, where: str) -> msgspec.ValidationError:
    return msgspec.ValidationError(f"Expected {expected} - at `{where}`")


def _in_utc(event: HandEvent) -> HandEvent:
    """The same event, for only the event itself holds times, no part of it does."""
    times = {
        name: told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
        for name in event.__struct_fields__
        if isinstance(told := getattr(event, name), datetime)
    }
    return replace(event, **times) if times else event
