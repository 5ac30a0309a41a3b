"""Reading what others wrote: whatever is wrong with it, it is one kind of error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")

TOO_DEEP = "Nested too deep"


def decoder(shape: type[T]) -> Callable[[bytes | str | msgspec.Raw], T]:
    """JSON to a value of this shape; raises `msgspec.DecodeError` for anything that is none.

    >>> decoder(object)("[" * 100_000)
    Traceback (most recent call last):
    msgspec.DecodeError: Nested too deep
    """
    decode = msgspec.json.Decoder(shape).decode

    def decoded(text: bytes | str | msgspec.Raw) -> T:
        try:
            return decode(text)
        except RecursionError:
            raise msgspec.DecodeError(TOO_DEEP) from None

    return decoded
