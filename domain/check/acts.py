"""Whether a player's act was his to make, and allowed (S3-S7, B1-B10, C1-C4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain import events as e
from domain.acting import timeout_outcome
from domain.amounts import amount_words
from domain.check.dealing import check_missing_cards
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand, Player
from domain.legal import Action, LegalAction, choices, choices_among
from domain.rules.betting import hides_open_pair, wager_targets, why_no_raise
from domain.rules.clock import too_soon
from domain.rules.streets import still_dealing
from domain.rules.turn import bring_in_owed, turn, why_not_his_turn
from domain.units import Chips
from domain.words import actions

Act = e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised | e.Checked | e.Folded

WAGERS: tuple[Action, ...] = ("complete", "bet", "raise")
_ACTIONS: dict[type[Act], tuple[Action, ...]] = {
    e.BringInPosted: ("bring_in",),
    e.Called: ("call",),
    e.Checked: ("check",),
    e.Folded: ("fold",),
    # What a wager is called depends on the site; what it costs does not.
    e.Completed: WAGERS,
    e.BetPlaced: WAGERS,
    e.Raised: WAGERS,
}


def check_act(hand: Hand, event: Act) -> tuple[Finding, ...]:
    """Cards that are missing, or one finding: not his turn, not allowed, or not this amount.

    Most acts are right and let pass without a list of choices.
    """
    kind = type(event)
    if (
        (event.seat in turn(hand) and hand.ran_out is None)
        and bring_in_owed(hand) is (kind is e.BringInPosted)
        and _RIGHTLY[kind](hand, hand.player(event.seat), event)
    ):
        return ()
    return check_missing_cards(hand) or _act_findings(hand, event)


def _act_findings(hand: Hand, event: Act) -> tuple[Finding, ...]:
    if hand.ran_out is not None:
        return _outcome_finding(hand, event, hand.ran_out)
    if event.seat not in turn(hand):
        return _turn_finding(hand, event)
    player, kind = hand.player(event.seat), type(event)
    fitting = choices_among(hand, player, _ACTIONS[kind])
    to = _TO[kind](player.street_total, event)
    for choice in fitting:
        if choice.to == to:
            if kind in _WITHOUT_CHIPS:
                return ()
            return _all_in_finding(hand, event, player) or _size_finding(hand, event, choice)
    if hides_open_pair(hand):
        return _act_findings(_with_open_pair(hand), event)
    expected = fitting or choices(hand, player)
    rule, why = _why_not(hand, event, fitting)
    recorded = _recorded(hand, event)
    text = f"Seat {event.seat} {recorded}, but {why}: he may {actions(_money(hand), expected)}."
    return (object_to(hand, rule, actions(_money(hand), expected), recorded, text),)


def _with_open_pair(hand: Hand) -> Hand:
    """The same state if an unknown card makes an open pair (B4)."""
    return replace(hand, betting=replace(hand.betting, double_bet=True))


def _outcome_finding(hand: Hand, event: Act, ran_out: e.TimedOut) -> tuple[Finding, ...]:
    """After a time-out comes the act it was turned into, by the same seat (C3, C4)."""
    to = hand.player(ran_out.seat).street_total
    if ran_out.outcome == "bring_in":
        to += min(hand.started.stakes.bring_in, hand.player(ran_out.seat).stack)
    outcome: Action = "check" if ran_out.outcome == "all_in" else ran_out.outcome
    if event.seat == ran_out.seat and outcome in _ACTIONS[type(event)] and _to(hand, event) == to:
        player = hand.player(event.seat)
        return () if type(event) in _WITHOUT_CHIPS else _all_in_finding(hand, event, player)
    expected = f"seat {ran_out.seat}: {outcome.replace('_', ' ')}"
    recorded = f"seat {event.seat} {_recorded(hand, event)}"
    text = f"Seat {ran_out.seat} timed out, which was to be {outcome}; instead {recorded}."
    return (object_to(hand, "C4", expected, recorded, text),)


def _turn_finding(hand: Hand, event: Act | e.TimedOut) -> tuple[Finding, ...]:
    seats = turn(hand)
    if event.seat in seats:
        return ()
    recorded = _recorded(hand, event)
    if not seats:
        rule, why = _why_nobody(hand, hand.player(event.seat))
        text = f"Seat {event.seat} {recorded}, but {why}."
        return (object_to(hand, rule, "no action", recorded, text),)
    first = hand.betting.last is None
    rule = why_not_his_turn(hand, event.seat)
    expected = " or ".join(f"seat {seat}" for seat in seats)
    does = "opens" if first else "is to act"
    text = f"Seat {event.seat} {recorded}, but {expected} {does}."
    return (object_to(hand, rule, f"{expected} to act", f"seat {event.seat} {recorded}", text),)


def _why_nobody(hand: Hand, player: Player) -> tuple[str, str]:
    if hand.betting.street == 0 or still_dealing(hand):
        return "G5", "the cards of this street are not dealt yet"
    if player.status != "active":
        return "B2", f"he is {player.status.replace('_', '-')} and cannot act"
    if len(hand.active) < 2:
        return "B10", "nobody else can act and he owes nothing"
    return "B5", "the betting of this street is over"


def _why_not(hand: Hand, event: Act, fitting: tuple[LegalAction, ...]) -> tuple[str, str]:
    """The rule an act in turn runs against, and why."""
    if bring_in_owed(hand):
        return "S4", "the bring-in is owed"
    if isinstance(event, e.BringInPosted):
        return "S4", "no bring-in is owed"
    if isinstance(event, e.Called):
        return "B5", "that is not what he owes" if fitting else "he owes nothing"
    if isinstance(event, e.Checked | e.Folded):
        return "B5", "he owes chips"
    return _why_no_wager(hand, event, fitting)


def _why_no_wager(
    hand: Hand, event: e.Completed | e.BetPlaced | e.Raised, fitting: tuple[LegalAction, ...]
) -> tuple[str, str]:
    forbidden = why_no_raise(hand, hand.player(event.seat))
    if forbidden:
        return forbidden
    if not fitting:
        return "B5", "he has no chips beyond the call"
    betting, stakes = hand.betting, hand.started.stakes
    if betting.street == 4 and not betting.double_bet:
        if event.to - betting.base == stakes.big_bet:
            return "B4", "no open pair allows the big bet"
        return "S6", "the small bet is the measure"
    if betting.street == 4 and betting.double_bet:
        return "B4", "that is neither the small nor the big bet"
    return ("B7" if event.all_in else "S6"), "that is not the size of the bet"


def _all_in_finding(hand: Hand, event: Any, player: Player) -> tuple[Finding, ...]:
    total = player.street_total
    if event.all_in == (_TO[type(event)](total, event) - total == player.stack):
        return ()
    said, is_so = ("all-in", "has chips left") if event.all_in else ("not all-in", "is all-in")
    text = f"Seat {event.seat} is recorded as {said}, but he {is_so}."
    return (object_to(hand, "B5", is_so, said, text),)


def _size_finding(hand: Hand, event: Any, choice: LegalAction) -> tuple[Finding, ...]:
    if choice.size is None or event.size == choice.size:
        return ()
    text = f"Seat {event.seat} {_recorded(hand, event)}, which is a {choice.size} wager here."
    rule = "B4" if hand.betting.double_bet else "S6"
    return (object_to(hand, rule, f"a {choice.size} wager", f"a {event.size} one", text),)


def _to(hand: Hand, event: Act) -> Chips:
    """The street total the act leads to."""
    return _TO[type(event)](hand.player(event.seat).street_total, event)


# By kind, because asking a struct of many kinds for its class is slow.
_TO: dict[type[Act], Callable[[Chips, Any], Chips]] = {
    e.BringInPosted: lambda total, event: total + event.amount,
    e.Called: lambda total, event: total + event.amount,
    e.Completed: lambda total, event: event.to,
    e.BetPlaced: lambda total, event: event.to,
    e.Raised: lambda total, event: event.to,
    e.Checked: lambda total, event: total,
    e.Folded: lambda total, event: total,
}
_WITHOUT_CHIPS = frozenset({e.Checked, e.Folded})


def _brings_in_rightly(hand: Hand, player: Player, event: e.BringInPosted) -> bool:
    due = min(hand.started.stakes.bring_in, player.stack)
    return event.amount == due and event.all_in == (due == player.stack)


def _checks_rightly(hand: Hand, player: Player, event: e.Checked) -> bool:
    return hand.betting.price <= player.street_total


def _calls_rightly(hand: Hand, player: Player, event: e.Called) -> bool:
    owed = min(hand.betting.price - player.street_total, player.stack)
    return 0 < owed == event.amount and event.all_in == (owed == player.stack)


def _folds_rightly(hand: Hand, player: Player, event: e.Folded) -> bool:
    return True


def _wagers_rightly(
    hand: Hand, player: Player, event: e.Completed | e.BetPlaced | e.Raised
) -> bool:
    all_in = event.to - player.street_total == player.stack
    return event.all_in == all_in and (event.to, event.size) in wager_targets(hand, player)


_RIGHTLY: dict[type[Act], Callable[[Hand, Player, Any], bool]] = {
    e.BringInPosted: _brings_in_rightly,
    e.Checked: _checks_rightly,
    e.Called: _calls_rightly,
    e.Folded: _folds_rightly,
    e.Completed: _wagers_rightly,
    e.BetPlaced: _wagers_rightly,
    e.Raised: _wagers_rightly,
}


def _recorded(hand: Hand, event: Act | e.TimedOut) -> str:
    """The act as the record has it: `calls $2.00`."""
    verb = _VERBS[type(event)]
    if isinstance(event, e.BringInPosted | e.Called):
        return f"{verb} {amount_words(event.amount, _money(hand))}"
    if isinstance(event, e.Completed | e.BetPlaced | e.Raised):
        return f"{verb} {amount_words(event.to, _money(hand))}"
    return verb


_VERBS: dict[type[Act | e.TimedOut], str] = {
    e.BringInPosted: "brings in for",
    e.Called: "calls",
    e.Completed: "completes to",
    e.BetPlaced: "bets",
    e.Raised: "raises to",
    e.Checked: "checks",
    e.Folded: "folds",
    e.TimedOut: "times out",
}


def check_timed_out(hand: Hand, event: e.TimedOut) -> tuple[Finding, ...]:
    """Whose turn ran out, whether it had run out, and what the room's policy makes of it."""
    if hand.ran_out is not None:
        text = f"Seat {event.seat} times out while the time-out before has not taken effect."
        due = f"seat {hand.ran_out.seat}: {hand.ran_out.outcome}"
        return (object_to(hand, "C4", due, f"seat {event.seat} times out", text),)
    out_of_turn = _turn_finding(hand, event)
    if out_of_turn:
        return out_of_turn
    expected = timeout_outcome(hand, event.seat)
    if event.outcome == expected:
        return _clock_findings(hand, event)
    rule = "C2" if hand.started.house_rules.timeout_outcome == "all_in" else "C4"
    text = (
        f"Seat {event.seat} timed out and the record makes that {event.outcome}; "
        f"the house rule makes it {expected}."
    )
    return (object_to(hand, rule, expected, event.outcome, text), *_clock_findings(hand, event))


def _clock_findings(hand: Hand, event: e.TimedOut) -> tuple[Finding, ...]:
    early = too_soon(hand.started.house_rules.clock, event)
    if early is None:
        return ()
    text = f"Seat {event.seat} {early.why}."
    return (object_to(hand, "C1", early.expected, early.recorded, text),)


def _money(hand: Hand) -> e.Money:
    return hand.started.money
