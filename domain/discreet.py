"""Structs that keep cards and people out of logs, tracebacks and failing tests."""

from __future__ import annotations

import msgspec

HIDDEN = frozenset(
    {
        *("card", "cards", "community", "down", "up", "shown", "seen"),
        *("player", "name", "names", "complainant"),
        *("words", "text", "expected", "recorded", "note", "body"),
        *("secret", "salt", "sealed"),
    }
)
"""Fields whose values are never printed, whatever struct they are in."""


class Discreet(msgspec.Struct, frozen=True):
    """Base of every struct that may hold cards or people: its `repr` leaves them out."""

    def __repr__(self) -> str:
        fields = (
            f"{name}={'…' if name in HIDDEN else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(fields)})"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """As `repr`, for whoever prints with rich."""
        return [
            (name, "…" if name in HIDDEN else getattr(self, name))
            for name in self.__struct_fields__
        ]
