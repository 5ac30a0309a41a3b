"""One posted line: read strictly, and answered."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from domain import events as e
from domain.decoding import TOO_DEEP, decoder
from domain.discreet import Discreet
from domain.finding import Finding
from services.readers.names import fit_to_show
from services.readers.strict import UnknownField, event_of

LONGEST_LINE = 64 << 10
"""Bytes; the longest event, a start with eight players and its house rules, takes a twentieth."""

LONGEST_REASON = 300
MOST_FACTS = 10_000
"""Facts of one hand: no hand of stud has a tenth of them."""

Status = Literal["stored", "duplicate", "conflict", "gap", "suspended", "refused"]


class Posted(Discreet, frozen=True, kw_only=True):
    """A line that says which fact of which hand it is, and the fact.

    `called` is what the sender calls the hand.
    """

    line: int
    called: str
    n: int
    event: e.HandEvent

    @property
    def sha256(self) -> bytes:
        """What the fact is known by."""
        return hashlib.sha256(e.encode(self.event)).digest()


class LineAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a line.

    `hand` is our id, or null where no hand could be made out, `called` what the sender calls it.
    `position` is where a fact stands in the log, `expected` the n that comes next, `reason` why a
    line was not taken. `findings` are what the rules object to in it, as the hand stands.
    """

    line: int
    hand: UUID | None
    called: str | None
    n: int | None
    status: Status
    position: int | None = None
    findings: tuple[Finding, ...] = ()
    expected: int | None = None
    reason: str | None = None


class MisreadLine(Exception):
    """This is no line that could be taken; `answer` says why."""

    def __init__(self, answer: LineAnswer) -> None:
        self.answer = answer
        super().__init__(answer.reason)


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hand: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    n: Annotated[int, Meta(ge=1, le=(1 << 31) - 1)]
    event: msgspec.Raw


_line = decoder(_Line)


def posted_line(number: int, raw: bytes) -> Posted:
    """Read one line. Raises `MisreadLine`; its reason names places and never values."""
    if len(raw) > LONGEST_LINE:
        raise _misread(number, f"a line has at most {LONGEST_LINE} bytes")
    try:
        text = raw.decode()
        _refuse_ambiguous(text)
        line = _line(text)
    except (UnicodeDecodeError, msgspec.DecodeError) as wrong:
        raise _misread(number, _said(wrong)) from None
    try:
        event = event_of(line.event)
        require_named(event)
    except (msgspec.DecodeError, UnknownField) as wrong:
        raise _misread(number, f"not an event of a hand: {wrong}", line) from None
    return Posted(line=number, called=line.hand, n=line.n, event=as_posted(event))


def _said(wrong: Exception) -> str:
    if isinstance(wrong, UnicodeDecodeError):
        return "a line is UTF-8"
    return f'a line is {{"hand","n","event"}}: {wrong}'


def _misread(number: int, reason: str, line: _Line | None = None) -> MisreadLine:
    return MisreadLine(
        LineAnswer(
            line=number,
            hand=None,
            called=line.hand if line else None,
            n=line.n if line else None,
            status="refused",
            reason=fit_to_show(reason, LONGEST_REASON),
        )
    )


def _refuse_ambiguous(text: str) -> None:
    """A name that stands twice in an object means what each reader likes; so do NaN and the like.

    Raises `msgspec.DecodeError`.
    """
    try:
        json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise msgspec.DecodeError(TOO_DEEP) from None
    except json.JSONDecodeError:
        raise msgspec.DecodeError("malformed JSON") from None
    except ValueError:
        # A number of thousands of digits.
        raise msgspec.DecodeError("malformed number") from None


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise msgspec.DecodeError("a name stands twice in one object")


def _no_number(_: str) -> None:
    raise msgspec.DecodeError("malformed number")


def require_named(event: e.HandEvent) -> None:
    """A posted hand has a site and a number, and everybody in it a name.

    Raises `msgspec.ValidationError`.
    """
    if isinstance(event, e.HandStarted):
        if not event.number or not event.site:
            raise msgspec.ValidationError("a posted hand has a site and a number")
        if not all(taken.player for taken in event.seats):
            raise msgspec.ValidationError("a player has no name")


def as_posted(event: e.HandEvent) -> e.HandEvent:
    """The hand reaches this log by its sender, whatever it was elsewhere."""
    if not isinstance(event, e.HandStarted):
        return event
    source = e.Source(kind="posted", format="jsonl", text_sha256=None)
    return msgspec.structs.replace(event, source=source)
