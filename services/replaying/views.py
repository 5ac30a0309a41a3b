"""Who may see which face-down card: a view is the record as that person would have kept it.

Masking happens before anything else is worked out. What is derived from a masked record (the
state, a note, the hands compared) cannot tell more than the view may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.cards import known
from domain.units import UNKNOWN, Card, Seat
from services.errors import ServiceError

NOT_SHOWN = "not shown"
_PUBLIC_COMPARISONS = frozenset({"S3", "B1", "P5"})
"""Rules that compare only door cards, boards or places at the table."""

_SEAT_VIEW = re.compile(r"seat:([1-9]|10)")


class BadView(ServiceError):
    """No such view, or not one that may be taken of this hand; the text says which there are."""


class View(msgspec.Struct, frozen=True):
    """`public`: what everybody at the table sees. `seat`: his own down cards too. `all`: all."""

    kind: Literal["public", "seat", "all"]
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"seat:{self.seat}"

    def owns(self, seat: Seat) -> bool:
        """Whether this view sees the down cards of `seat` from the moment they are dealt."""
        return self.kind == "all" or self.seat == seat


PUBLIC = View("public")
ALL = View("all")


def parse_view(text: str) -> View:
    """A view as it is written: `public`, `seat:3` or `all`. Raises `BadView`.

    >>> str(parse_view("seat:3"))
    'seat:3'
    """
    if text in ("public", "all"):
        return PUBLIC if text == "public" else ALL
    match = _SEAT_VIEW.fullmatch(text)
    if match is None:
        raise BadView(f"there is no view '{text}': say public, all or seat:N (such as seat:3)")
    return View("seat", int(match[1]))


def is_over(events: Iterable[e.HandEvent]) -> bool:
    """Whether the hand is completed or void."""
    return any(isinstance(event, e.HandCompleted | e.HandVoided) for event in events)


def require_allowed(view: View, events: Sequence[e.HandEvent]) -> None:
    """Raises `BadView` for a seat nobody was dealt in at, and for `all` while the hand is live.

    A live hand shows face-down cards to nobody but their owner.
    """
    if view.kind == "all" and not is_over(events):
        raise BadView("the hand is still being played: all cards can be seen once it is over")
    if view.seat is None or not isinstance(events[0], e.HandStarted):
        return
    seats = sorted(taken.seat for taken in events[0].seats)
    if view.seat not in seats:
        dealt_in = ", ".join(map(str, seats))
        raise BadView(f"nobody was dealt in at seat {view.seat}: the seats are {dealt_in}")


def seen_by(view: View, events: Iterable[e.HandEvent]) -> Iterator[e.HandEvent]:
    """The events as this view may know them, step for step; cards it may not see are `??`.

    Down cards stay hidden until their owner shows them. Reasons that rest on hidden cards say
    only that they were not shown. `events` are those of one hand from the first on.
    """
    return map(Eyes(view).see, events)


class Eyes:
    """What a view has seen of one hand so far, and which down cards there are."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._seen: set[Card] = set()
        self._down: dict[Seat, set[Card]] = {}

    def see(self, event: e.HandEvent) -> e.HandEvent:
        """The next event of the hand, masked."""
        match event:
            case e.CardsDealt():
                return self._dealt(event)
            case e.CardsShown():
                self._seen.update(event.cards)
            case e.CommunityCardDealt():
                self._seen.add(event.card)
            case e.PotAwarded() | e.BettingOpened():
                return replace(event, reason=self._reason(event.reason))
        return event

    def _dealt(self, event: e.CardsDealt) -> e.CardsDealt:
        self._seen.update(event.up)
        self._down.setdefault(event.seat, set()).update(known(event.down))
        if self._view.owns(event.seat):
            self._seen.update(event.down)
            return event
        return replace(event, down=(UNKNOWN,) * len(event.down))

    def _reason(self, reason: e.Reason) -> e.Reason:
        return replace(reason, compared=tuple(map(self._compared, reason.compared)))

    def _compared(self, one: e.Compared) -> e.Compared:
        by_place = one.rule == "P6" and not one.cards
        if by_place or one.rule in _PUBLIC_COMPARISONS:
            safe = self._seen.issuperset(known(one.cards))
        else:
            safe = self._seen.issuperset((*known(one.cards), *self._down.get(one.seat, ())))
        return one if safe else replace(one, cards=(), words=NOT_SHOWN)
