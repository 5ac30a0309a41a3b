"""What a player's command becomes: his action, or what a turn that ran out does to him."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.errors import IllegalAmount, NotAllowedNow, OutOfTurn
from domain.hand import Hand
from domain.legal import Action, LegalAction, legal_actions
from domain.rules.betting import why_no_raise
from domain.rules.clock import too_soon
from domain.rules.turn import bring_in_owed, turn, why_not_his_turn
from domain.units import Chips, Seat, TimeoutOutcome

Act = c.PostBringIn | c.Complete | c.Bet | c.Raise | c.Call | c.Check | c.Fold

_NAMES: dict[type[Act], Action] = {
    c.PostBringIn: "bring_in",
    c.Complete: "complete",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Call: "call",
    c.Check: "check",
    c.Fold: "fold",
}


def act(hand: Hand, command: Act) -> e.HandEvent:
    """The fact a legal action becomes. Raises `OutOfTurn`, `NotAllowedNow` or `IllegalAmount`."""
    legal = _require_turn(hand, command.seat)
    name = _NAMES[type(command)]
    choices = tuple(choice for choice in legal if choice.action in _meant(hand, name))
    if not choices:
        rule, why = _why_not(hand, command.seat, name)
        raise NotAllowedNow(
            f"seat {command.seat} may not {name.replace('_', ' ')} now: {why}",
            rule=rule,
            legal=legal,
        )
    to = command.to if isinstance(command, c.Bet | c.Raise) else None
    return event_of(_pick(choices, to, legal))


def _meant(hand: Hand, name: Action) -> tuple[Action, ...]:
    """On third street the first full bet is called a bet or a completion by turns (S4, S7)."""
    if hand.betting.street == 3 and name in {"bet", "complete"}:
        return "bet", "complete"
    return (name,)


def _require_turn(hand: Hand, seat: Seat) -> tuple[LegalAction, ...]:
    seats = turn(hand)
    if not seats:
        raise NotAllowedNow("nobody is to act: cards are due", rule="G5")
    if seat not in seats:
        raise OutOfTurn(
            f"seat {seats[0]} is to act, not seat {seat}",
            rule=why_not_his_turn(hand, seat),
            legal=legal_actions(hand),
        )
    return legal_actions(hand, seat)


def _pick(
    choices: tuple[LegalAction, ...], to: Chips | None, legal: tuple[LegalAction, ...]
) -> LegalAction:
    if to is None and len(choices) == 1:
        return choices[0]
    for choice in choices:
        if choice.to == to:
            return choice
    amounts = " or ".join(str(choice.to) for choice in choices)
    asked = "no amount was named" if to is None else f"{to} was asked for"
    raise IllegalAmount(
        f"seat {choices[0].seat} may {choices[0].action} to {amounts}; {asked}",
        rule=choices[0].rule,
        legal=legal,
    )


def _why_not(hand: Hand, seat: Seat, name: Action) -> tuple[str, str]:
    """The rule a refused action runs against, and its sentence."""
    if bring_in_owed(hand):
        return "S4", "the bring-in is owed"
    if name in _NO_OCCASION:
        return _NO_OCCASION[name]
    third, bets = hand.betting.street == 3, hand.betting.bets
    if name == "complete" and (bets or not third):
        return "S7", "there is no bring-in to complete"
    player = hand.player(seat)
    forbidden = why_no_raise(hand, player)
    if forbidden:
        return forbidden
    if player.street_total + player.stack <= hand.betting.price:
        return "B5", "he has no chips beyond the call"
    if name == "raise":
        return ("S7" if third else "B5"), "there is no bet to raise"
    return "B5", "somebody has bet already"


_NO_OCCASION: dict[Action, tuple[str, str]] = {
    "bring_in": ("S4", "no bring-in is owed"),
    "check": ("B5", "he owes chips"),
    "call": ("B5", "he owes nothing"),
}


def event_of(choice: LegalAction) -> e.HandEvent:
    """The fact a legal choice becomes."""
    seat, all_in = choice.seat, choice.all_in
    match choice.action:
        case "fold":
            return e.Folded(seat=seat)
        case "check":
            return e.Checked(seat=seat)
        case "call":
            return e.Called(seat=seat, amount=choice.amount, all_in=all_in)
        case "bring_in":
            return e.BringInPosted(seat=seat, amount=choice.amount, all_in=all_in)
    assert choice.size is not None, "every wager has a size"
    return _WAGERS[choice.action](seat=seat, to=choice.to, size=choice.size, all_in=all_in)


_WAGERS: dict[Action, type[e.Completed | e.BetPlaced | e.Raised]] = {
    "complete": e.Completed,
    "bet": e.BetPlaced,
    "raise": e.Raised,
}


def time_out(hand: Hand, command: c.TimeOut) -> tuple[e.HandEvent, ...]:
    """The evidence, and under `check_or_fold` or with nothing in the pot the act itself (C2-C4)."""
    legal = _require_turn(hand, command.seat)
    outcome = timeout_outcome(hand, command.seat, legal)
    timed_out = e.TimedOut(
        seat=command.seat,
        turn_started_at=command.turn_started_at,
        deadline=command.deadline,
        disconnected_at=command.disconnected_at,
        outcome=outcome,
        at=command.at,
    )
    early = too_soon(hand.started.house_rules.clock, timed_out)
    if early is not None:
        raise NotAllowedNow(f"seat {command.seat} {early.why}", rule="C1", legal=legal)
    if outcome == "all_in":
        return (timed_out,)
    if outcome == "fold":
        return (timed_out, e.Folded(seat=command.seat))
    return (timed_out, event_of(next(choice for choice in legal if choice.action == outcome)))


def timeout_outcome(
    hand: Hand, seat: Seat, legal: tuple[LegalAction, ...] | None = None
) -> TimeoutOutcome:
    """What a turn that ran out means for this seat (C2, C3, C4).

    `all_in` policy: all-in with money in the pot, else folded. `check_or_fold` policy: post an
    owed bring-in, check if nothing is owed, else fold.
    """
    if hand.started.house_rules.timeout_outcome == "all_in":
        return "all_in" if hand.player(seat).paid > 0 else "fold"
    actions = {choice.action for choice in legal or legal_actions(hand, seat)}
    if "bring_in" in actions:
        return "bring_in"
    return "check" if "check" in actions else "fold"
