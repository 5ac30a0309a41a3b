"""A hand as it was played and as it stands after rulings: the difference in money, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.units import Chips, ChipsMoved, Seat

RULINGS = (e.HandVoided, e.AwardCorrected)


class SeatRuled(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat won or lost, in minor units: `ruled` = `played` + `difference`.

    `left_with` is the stack with which he went on playing: no ruling touches it.
    """

    seat: Seat
    left_with: Chips
    played: ChipsMoved
    ruled: ChipsMoved
    difference: ChipsMoved


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody and the rake, as played and as ruled; differences are in sum nothing.

    `rulings` are the ids of what was ruled, in order, `steps` the facts they are.
    """

    seats: tuple[SeatRuled, ...]
    rake_played: ChipsMoved
    rake_ruled: ChipsMoved
    rake_difference: ChipsMoved
    voided: bool
    rulings: tuple[str, ...]
    steps: tuple[int, ...]


def ruled_since(events: Sequence[e.HandEvent], step: int) -> bool:
    """Whether a ruling moved money of the hand after its first `step` facts."""
    return any(isinstance(event, RULINGS) for event in events[step:])


def as_ruled(events: Sequence[e.HandEvent]) -> Ruled | None:
    """The difference rulings made to a hand that was over; None if there were none.

    Raises `CorruptHistory` as `evolve` does.
    """
    hand: Hand | None = None
    played: Hand | None = None
    rulings, steps = [], []
    for event in events:
        if isinstance(event, RULINGS) and hand is not None and hand.completed and event.ruling:
            played = played or hand
            rulings.append(event.ruling)
            steps.append(hand.step + 1)
        hand = evolve(hand, event)
    if played is None or hand is None:
        return None
    return Ruled(
        seats=tuple(_seat(played, hand, player.seat) for player in played.seats),
        rake_played=played.rake,
        rake_ruled=hand.rake,
        rake_difference=hand.rake - played.rake,
        voided=hand.voided,
        rulings=tuple(rulings),
        steps=tuple(steps),
    )


def _seat(played: Hand, ruled: Hand, seat: Seat) -> SeatRuled:
    before, after = played.player(seat), ruled.player(seat)
    return SeatRuled(
        seat=seat,
        left_with=before.stack,
        played=before.stack - before.started_with,
        ruled=after.stack - after.started_with,
        difference=after.stack - before.stack,
    )
