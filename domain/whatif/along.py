"""Along the record: what the change does not touch stands as it was told."""

from __future__ import annotations

from domain import events as e
from domain.check import check
from domain.consequences import cards_due
from domain.hand import Hand
from domain.rules.turn import hand_over
from domain.whatif.course import Course, burns_differ, opening, return_due
from domain.whatif.paying import payout_is_touched
from domain.whatif.record import DECISIONS, RULINGS

PAYOUT = (e.RakeTaken, e.PotAwarded, e.HandCompleted)


def go_along(course: Course, place: int) -> int:
    """Take the facts of the record from `place` on as long as the change does not touch them.

    Answers the place of the first fact that was not taken.
    """
    events = course.record.events
    while place < len(events) and not course.over and not course.apart:
        if isinstance(events[place], RULINGS) or _touched(course, place):
            break
        course.take(events[place], place + 1)
        place += 1
    return place


def _touched(course: Course, place: int) -> bool:
    """Whether the next fact of the record cannot come like this; then the course is apart."""
    event, then = course.record.events[place], course.record.at(place)
    if return_due(course.hand) != return_due(then):
        course.apart = True
    elif isinstance(event, DECISIONS):
        _decision(course, place, event, then)
    elif isinstance(event, e.BettingOpened):
        _opening(course, then)
    elif isinstance(event, e.CardsDealt | e.CommunityCardDealt):
        moved = isinstance(event, e.CommunityCardDealt) or event.street > 3
        course.apart = cards_due(course.hand) != cards_due(then) or (moved and burns_differ(course))
    elif isinstance(event, PAYOUT) and hand_over(then) and not then.collected:
        course.apart = payout_is_touched(course, then)
    return course.apart


def _decision(course: Course, place: int, event: e.HandEvent, then: Hand) -> None:
    """A decision stands unless a rule objects to it that did not object in the record."""
    before = {finding.rule for finding in check(then, event)}
    if any(finding.rule not in before for finding in check(course.hand, event)):
        course.apart = True
    elif not course.standing_as(then) and then.ran_out is None:
        course.repeated.append(place + 1)


def _opening(course: Course, then: Hand) -> None:
    """A recorded opening stands where the change names no other opener."""
    now, before = opening(course.hand), opening(then)
    if now is None or before is None:
        return
    same = (now.opener, now.double_bet) == (before.opener, before.double_bet)
    course.apart = not same
