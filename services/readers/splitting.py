"""A file's lines as the texts of single hands, with the numbers of their lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

MOST_LINES = 5_000
"""No hand is longer; what follows is dropped, so the hand lacks its end and is rejected."""


_LOOKS_LIKE_A_HEADER = re.compile(r"[^*\[\]]{0,60}#\d{4,}.*")


def looks_like_a_header(line: str) -> bool:
    """Whether a hand may begin here, though in words that no reader knows."""
    return _LOOKS_LIKE_A_HEADER.fullmatch(line) is not None


class HandText(msgspec.Struct, frozen=True):
    """The text of one hand as it came; `line` is the number of its first line in the file."""

    line: int
    raw: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text, line endings as they came."""
        return "".join(self.raw)

    @property
    def last_line(self) -> int:
        """The number of its last line that is not blank."""
        return max((number for number, line in self.lines() if line), default=self.line)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines without what surrounds them."""
        return ((n, raw.strip("\ufeff \t\r\n")) for n, raw in enumerate(self.raw, self.line))


def split(lines: Iterable[str], starts: Callable[[str, bool], bool]) -> Iterator[HandText]:
    """Cut where `starts(line, after_blank)` says so; what stands before the first cut comes too.

    Only one hand's lines are held at a time.
    """
    first, held, after_blank = 1, list[str](), False
    for number, raw in enumerate(lines, 1):
        line = raw.strip("\ufeff \t\r\n")
        if line and held and starts(line, after_blank):
            yield HandText(first, tuple(held))
            first, held = number, []
        after_blank = not line
        if len(held) < MOST_LINES:
            held.append(raw)
    if held:
        yield HandText(first, tuple(held))
