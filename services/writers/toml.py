"""Values in TOML."""

from __future__ import annotations

import json
from collections.abc import Iterable


def quoted(text: str) -> str:
    r"""A text in quotes; what JSON escapes, TOML does alike.

    >>> print(quoted('Al "the" \\'))
    "Al \"the\" \\"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def listed(values: Iterable[str], *, a_line_each: bool = False) -> str:
    """A list of values that are TOML already."""
    if a_line_each:
        return "[\n" + "".join(f"  {value},\n" for value in values) + "]"
    return "[" + ", ".join(values) + "]"


def decimal(amount: int, exponent: int) -> str:
    """Minor units as a number, with all decimals or none.

    >>> decimal(1250, 2), decimal(1200, 2), decimal(7, 0)
    ('12.50', '12', '7')
    """
    whole, fraction = divmod(amount, 10**exponent)
    return f"{whole}.{fraction:0{exponent}}" if fraction else str(whole)
