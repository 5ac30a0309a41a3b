"""What somebody must have asked for so that a fact could happen: facts read back as commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, cast

from domain import commands as c
from domain import events as e
from domain.errors import NotAllowedNow
from domain.units import Card


def asked(events: Sequence[e.HandEvent]) -> c.HandCommand:
    """The command whose first fact is the first of `events`.

    Cards of one street, which stand in dealing order, were asked for in one. Raises
    `NotAllowedNow` for a fact that only follows from others.
    """
    first = events[0]
    if isinstance(first, e.CardsDealt):
        return _street(list(takewhile(lambda event: _of_street(event, first), events)))
    ask = _ASKED.get(type(first))
    if ask is None:
        raise NotAllowedNow(f"{e.tag_of(first)} only follows from something else", rule="B1")
    command: c.HandCommand = ask(first)
    return command


def _of_street(event: e.HandEvent, first: e.CardsDealt) -> bool:
    return isinstance(event, e.CardsDealt) and event.street == first.street


def _street(deals: Sequence[Any]) -> c.Deal:
    """One card at a time clockwise: everyone's first, everyone's second (G5)."""
    rows = [(*deal.down, *deal.up) for deal in deals]
    places = [deal.positions for deal in deals]
    known = all(place is not None for place in places)
    return c.Deal(
        cards=tuple(_by_rounds(rows)),
        positions=tuple(_by_rounds(places)) if known else None,
        at=deals[0].at,
    )


def _by_rounds(rows: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
    for turn in range(max(map(len, rows))):
        for row in rows:
            yield from row[turn : turn + 1]


def _community(event: e.CommunityCardDealt) -> c.Deal:
    cards: tuple[Card, ...] = (event.card,)
    positions = None if event.position is None else (event.position,)
    return c.Deal(cards=cards, positions=positions, at=event.at)


def _time_out(event: e.TimedOut) -> c.TimeOut:
    return c.TimeOut(
        seat=event.seat,
        turn_started_at=event.turn_started_at,
        deadline=event.deadline,
        disconnected_at=event.disconnected_at,
        at=event.at,
    )


def _of_seat(kind: type[Any]) -> Callable[[Any], c.HandCommand]:
    def ask(event: Any) -> c.HandCommand:
        command: c.HandCommand = kind(seat=event.seat, at=event.at)
        return command

    return ask


def _with(kind: type[Any], *fields: str) -> Callable[[Any], c.HandCommand]:
    def ask(event: Any) -> c.HandCommand:
        command: c.HandCommand = kind(**{name: getattr(event, name) for name in (*fields, "at")})
        return command

    return ask


_ASKED = cast(
    "dict[type[Any], Callable[[Any], c.HandCommand]]",
    {
        e.CommunityCardDealt: _community,
        e.BringInPosted: _of_seat(c.PostBringIn),
        e.Called: _of_seat(c.Call),
        e.Checked: _of_seat(c.Check),
        e.Folded: _of_seat(c.Fold),
        e.Completed: _of_seat(c.Complete),
        e.BetPlaced: _with(c.Bet, "seat", "to"),
        e.Raised: _with(c.Raise, "seat", "to"),
        e.TimedOut: _time_out,
        e.PlayerDisconnected: _of_seat(c.Disconnect),
        e.PlayerReconnected: _of_seat(c.Reconnect),
        e.ClockPaused: _with(c.PauseClock, "reason"),
        e.ClockResumed: _with(c.ResumeClock, "reason"),
        e.IncidentNoted: _with(c.NoteIncident, "kind", "text"),
        e.HandVoided: _with(c.Void, "reason", "ruling"),
        e.AwardCorrected: _with(c.Correct, "moves", "rake", "reason", "ruling"),
    },
)
"""Facts of the table that somebody asks for; every other fact is a consequence."""
