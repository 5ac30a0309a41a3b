"""What a hand pays at the end of another course (P0-P7, R1-R6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain import events as e
from domain.amounts import amount_words
from domain.hand import Hand
from domain.rules.odd_chips import divide
from domain.rules.payouts import Payout, Payouts, Prize, outcomes, payouts, won
from domain.rules.rake import attribute, rake_possible
from domain.rules.settlement import award, settle
from domain.schedules import is_raked
from domain.whatif.asking import Open
from domain.whatif.course import Course
from domain.whatif.record import with_known_cards
from domain.whatif.told import Told


def payout_is_touched(course: Course, then: Hand) -> bool:
    """Whether the change makes another payout of the same play than the rules did in `then`."""
    now = course.hand
    recorded = course.record.end.rake_taken
    ours = payouts(now, recorded if _as_recorded(now) else None)
    theirs = payouts(then, recorded if _as_recorded(then) else None)
    methods = (now.started.house_rules.rake_attribution, then.started.house_rules.rake_attribution)
    return (ours.charge, ours.payouts) != (theirs.charge, theirs.payouts) or len(set(methods)) > 1


def _as_recorded(hand: Hand) -> bool:
    return hand.started.house_rules.rake == "as_recorded"


def pay_out(course: Course) -> None:
    """Rake, awards and stacks; ends the course with what cannot be told of them."""
    course.hand = with_known_cards(course.hand, course.record.end)
    for mucked, step in _mucks(course):
        course.take(mucked, step)
    if course.started.source.kind == "dealt":
        _turn_up(course)
    rake = _rake(course)
    paid_out = payouts(course.hand, rake)
    if rake is not None:
        course.take(rake)
    for index in range(len(paid_out.payouts)):
        _pay_pot(course, paid_out, index)
    if not any(question.about == "pot" for question in course.open):
        stacks = tuple(e.SeatStack(seat=p.seat, stack=p.stack) for p in course.hand.seats)
        course.take(e.HandCompleted(stacks=stacks))


def _mucks(course: Course) -> Iterator[tuple[e.Mucked, int]]:
    """Hands given up in the record are given up again at a showdown of the same seats (P0)."""
    now = {player.seat for player in course.hand.still_in}
    then = {player.seat for player in course.record.end.still_in}
    if now != then or len(now) < 2:
        return
    for step, event in enumerate(course.record.events, 1):
        if isinstance(event, e.Mucked) and not course.hand.player(event.seat).mucked:
            yield event, step


def _turn_up(course: Course) -> None:
    """Hands still in are turned up at a showdown we deal (P0)."""
    hand = course.hand
    if len(hand.still_in) < 2:
        return
    for player in hand.clockwise():
        if player.still_in and not player.shown:
            course.take(e.CardsShown(seat=player.seat, cards=player.cards))


# -- rake ----------------------------------------------------------------------------------------


def _rake(course: Course) -> e.RakeTaken | None:
    """The schedule's, or the record's where it says what such a pot bears (R1-R6)."""
    hand = course.hand
    if not is_raked(hand.started):
        return None
    if not _as_recorded(hand) or not rake_possible(hand):
        return settle(hand).rake
    recorded, end = course.record.end.rake_taken, course.record.end
    pots, amounts = (_amounts(payouts(h)) for h in (end, hand))
    if recorded is None or sum(pots) != sum(amounts) or not rake_possible(end):
        _leave_rake_open(course, sum(amounts))
        return None
    if pots == amounts:
        borne = recorded.pots
    elif len(amounts) == 1:
        borne = (recorded.total,)
    else:
        _leave_rake_open(course, sum(amounts))
        return None
    taken = replace(recorded, pots=borne)
    method = hand.started.house_rules.rake_attribution
    shares = attribute(hand, taken.total, method, won(payouts(hand, taken)))
    return replace(taken, attribution=shares)


def _amounts(paid_out: Payouts) -> tuple[int, ...]:
    return tuple(payout.pot.amount for payout in paid_out.payouts)


def _leave_rake_open(course: Course, matched: int) -> None:
    pot = amount_words(matched, course.started.money)
    text = f"What rake a pot of {pot} bears here is not on record; the payouts are before rake."
    course.leave_open(Open(about="rake", seats=(), rule="R1", text=text))


# -- pots ----------------------------------------------------------------------------------------


def _pay_pot(course: Course, paid_out: Payouts, index: int) -> None:
    """The awards of one pot, as far as the cards or the record tell them."""
    payout, told = paid_out.payouts[index], Told(course.record)
    open_prizes = [prize for prize in payout.prizes if not prize.decided]
    if open_prizes:
        winner = told.takes_all(payout.contenders)
        if winner is not None:
            whole = replace(payout.prizes[0], half="whole", amount=payout.amount)
            course.take(_award(whole, (winner,), paid_out))
            return
    for prize in payout.prizes:
        if prize.amount or prize.decided:
            _pay_prize(course, paid_out, payout, prize)


def _pay_prize(course: Course, paid_out: Payouts, payout: Payout, prize: Prize) -> None:
    told = Told(course.record)
    if not prize.decided:
        winners = () if payout.split_open else told.winners(payout.contenders, prize.half)
        if not winners:
            course.leave_open(_open_pot(course, prize))
            return
        course.take(_award(prize, winners, paid_out))
        return
    fact = award(course.hand, prize, paid_out)
    if len(ways := outcomes(prize, prize.amount, chip=paid_out.chip)) > 1:
        shares = told.shares(payout.contenders, prize)
        if shares in ways:
            fact = replace(fact, shares=told.as_shares(payout.contenders, prize))
        else:
            course.leave_open(_open_odd_chip(prize))
    course.take(fact)


def _award(prize: Prize, winners: tuple[int, ...], paid_out: Payouts) -> e.PotAwarded:
    """The fact of a prize whose winners only the record tells."""
    return e.PotAwarded(
        pot=prize.pot,
        half=prize.half,
        amount=prize.amount,
        shares=divide(prize.amount, winners, chip=paid_out.chip),
        reason=e.Reason(rule=prize.rule, compared=()),
    )


def _open_pot(course: Course, prize: Prize) -> Open:
    name = "the main pot" if prize.pot == 0 else f"side pot {prize.pot}"
    part = name if prize.half == "whole" else f"the {prize.half} half of {name}"
    amount = amount_words(prize.amount, course.started.money)
    seats = tuple(sorted({*prize.winners, *prize.hidden}))
    who = " or ".join(f"seat {seat}" for seat in seats) or "nobody on record"
    text = f"Who wins {part} of {amount} is not known: not all cards are seen of {who}."
    return Open(about="pot", seats=seats, rule=prize.rule, text=text)


def _open_odd_chip(prize: Prize) -> Open:
    assert prize.odd is not None, "only odd chips go several ways"
    text = (
        "Which of the seats that tie gets the odd chip is not decided: "
        f"seat {prize.winners[0]} has it here."
    )
    return Open(about="odd_chip", seats=prize.winners, rule=prize.odd.rule, text=text)
