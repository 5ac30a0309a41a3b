"""Apart from the record: what follows by rule, and decisions made again as long as they can be."""

from __future__ import annotations

from collections import deque

from domain import events as e
from domain.consequences import cards_due
from domain.rederiving import timeless
from domain.rules.streets import Due
from domain.rules.turn import hand_over, street_over, turn
from domain.whatif.asking import Open
from domain.whatif.course import Course, burns_differ, opening, return_due
from domain.whatif.paying import pay_out
from domain.whatif.record import DecisionEvent
from domain.whatif.repeating import repeated, why_not_again


def go_apart(course: Course, place: int) -> None:
    """Go on to the end, or to what the record does not tell; decisions from `place` on are left.

    Cards are those of the record as long as the same seats get them.
    """
    left = deque(p for p in course.record.decisions() if p >= place)
    while not course.over:
        back = return_due(course.hand)
        if back is not None:
            course.take(e.UncalledReturned(seat=back[0], amount=back[1]))
        elif hand_over(course.hand):
            pay_out(course)
        elif street_over(course.hand):
            _deal(course)
        elif turn(course.hand):
            _decide(course, left)
        else:
            course.leave_open(_no_cards(course, max(course.hand.betting.street, 3)))


def _decide(course: Course, left: deque[int]) -> None:
    """The next decision, if the record has one for whoever is to act."""
    opens = opening(course.hand)
    if opens is not None and course.record.started.source.kind == "dealt":
        course.take(opens)
        return
    place = _next_of(course, left)
    if place is None:
        course.leave_turn_open("the record does not tell what he would do")
        return
    event, then = _decision_at(course, place), course.record.at(place)
    facts = repeated(course.hand, then, event)
    if facts is None:
        course.leave_turn_open(why_not_again(course.hand, then, event))
        return
    left.popleft()
    course.repeated.append(place + 1)
    told = course.record.events[place : place + len(facts)]
    for offset, fact in enumerate(facts):
        same = offset < len(told) and timeless(fact) == timeless(told[offset])
        course.take(fact, place + 1 + offset if same else None)


def _next_of(course: Course, left: deque[int]) -> int | None:
    """The place of the next decision of the record that may be made again now.

    Decisions of earlier streets, and of seats that can no longer act, do not come about.
    """
    street = course.hand.betting.street
    able = {player.seat for player in course.hand.active}
    while left:
        place = left[0]
        made_on = course.record.at(place).betting.street
        if made_on > street:
            return None
        seat = _decision_at(course, place).seat
        if made_on == street and seat in able:
            return place if seat in turn(course.hand) else None
        left.popleft()
    return None


def _decision_at(course: Course, place: int) -> DecisionEvent:
    event = course.record.events[place]
    assert isinstance(event, DecisionEvent), "only decisions are left"
    return event


def _deal(course: Course) -> None:
    """The next street, if its cards would have been the same."""
    due = cards_due(course.hand)
    assert due is not None, "a street is over, and the hand is not"
    facts = _recorded_deal(course, due)
    if facts is None:
        course.leave_open(_no_cards(course, due.street, due))
        return
    for source, fact in facts:
        course.take(fact, source)


def _recorded_deal(course: Course, due: Due) -> list[tuple[int, e.HandEvent]] | None:
    """The deal of the record, with its steps, if the same seats get their next cards in it."""
    if burns_differ(course):
        return None
    dealt = [
        (step, event)
        for step, event in enumerate(course.record.events, 1)
        if (isinstance(event, e.CardsDealt) and event.street == due.street)
        or (isinstance(event, e.CommunityCardDealt) and due.street == 7)
    ]
    seats = {event.seat for _, event in dealt if isinstance(event, e.CardsDealt)}
    if not dealt or seats != set(due.seats):
        return None
    return list(dealt)


def _no_cards(course: Course, street: int, due: Due | None = None) -> Open:
    """Why the next cards cannot be told (G5, G6)."""
    seats = () if due is None else due.seats
    on_record = course.record.end.betting.street >= street
    if burns_differ(course):
        why = "a burnt card before each street moves every card after it"
    elif on_record:
        why = "other seats are dealt in than in the record, so every card would go elsewhere"
    else:
        why = "they were never dealt"
    return Open(
        about="cards",
        seats=seats,
        rule="G6" if due is not None and due.community else "G5",
        text=f"The cards of street {street} are not known: {why}.",
    )
