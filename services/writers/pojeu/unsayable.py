"""Hands there can be no POJEU of, each with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from domain import events as e
from domain.cards import all_known
from domain.hand import Hand
from domain.units import ChipsMoved, Seat
from services.writers.hand import CannotSay

CHIPS_OF = {"play": "play money", "tournament": "a tournament's chips"}


def refuse_unsayable(events: Sequence[e.HandEvent], over: Hand) -> None:
    """Raises `CannotSay` with the first reason; `over` is what the events come to."""
    reasons = chain(_of_the_hand(over), _of_the_record(over.started), _of_the_chips(events, over))
    for reason in reasons:
        raise CannotSay(reason)


def _of_the_hand(over: Hand) -> Iterator[str]:
    if over.voided:
        yield "the hand is void: a game that was cancelled is no POJEU"
    if not over.completed:
        yield "the hand is still being played"
    if over.started.money.kind != "real":
        yield f"it was played for {CHIPS_OF[over.started.money.kind]}"
    hidden = [str(player.seat) for player in over.seats if not all_known(player.cards)]
    if hidden:
        yield f"cards of seat {', '.join(hidden)} are not known"


def _of_the_record(started: e.HandStarted) -> Iterator[str]:
    if started.played_at is None and started.at is None:
        yield "the record does not say when it was played"
    if not (started.table.id or started.table.name):
        yield "the record names no table"


def _of_the_chips(events: Sequence[e.HandEvent], over: Hand) -> Iterator[str]:
    """The stacks on record must be what the facts come to, rulings included."""
    if over.pot:
        yield "chips are left in the pot"
    stacks: Counter[Seat] = Counter()
    for event in events:
        match event:
            case e.HandCompleted():
                stacks.update({one.seat: one.stack for one in event.stacks})
            case e.AwardCorrected():
                stacks.update(_moved(event))
                if event.rake:
                    yield "a ruling moved rake, and POJEU has no rake that no player bears"
    if any(stacks[player.seat] != player.stack for player in over.seats):
        yield "the stacks it ended with are not what its facts come to"


def _moved(event: e.AwardCorrected) -> dict[Seat, ChipsMoved]:
    return {one.seat: one.amount for one in event.moves}
