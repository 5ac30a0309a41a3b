"""What an explanation is made of: sections of sentences, each with the rules it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

import msgspec

from domain.check import Finding
from domain.verdict import Judgement

WIDTH = 80
_MARKS = ("- ", "    ")
"""How a line begins by its level."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence or phrase, and the ids of the rules that say so; level 1 belongs to the one
    before.
    """

    text: str
    rules: tuple[str, ...] = ()
    level: int = 0


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What is said about one thing; `about` is its stable name, `heading` is for reading."""

    about: str
    heading: str
    lines: tuple[Line, ...]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a hand, or one step of it, is as it is; `step` is null for the whole hand.

    `findings` and `verdict` are those of the same steps. What rests on cards that the view may
    not see is not in them in words.
    """

    hand: str
    number: str
    step: int | None
    steps: int
    view: str
    title: str
    sections: tuple[Section, ...]
    verdict: Judgement
    findings: tuple[Finding, ...]
    open_questions: tuple[str, ...]


def say(text: str, *rules: str, level: int = 0) -> Line:
    """A line."""
    return Line(text=text, rules=rules, level=level)


def section(about: str, heading: str, lines: Iterable[Line]) -> tuple[Section, ...]:
    """A section, or none where there is nothing to say."""
    said = tuple(lines)
    return (Section(about=about, heading=heading, lines=said),) if said else ()


def as_text(explanation: Explanation, width: int = WIDTH) -> str:
    """The explanation to be read, wrapped to `width` columns, rule ids in brackets."""
    return sections_text(explanation.title, explanation.sections, width)


def sections_text(title: str, sections: Iterable[Section], width: int = WIDTH) -> str:
    """A title and sections to be read, as `as_text`."""
    parts = [title, *(_section_text(part, width) for part in sections)]
    return "\n\n".join(parts) + "\n"


def _section_text(part: Section, width: int) -> str:
    return "\n".join(
        (part.heading, *(text for line in part.lines for text in _wrapped(line, width)))
    )


def _wrapped(line: Line, width: int) -> Iterator[str]:
    rules = f" ({', '.join(line.rules)})" if line.rules else ""
    indent = "  " if line.level == 0 else "      "
    mark = _MARKS[line.level]
    yield from wrap(
        mark + line.text + rules, width, subsequent_indent=indent, break_on_hyphens=False
    )
