"""Files as lines of text: which encoding they are in, and what is no text at all."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

HEAD_BYTES = 65_536
LONGEST_LINE = 1_048_576
"""Characters; a longer line is no hand history, and memory must stay bounded."""


class NotText(Exception):
    """The file cannot be read as text from this `line` on; the message says why, not which file."""

    def __init__(self, why: str, line: int = 1) -> None:
        self.line = line
        super().__init__(why)


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8 are Windows letters: old clients wrote names so."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("studledger.cp1252", _as_cp1252)


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file with their endings, read as they are asked for.

    Raises `NotText`, and `OSError` where the file cannot be opened.
    """
    with path.open("rb") as file:
        encoding = encoding_of(file.read(HEAD_BYTES))
    errors = "studledger.cp1252" if encoding.startswith("utf-8") else "ignore"
    with path.open(encoding=encoding, errors=errors, newline="") as text:
        for number, line in enumerate(iter(partial(text.readline, LONGEST_LINE), ""), 1):
            if len(line) == LONGEST_LINE:
                why = f"not a hand history: a line of {LONGEST_LINE} characters or more"
                raise NotText(why, number)
            if "\0" in line:
                raise NotText("not a text file", number)
            yield line


def encoding_of(head: bytes) -> str:
    """The encoding a file's first bytes tell. Raises `NotText` for binary or empty content.

    UTF-16 without a byte order mark shows by its zero bytes: mostly Latin text has one in every
    pair. Everything else is UTF-8 whose invalid bytes are cp1252.
    """
    if not head.strip(b"\0"):
        raise NotText("the file is empty")
    encoding = _by_mark(head) or _by_zeros(head)
    text = head.decode(encoding, "ignore")
    if any(char < "\t" or "\r" < char < " " for char in text if char != "\x1b"):
        raise NotText("not a text file")
    return encoding


def _by_mark(head: bytes) -> str | None:
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return None


def _by_zeros(head: bytes) -> str:
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 5 and even * 10 < odd:
        return "utf-16-le"
    if even > len(head) // 5 and odd * 10 < even:
        return "utf-16-be"
    return "utf-8"


def printable(path: Path) -> str:
    """A path as text; a file's name may hold bytes that are none."""
    return os.fsencode(path).decode("utf-8", "replace")
