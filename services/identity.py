"""Which hand a record tells of, and whether two records tell the same of it.

A hand's id follows from its site, the kind of money and its number, so every witness of a hand
finds the same stream. What all witnesses must agree on are its public facts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid5

import msgspec

from domain import events as e
from domain.cards import known
from domain.tables.events import TableOpened
from domain.units import Card, Chips, Seat

_HANDS = UUID("1f0d063c-8abe-558b-9651-da7dfc5ca8f2")
"""The namespace of all hand ids; changing it would give every hand another id."""


def hand_id(started: e.HandStarted | TableOpened, identity: str, digest: str) -> UUID:
    """The id of a hand, begun or to be begun at a table.

    Without an `identity` of its own, its public facts name it.
    """
    name = identity or f"facts {digest}"
    return uuid5(_HANDS, "\n".join((started.site, started.money.kind, name)))


def conflicting_id(hand: UUID, digest: str) -> UUID:
    """The id of a record that tells something else of `hand`: again the same for every witness."""
    return uuid5(hand, digest)


def public_facts(events: Sequence[e.HandEvent], *, anonymous: Collection[Seat] = ()) -> str:
    """A digest of what everybody at the table saw, up to the end of the hand.

    Face-down cards count only where they were shown. Left out is what depends on who kept the
    record or by which rules it was read: times, connections, halves, reasons, the text's hash,
    the order of antes. Names of `anonymous` seats are left out too.
    """
    facts = list(_seen_by_all(events, frozenset(anonymous)))
    facts.append(("antes", *sorted(_antes(events))))
    facts.append(("won", *sorted(_won(events).items())))
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def known_cards(events: Iterable[e.HandEvent]) -> frozenset[Card]:
    """Every card these events show to whoever may see them all."""
    dealt = (event for event in events if isinstance(event, e.CardsDealt))
    return frozenset(card for event in dealt for card in known((*event.down, *event.up)))


_Fact = tuple[Any, ...]

_LEFT_OUT = (
    e.AntePosted
    | e.PlayerDisconnected
    | e.PlayerReconnected
    | e.IncidentNoted
    | e.ClockPaused
    | e.ClockResumed
    | e.BettingOpened
    | e.PotAwarded
)


def _seen_by_all(events: Iterable[e.HandEvent], anonymous: frozenset[Seat]) -> Iterator[_Fact]:
    still_in = 0
    for event in events:
        if isinstance(event, e.HandStarted):
            still_in = len(event.seats)
        still_in -= isinstance(event, e.Folded)
        # Whom nobody called has nothing to muck, though some sites say he does.
        says_nothing = isinstance(event, e.Mucked) and still_in == 1
        if not isinstance(event, _LEFT_OUT) and not says_nothing:
            yield _seen(event, anonymous)
        if isinstance(event, e.HandCompleted):
            return


def _seen(event: e.HandEvent, anonymous: frozenset[Seat]) -> _Fact:
    match event:
        case e.HandStarted():
            return _start(event, anonymous)
        case e.CardsDealt(seat=seat, street=street, down=down, up=up):
            return "dealt", seat, street, len(down), *up
        case e.CommunityCardDealt(card=card):
            return "community", card
        case (
            e.Completed(seat=seat, to=to)
            | e.BetPlaced(seat=seat, to=to)
            | e.Raised(seat=seat, to=to)
        ):
            return "wager", seat, to
        case e.TimedOut(seat=seat, outcome=outcome):
            return "timed_out", seat, outcome
        case e.RakeTaken(total=total):
            return "rake", total
    return _plainly(event)


def _plainly(event: e.HandEvent) -> _Fact:
    """The type without its version, and every field but the time."""
    fields = (name for name in event.__struct_fields__ if name != "at")
    return e.tag_of(event).partition(".")[0], *(getattr(event, name) for name in fields)


def _start(event: e.HandStarted, anonymous: frozenset[Seat]) -> _Fact:
    stakes = event.stakes
    seats = (
        (taken.seat, None if taken.seat in anonymous else taken.player, taken.stack)
        for taken in event.seats
    )
    return (
        "started",
        event.game,
        (stakes.small_bet, stakes.big_bet, stakes.ante, stakes.bring_in),
        (event.money.kind, event.money.currency, event.money.exponent),
        event.table.name,
        event.dealer,
        *seats,
        event.played_at,
    )


def _antes(events: Iterable[e.HandEvent]) -> Iterator[_Fact]:
    for event in events:
        if isinstance(event, e.AntePosted):
            yield event.seat, event.amount, event.all_in


def _won(events: Iterable[e.HandEvent]) -> dict[Seat, Chips]:
    won: dict[Seat, Chips] = {}
    for event in events:
        if isinstance(event, e.PotAwarded):
            for share in event.shares:
                won[share.seat] = won.get(share.seat, 0) + share.amount
    return won
