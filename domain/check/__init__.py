"""What the rules object to in a fact that happened: nothing is refused, faults are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from domain import events as e
from domain.check.acts import check_act, check_timed_out
from domain.check.dealing import (
    check_ante,
    check_cards,
    check_community_card,
    check_opening,
    rightly_dealt,
)
from domain.check.finding import object_to
from domain.check.odd import check_odd_chips
from domain.check.payout import (
    check_missing_return,
    check_not_over,
    check_stacks,
    check_uncalled,
    check_void,
)
from domain.check.rake import check_missing_rake, check_rake
from domain.check.reasons import check_award_reason, check_opening_reason
from domain.check.showdown import check_mucked, check_shown
from domain.check.start import check_started
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.objections import object_to_awards
from domain.rules.streets import LAST_STREET

__all__ = ["Finding", "check"]

Findings = tuple[Finding, ...]


def check(hand: Hand | None, event: e.HandEvent) -> Findings:
    """Everything the rules object to in `event`, coming after the state `hand`.

    Never raises on a fact that `evolve` can apply. What the record does not show is no finding.
    """
    if hand is None:
        return check_started(event) if isinstance(event, e.HandStarted) else ()
    if hand.completed or hand.voided:
        late = _after_the_end(hand, event)
        if late:
            return late
    objects = _CHECKS.get(type(event))
    return () if objects is None else objects(hand, event)


def _cards(hand: Hand, event: e.CardsDealt) -> Findings:
    if rightly_dealt(hand, event):
        return ()
    return _missing_return(hand, event.street) + check_cards(hand, event)


def _community_card(hand: Hand, event: e.CommunityCardDealt) -> Findings:
    return (*_missing_return(hand, LAST_STREET), *check_community_card(hand, event))


def _rake(hand: Hand, event: e.RakeTaken) -> Findings:
    return (*_too_early(hand), *check_rake(hand, event))


def _opening(hand: Hand, event: e.BettingOpened) -> Findings:
    return check_opening(hand, event) or check_opening_reason(hand, event)


def _award(hand: Hand, event: e.PotAwarded) -> Findings:
    return (*_too_early(hand), *check_award_reason(hand, event), *check_odd_chips(hand, event))


def _completed(hand: Hand, event: e.HandCompleted) -> Findings:
    """The awards are judged when the last one is recorded, each at its own step."""
    awards = object_to_awards(hand)
    return (
        *_too_early(hand),
        *check_missing_rake(hand),
        *awards,
        *check_stacks(hand, event, awards),
    )


def _missing_return(hand: Hand, street: int) -> Findings:
    return check_missing_return(hand) if street > hand.betting.street > 0 else ()


def _too_early(hand: Hand) -> Findings:
    return check_not_over(hand) or check_missing_return(hand)


_CHECKS = cast(
    "dict[type[Any], Callable[[Hand, Any], Findings]]",
    {
        e.AntePosted: check_ante,
        e.BringInPosted: check_act,
        e.Called: check_act,
        e.Completed: check_act,
        e.BetPlaced: check_act,
        e.Raised: check_act,
        e.Checked: check_act,
        e.Folded: check_act,
        e.TimedOut: check_timed_out,
        e.CardsDealt: _cards,
        e.CommunityCardDealt: _community_card,
        e.BettingOpened: _opening,
        e.UncalledReturned: check_uncalled,
        e.CardsShown: check_shown,
        e.Mucked: check_mucked,
        e.RakeTaken: _rake,
        e.PotAwarded: _award,
        e.HandCompleted: _completed,
        e.HandVoided: check_void,
    },
)
"""Facts that move no chips or cards by a rule have no check."""

_ALLOWED_AFTER = (
    e.HandVoided | e.AwardCorrected | e.IncidentNoted | e.CardsShown | e.Mucked
    | e.PlayerDisconnected | e.PlayerReconnected
)  # fmt: skip


def _after_the_end(hand: Hand, event: e.HandEvent) -> Findings:
    if isinstance(event, _ALLOWED_AFTER):
        return ()
    what = e.tag_of(event)
    text = f"{what} is recorded after the hand was over."
    return (object_to(hand, "B9", "nothing more", what, text),)
