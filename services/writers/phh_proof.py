"""Reading back what was written: what a notation cannot say shows by the difference."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from domain import events as e
from domain.units import Chips, Seat
from domain.verdict import judge
from services.readers.reading import READERS, read_lines
from services.readers.record import HandRead
from services.replaying import seen_by
from services.writers.hand import CannotSay, SeenHand

Said = tuple[Any, ...]

_SAYS_NOTHING = (
    e.AntePosted
    | e.BettingOpened
    | e.IncidentNoted
    | e.PlayerDisconnected
    | e.PlayerReconnected
    | e.ClockPaused
    | e.ClockResumed
)
"""What moves nothing once the antes are compared by themselves."""


def refuse_another_hand(hand: SeenHand, text: str) -> None:
    """Raises `CannotSay` unless `text` tells this hand, to this view, with the same verdict."""
    [outcome] = read_lines("", io.StringIO(text, newline=""), READERS["phh"])
    if not isinstance(outcome, HandRead):
        raise CannotSay("PHH has no word for something in it: written down, it breaks the rules")
    again = tuple(seen_by(hand.view, outcome.events))
    for ours, theirs in zip(_said(hand.events), _said(again), strict=False):
        if ours != theirs:
            raise CannotSay(f"PHH cannot say it: read back, {_what(ours)} would differ")
    if len(list(_said(hand.events))) != len(list(_said(again))):
        raise CannotSay("PHH cannot say it: read back, more or less would have happened")
    if _verdict(hand.events) != _verdict(again):
        raise CannotSay("PHH cannot say it: read back, the hand would be judged differently")


def _what(said: Said) -> str:
    kind = said[0]
    return "the start" if kind == "start" else f"a fact of kind {kind}"


def _verdict(events: Sequence[e.HandEvent]) -> Said:
    judged = judge(events)
    return judged.verdict, [(f.rule, f.expected, f.recorded) for f in judged.findings]


def _said(events: Sequence[e.HandEvent]) -> Iterator[Said]:
    """A hand's facts without what the notation need not say: times, reasons, places in the deck."""
    yield "antes", _antes(events)
    alone = _last_one_in(events)
    for event in events:
        if isinstance(event, _SAYS_NOTHING) or (alone and isinstance(event, e.Mucked)):
            continue
        yield _fact(event)


def _antes(events: Sequence[e.HandEvent]) -> dict[Seat, tuple[Chips, bool]]:
    return {
        event.seat: (event.amount, event.all_in)
        for event in events
        if isinstance(event, e.AntePosted)
    }


def _last_one_in(events: Sequence[e.HandEvent]) -> bool:
    """Whether everybody but one folded: nobody asked him to show, so mucking means nothing."""
    assert isinstance(events[0], e.HandStarted), "every hand begins with its start"
    folded = {event.seat for event in events if isinstance(event, e.Folded)}
    return len(events[0].seats) - len(folded) == 1


def _fact(event: e.HandEvent) -> Said:
    match event:
        case e.HandStarted():
            return _start(event)
        case e.CardsDealt(seat=seat, street=street, down=down, up=up):
            return "deal", seat, street, down, up
        case e.CommunityCardDealt(card=card):
            return "deal", card
        case e.RakeTaken(total=total):
            return "rake", total
        case e.PotAwarded(pot=pot, half=half, shares=shares):
            return "award", pot, half, shares
    values = [getattr(event, name) for name in event.__struct_fields__ if name != "at"]
    return e.tag_of(event).partition(".")[0], *values


def _start(event: e.HandStarted) -> Said:
    stakes = event.stakes
    return (
        "start",
        (event.game, event.site, event.number, event.table.name, event.house_rules),
        (stakes.small_bet, stakes.big_bet, stakes.ante, stakes.bring_in),
        (event.money, event.dealer, event.played_at),
        sorted((taken.seat, taken.player, taken.stack) for taken in event.seats),
    )
