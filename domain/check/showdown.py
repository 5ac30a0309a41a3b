"""Whether hands were turned up or given up when there was a showdown (P0)."""

from __future__ import annotations

from domain import events as e
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.turn import hand_over, turn


def check_mucked(hand: Hand, event: e.Mucked) -> tuple[Finding, ...]:
    """A hand is given up once, at a showdown it could be in (P0)."""
    player = hand.player(event.seat)
    if player.mucked:
        text = f"Seat {event.seat} mucks a second time."
        return (object_to(hand, "P0", "one muck", f"seat {event.seat} mucks again", text),)
    if hand_over(hand) and player.still_in:
        return ()
    text = f"Seat {event.seat} mucks, but there is no showdown he could be in."
    return (object_to(hand, "P0", "no muck", f"seat {event.seat} mucks", text),)


def check_shown(hand: Hand, event: e.CardsShown) -> tuple[Finding, ...]:
    """Nobody still in turns up his hand while somebody is to act (P0).

    Before the last card it may be turned up where nobody can bet any more.
    """
    seats = turn(hand)
    if not seats or not hand.player(event.seat).still_in:
        return ()
    to_act = " or ".join(f"seat {seat}" for seat in seats)
    text = f"Seat {event.seat} shows his hand while {to_act} is to act."
    recorded = f"seat {event.seat} shows"
    return (object_to(hand, "P0", f"{to_act} to act", recorded, text),)
