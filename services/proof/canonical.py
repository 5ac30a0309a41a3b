"""RFC 8785 JSON by the standard library: what is hashed has one spelling, and only that is read."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from services.proof.errors import Unreadable

MOST_INTEGER = 2**53 - 1
_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_encoder_as_ordered = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def canonical(value: Any) -> bytes:
    """The RFC 8785 form of what `read_canonical` gives. Raises ValueError for half a character."""
    text = _encoder.encode(value)
    if not text.isascii():  # Only then may its order of keys be another: that of UTF-16.
        text = _encoder_as_ordered.encode(_ordered(value))
    return text.encode()


def read_canonical(line: bytes, what: str) -> dict[str, Any]:
    """The object a line holds, if it is spelled as RFC 8785 has it. Raises Unreadable.

    A key that stands twice, a number with a fraction and any other spelling are refused: two
    programs might read two things in them.
    """
    try:
        value = _decoder.decode(line.decode())
        spelled = canonical(value)
    except (ValueError, RecursionError):
        raise Unreadable(f"{what} is not JSON as it has to be spelled") from None
    if not isinstance(value, dict) or spelled != line:
        raise Unreadable(f"{what} is not an object in the spelling of RFC 8785")
    return value


def read_json(text: bytes, what: str) -> dict[str, Any]:
    """The object a file holds, in any spelling. Raises Unreadable."""
    try:
        value = _decoder.decode(text.decode())
    except (ValueError, RecursionError):
        raise Unreadable(f"{what} is not JSON that can be read") from None
    if not isinstance(value, dict):
        raise Unreadable(f"{what} is no JSON object")
    return value


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: _ordered(value[key]) for key in keys}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def _integer(literal: str) -> int:
    number = int(literal) if len(literal) <= len(str(-MOST_INTEGER)) else MOST_INTEGER + 1
    if abs(number) > MOST_INTEGER:
        raise ValueError("an integer that readers may round")
    return number


def _refused(literal: str) -> NoReturn:
    raise ValueError("a number that is no integer")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


_decoder = json.JSONDecoder(
    object_pairs_hook=_each_once,
    parse_int=_integer,
    parse_float=_refused,
    parse_constant=_refused,
)
