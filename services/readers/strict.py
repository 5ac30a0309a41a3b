"""Events from outside: what the store would tolerate is refused at the edge."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.decoding import decoder
from domain.events import HandEvent, decode
from domain.units import MOST_CHIPS


class UnknownField(ValueError):
    """An event has a field that no event of its kind has; the text says where."""


_anything = decoder(object)


def event_of(raw: bytes | msgspec.Raw) -> HandEvent:
    """An event and nothing but an event. Raises `msgspec.ValidationError` or `UnknownField`.

    So is a number that no other reader of JSON would keep exact.
    """
    event = decode(raw)
    _refuse_unknown(_anything(raw), event, "$")
    return event


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
    elif isinstance(value, int) and abs(value) > MOST_CHIPS:
        raise msgspec.ValidationError(f"Expected `int` of at most {MOST_CHIPS} - at `{where}`")
