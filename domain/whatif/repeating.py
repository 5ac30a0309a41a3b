"""A recorded decision made again where things may stand otherwise."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.acting import Act, act, event_of, time_out
from domain.errors import NotAllowedNow, Refused
from domain.hand import Hand
from domain.legal import LegalAction, legal_actions
from domain.rules.turn import turn
from domain.units import Seat
from domain.whatif.asking import Decision
from domain.whatif.record import DecisionEvent

Facts = tuple[e.HandEvent, ...]
WAGERS = ("complete", "bet", "raise")


def repeated(hand: Hand, then: Hand, event: DecisionEvent) -> Facts | None:
    """What the same decision comes to now; None if it is not his turn, or no such decision.

    `then` is the state in which it was made. A call is a call and a bet a bet, whatever it costs;
    but who folded to a bet has not decided to fold for nothing.
    """
    if event.seat not in turn(hand):
        return None
    if isinstance(event, e.TimedOut):
        return _timed_out_again(hand, event)
    for choice in legal_actions(hand, event.seat):
        if _is_the_same(choice, event) and not _folds_for_nothing(hand, then, event):
            return (event_of(choice),)
    return None


def _timed_out_again(hand: Hand, event: e.TimedOut) -> Facts | None:
    command = c.TimeOut(
        seat=event.seat,
        turn_started_at=event.turn_started_at,
        deadline=event.deadline,
        disconnected_at=event.disconnected_at,
        at=event.at,
    )
    try:
        return time_out(hand, command)
    except Refused:
        return None


def _is_the_same(choice: LegalAction, event: DecisionEvent) -> bool:
    match event:
        case e.Folded():
            return choice.action == "fold"
        case e.Checked():
            return choice.action == "check"
        case e.Called():
            return choice.action == "call"
        case e.BringInPosted():
            return choice.action == "bring_in"
        case e.Completed() | e.BetPlaced() | e.Raised():
            return choice.action in WAGERS and choice.size == event.size
    return False


def _folds_for_nothing(hand: Hand, then: Hand, event: DecisionEvent) -> bool:
    return isinstance(event, e.Folded) and not owes(hand, event.seat) and owes(then, event.seat)


def why_not_again(hand: Hand, then: Hand, event: DecisionEvent) -> str:
    """Why a decision cannot be made again, in a phrase."""
    if _folds_for_nothing(hand, then, event):
        return "in the record he folded to a bet that nobody makes here"
    return f"in the record he {_DID[type(event)]}, which he cannot do here"


_DID: dict[type[DecisionEvent], str] = {
    e.Folded: "folded",
    e.Checked: "checked",
    e.Called: "called",
    e.BringInPosted: "brought it in",
    e.Completed: "completed",
    e.BetPlaced: "bet",
    e.Raised: "raised",
    e.TimedOut: "timed out",
}


def owes(hand: Hand, seat: Seat) -> bool:
    """Whether the seat has to put in more to stay in."""
    return hand.betting.price > hand.player(seat).street_total


def decided(hand: Hand, seat: Seat, decision: Decision) -> Facts:
    """What a decision comes to. Raises `Refused` with the rule and the legal alternatives."""
    if decision.action == "time_out":
        return _times_out(hand, seat, decision)
    return (act(hand, _command(seat, decision)),)


def _times_out(hand: Hand, seat: Seat, decision: Decision) -> Facts:
    """The time-out with the outcome asked for, or the house's (C2-C4)."""
    facts = time_out(hand, c.TimeOut(seat=seat))
    timed_out = facts[0]
    assert isinstance(timed_out, e.TimedOut), "a time-out comes first"
    if decision.outcome is None or decision.outcome == timed_out.outcome:
        return facts
    other = e.TimedOut(
        seat=seat,
        turn_started_at=None,
        deadline=None,
        disconnected_at=None,
        outcome=decision.outcome,
    )
    if decision.outcome == "all_in":
        return (other,)
    legal = legal_actions(hand, seat)
    for choice in legal:
        if choice.action == decision.outcome:
            return (other, event_of(choice))
    if decision.outcome == "fold":
        return (other, e.Folded(seat=seat))
    what = decision.outcome.replace("_", " ")
    raise NotAllowedNow(f"a time-out of seat {seat} cannot be a {what} now", rule="C4", legal=legal)


def _command(seat: Seat, decision: Decision) -> Act:
    match decision.action:
        case "bet":
            return c.Bet(seat=seat, to=decision.to)
        case "raise":
            return c.Raise(seat=seat, to=decision.to)
        case "time_out":
            raise AssertionError("a time-out is no act")
    return _WITHOUT_AMOUNT[decision.action](seat=seat)


_WITHOUT_AMOUNT: dict[str, type[c.Fold | c.Check | c.Call | c.PostBringIn | c.Complete]] = {
    "fold": c.Fold,
    "check": c.Check,
    "call": c.Call,
    "bring_in": c.PostBringIn,
    "complete": c.Complete,
}
