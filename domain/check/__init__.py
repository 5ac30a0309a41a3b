"""What the rules object to in a fact that happened: nothing is refused, faults are named."""

from __future__ import annotations

from msgspec import convert

from domain import events as e
from domain.check.acts import check_act, check_timed_out
from domain.check.dealing import (
    check_ante,
    check_cards,
    check_community_card,
    check_missing_cards,
    check_opening,
    check_showdown,
)
from domain.check.finding import Finding, object_to
from domain.check.payout import (
    check_missing_return,
    check_not_over,
    check_stacks,
    check_uncalled,
    check_void,
)
from domain.check.rake import check_rake
from domain.check.start import check_started
from domain.hand import Hand
from domain.rules.objections import object_to_awards

__all__ = ["Finding", "check"]

Findings = tuple[Finding, ...]


def check(hand: Hand | None, event: e.HandEvent) -> Findings:
    """Everything the rules object to in `event`, coming after the state `hand`.

    Never raises on a fact that `evolve` can apply. What the record does not show is no finding.
    """
    if hand is None:
        return check_started(event) if isinstance(event, e.HandStarted) else ()
    return _after_the_end(hand, event) or _by_kind(hand, event)


def _by_kind(hand: Hand, event: e.HandEvent) -> Findings:
    match event:
        case (
            e.BringInPosted() | e.Called() | e.Completed() | e.BetPlaced() | e.Raised()
            | e.Checked() | e.Folded()
        ):  # fmt: skip
            return check_missing_cards(hand) or check_act(hand, event)
        case e.CardsDealt():
            return (*_missing_return(hand, event.street), *check_cards(hand, event))
        case e.UncalledReturned():
            return check_uncalled(hand, event)
        case e.TimedOut():
            return check_timed_out(hand, event)
    return _by_rarer_kind(hand, event)


def _by_rarer_kind(hand: Hand, event: e.HandEvent) -> Findings:
    match event:
        case e.AntePosted():
            return check_ante(hand, event)
        case e.CommunityCardDealt():
            return (*_missing_return(hand, 7), *check_community_card(hand, event))
        case e.BettingOpened():
            return check_opening(hand, event)
        case e.Mucked():
            return check_showdown(hand, event)
        case e.HandVoided():
            return check_void(hand, event)
    return _by_payout(hand, event)


def _by_payout(hand: Hand, event: e.HandEvent) -> Findings:
    match event:
        case e.RakeTaken():
            return (*_too_early(hand), *check_rake(hand, event))
        case e.PotAwarded():
            return _too_early(hand)
        case e.HandCompleted():
            return (*_too_early(hand), *_awards(hand), *check_stacks(hand, event))
    return ()


def _awards(hand: Hand) -> Findings:
    """The awards are judged when the last one is recorded, each at its own step."""
    return tuple(convert(found, Finding, from_attributes=True) for found in object_to_awards(hand))


def _missing_return(hand: Hand, street: int) -> Findings:
    return check_missing_return(hand) if street > hand.betting.street > 0 else ()


def _too_early(hand: Hand) -> Findings:
    return check_not_over(hand) or check_missing_return(hand)


_ALLOWED_AFTER = (
    e.HandVoided | e.AwardCorrected | e.IncidentNoted | e.CardsShown | e.Mucked
    | e.PlayerDisconnected | e.PlayerReconnected
)  # fmt: skip


def _after_the_end(hand: Hand, event: e.HandEvent) -> Findings:
    if not (hand.completed or hand.voided) or isinstance(event, _ALLOWED_AFTER):
        return ()
    what = e.tag_of(event)
    text = f"{what} is recorded after the hand was over."
    return (object_to(hand, "B9", "nothing more", what, text),)
