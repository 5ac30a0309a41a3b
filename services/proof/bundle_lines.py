"""The lines of a bundle: one event of the log in its public form, or one opened card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from services.proof import manifest as m
from services.proof.archive import BundleFile
from services.proof.canonical import canonical, read_canonical
from services.proof.errors import Unreadable

_STREAM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_CARD = re.compile(r"[2-9TJQKA][cdhs]|\?\?")
_FORM = {"actor", "event", "n", "recorded_at", "room", "stream"}
_WITHHELD = {"hash", "leaf", "n", "stream", "withheld"}
_OPENED = {"card", "hand", "index", "n", "salt"}
_OPENED_IN_DECK = {"card", "deck", "hand", "path", "salt"}


class EventLine(NamedTuple):
    """Event `n` of `stream`, which is said to be leaf `leaf`.

    `form` is the exact bytes of its public form, null where the view may not have it: then only
    `hashed` is of the log, and `event` what the view may know of it. `proof` is unread yet.
    """

    stream: str
    n: int
    leaf: int
    event: dict[str, Any]
    room: str | None
    form: bytes | None
    hashed: bytes
    proof: Any

    def __str__(self) -> str:
        return f"event {self.n} of {self.stream} ({self.event['type']!r}, leaf {self.leaf})"


class Opening(NamedTuple):
    """One card shown with its salt: place `at` of the down cards of event `n`, or of the deck.

    Places count from 0. A card of the deck has a `path`; `n` is then 0.
    """

    hand: str
    n: int
    at: int
    card: str
    salt: bytes
    path: tuple[bytes, ...] | None


def event_lines(bundle: BundleFile) -> Iterator[EventLine]:
    """The events in their order. Raises Unreadable at a line that is none, naming it."""
    for number, line in enumerate(bundle.lines(m.EVENTS), 1):
        what = f"its {m.EVENTS}, line {number},"
        told = read_canonical(line, what)
        try:
            yield _withheld(told) if "withheld" in told else _event(told)
        except (KeyError, TypeError, ValueError):
            raise Unreadable(f"{what} is no event of a log") from None


def openings(bundle: BundleFile) -> Iterator[Opening]:
    """The opened cards in their order. Raises Unreadable at a line that is none, naming it."""
    for number, line in enumerate(bundle.lines(m.DISCLOSURES), 1):
        what = f"its {m.DISCLOSURES}, line {number},"
        told = read_canonical(line, what)
        try:
            yield _in_deck(told) if "deck" in told else _opened(told)
        except (KeyError, TypeError, ValueError):
            raise Unreadable(f"{what} opens no card") from None


def _event(told: dict[str, Any]) -> EventLine:
    form = told["form"]
    _require(isinstance(form, dict) and form.keys() == _FORM)
    _require(told.keys() <= {"form", "leaf", "proof"} and isinstance(form["room"], str))
    return EventLine(
        stream=_matching(_STREAM, form["stream"]),
        n=_natural(form["n"]),
        leaf=_natural(told["leaf"]),
        event=_an_event(form["event"]),
        room=form["room"],
        form=canonical(form),
        hashed=b"",
        proof=told.get("proof"),
    )


def _withheld(told: dict[str, Any]) -> EventLine:
    _require(told.keys() - {"proof"} == _WITHHELD)
    return EventLine(
        stream=_matching(_STREAM, told["stream"]),
        n=_natural(told["n"]),
        leaf=_natural(told["leaf"]),
        event=_an_event(told["withheld"]),
        room=None,
        form=None,
        hashed=bytes.fromhex(_matching(m.DIGEST, told["hash"])),
        proof=told.get("proof"),
    )


def _an_event(told: Any) -> dict[str, Any]:
    _require(isinstance(told, dict) and isinstance(told["type"], str))
    if told["type"] == "cards_dealt.v1":
        down, up, positions = told["down"], told["up"], told["positions"]
        _require(all(isinstance(card, str) for card in (*down, *up)))
        if positions is not None:
            _require(len(positions) == len(down) + len(up) and all(map(_is_natural, positions)))
    return dict(told)


def _opened(told: dict[str, Any]) -> Opening:
    _require(told.keys() == _OPENED)
    return Opening(
        hand=_matching(_STREAM, told["hand"]),
        n=_natural(told["n"]),
        at=_natural(told["index"]),
        card=_matching(_CARD, told["card"]),
        salt=bytes.fromhex(_matching(_HEX, told["salt"])),
        path=None,
    )


def _in_deck(told: dict[str, Any]) -> Opening:
    _require(told.keys() == _OPENED_IN_DECK)
    return Opening(
        hand=_matching(_STREAM, told["hand"]),
        n=0,
        at=_natural(told["deck"]),
        card=_matching(_CARD, told["card"]),
        salt=bytes.fromhex(_matching(_HEX, told["salt"])),
        path=tuple(bytes.fromhex(_matching(m.DIGEST, one)) for one in told["path"]),
    )


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError


def _matching(pattern: re.Pattern[str], value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError
    return value


def _is_natural(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _natural(value: Any) -> int:
    _require(_is_natural(value))
    return int(value)
