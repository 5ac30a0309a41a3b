"""Our own JSON Lines: `{"hand": …, "n": 1, "event": {…}}`, as they are exported."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.decoding import decoder
from services.readers.reader import Reader
from services.readers.record import EventsTold, Unreadable
from services.readers.splitting import MOST_LINES, HandText
from services.readers.strict import UnknownField, event_of

FORMAT = "jsonl"
_OURS = re.compile(r'\{\s*"hand"\s*:.*"event"\s*:.*')


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a hand; `n` counts from 1, `recorded_at` is taken and not kept."""

    hand: UUID
    n: int
    event: msgspec.Raw
    recorded_at: datetime | None = None


class _Whose(msgspec.Struct, frozen=True):
    hand: str


_line = decoder(Line)
_whose = decoder(_Whose)


def hands_of(lines: Iterable[str]) -> Iterator[HandText]:
    """Lines of one hand are together; a line that is none belongs to the hand before."""
    first, held, current = 1, list[str](), ""
    for number, raw in enumerate(lines, 1):
        hand = _hand(raw) or current
        if hand != current and held:
            yield HandText(first, tuple(held))
            first, held = number, []
        current = hand
        if len(held) < MOST_LINES:
            held.append(raw)
    if held:
        yield HandText(first, tuple(held))


def _hand(raw: str) -> str:
    try:
        return _whose(raw.strip("\ufeff \t\r\n")).hand
    except msgspec.DecodeError:
        return ""


def record_of(text: HandText) -> EventsTold | None:
    """A hand's events; None for blank lines. Raises `Unreadable` at the line that is wrong."""
    numbered = [(number, line) for number, line in text.lines() if line]
    if not numbered:
        return None
    told = [_told(number, line) for number, line in numbered]
    for place, ((number, _), (line, _)) in enumerate(zip(numbered, told, strict=True), 1):
        if line.n != place:
            raise Unreadable(number, f"event {place} of the hand is missing: here is {line.n}")
    events = tuple(event for _, event in told)
    _refuse_unfit(numbered, events)
    return EventsTold(
        line=text.line,
        hand=told[0][0].hand,
        events=_as_imported(text, events),
        lines=tuple(number for number, _ in numbered),
    )


def _told(number: int, line: str) -> tuple[Line, e.HandEvent]:
    try:
        told = _line(line)
        return told, event_of(told.event)
    except (msgspec.DecodeError, UnknownField) as wrong:
        raise Unreadable(number, f"not an event of a hand: {wrong}") from None


def _refuse_unfit(numbered: list[tuple[int, str]], events: tuple[e.HandEvent, ...]) -> None:
    """A hand begins with its start, in which everybody has a name, and has come to an end."""
    start, first, last = events[0], numbered[0][0], numbered[-1][0]
    if not isinstance(start, e.HandStarted):
        raise Unreadable(first, "the hand does not begin with hand_started.v1")
    if not all(taken.player for taken in start.seats):
        raise Unreadable(first, "a player has no name")
    if not any(isinstance(event, e.HandCompleted | e.HandVoided) for event in events):
        raise Unreadable(last, "the hand breaks off before it is completed or void")


def _as_imported(text: HandText, events: tuple[e.HandEvent, ...]) -> tuple[e.HandEvent, ...]:
    """The hand reaches this log by an import, whatever it was elsewhere."""
    start, *rest = events
    assert isinstance(start, e.HandStarted)
    sha256 = hashlib.sha256(text.text.encode()).hexdigest()
    source = e.Source(kind="imported", format=FORMAT, text_sha256=sha256)
    return replace(start, source=source), *rest


READER = Reader(
    name=FORMAT,
    title="JSON Lines of studledger",
    house_rules=None,
    recognises=lambda line: _OURS.fullmatch(line) is not None,
    split=hands_of,
    record=record_of,
)
