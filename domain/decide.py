"""The only place that chooses or refuses: a command against the state of a dealt hand."""

from __future__ import annotations

from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.acting import act, time_out
from domain.consequences import cards_due, consequences
from domain.dealing import deal
from domain.errors import NotAllowedNow
from domain.evolve import evolve
from domain.hand import Hand
from domain.rulings import correct, void
from domain.starting import require_playable
from domain.units import Seat

Events = tuple[e.HandEvent, ...]


def decide(hand: Hand | None, command: c.HandCommand) -> Events:
    """What happens if `command` is accepted now, every consequence included, in order.

    Raises `Refused` with the rule's id and the legal alternatives; then nothing happened.
    """
    chosen = _start(command) if hand is None else _choose(hand, command)
    if command.at is not None:
        chosen = tuple(replace(event, at=command.at) for event in chosen)
    return chosen + _follow(hand, chosen, command)


def _follow(hand: Hand | None, chosen: Events, command: c.HandCommand) -> Events:
    """Everything that follows by itself, until a player or the dealer is asked again."""
    for event in chosen:
        hand = evolve(hand, event)
    assert hand is not None
    followed: list[e.HandEvent] = []
    while more := consequences(hand):
        for event in more:
            timed = event if command.at is None else replace(event, at=command.at)
            hand = evolve(hand, timed)
            followed.append(timed)
    return tuple(followed)


def _start(command: c.HandCommand) -> Events:
    if not isinstance(command, c.StartHand):
        raise NotAllowedNow("the hand has not started", rule="S1")
    require_playable(command.hand)
    return (command.hand,)


def _choose(hand: Hand, command: c.HandCommand) -> Events:
    match command:
        case c.StartHand():
            raise NotAllowedNow("the hand has started already", rule="S1")
        case c.Void():
            return (void(hand, command),)
        case c.Correct():
            return (correct(hand, command),)
        case c.NoteIncident(kind=kind, text=text):
            return (e.IncidentNoted(kind=kind, text=text),)
    _require_in_play(hand)
    match command:
        case c.Deal():
            return deal(hand, command, cards_due(hand))
        case c.TimeOut():
            return time_out(hand, command)
        case c.Disconnect() | c.Reconnect() | c.PauseClock() | c.ResumeClock():
            return (_evidence(hand, command),)
    return (act(hand, command),)


Evidence = c.Disconnect | c.Reconnect | c.PauseClock | c.ResumeClock


def _evidence(hand: Hand, command: Evidence) -> e.HandEvent:
    match command:
        case c.Disconnect(seat=seat):
            return e.PlayerDisconnected(seat=_dealt_in(hand, seat))
        case c.Reconnect(seat=seat):
            return e.PlayerReconnected(seat=_dealt_in(hand, seat))
        case c.PauseClock(reason=reason):
            return e.ClockPaused(reason=reason)
        case c.ResumeClock(reason=reason):
            return e.ClockResumed(reason=reason)


def _require_in_play(hand: Hand) -> None:
    if hand.voided:
        raise NotAllowedNow("the hand is void", rule="P9")
    if hand.completed:
        raise NotAllowedNow("the hand is over", rule="B9")


def _dealt_in(hand: Hand, seat: Seat) -> Seat:
    if all(player.seat != seat for player in hand.seats):
        raise NotAllowedNow(f"nobody was dealt in at seat {seat}", rule="B2")
    return seat
