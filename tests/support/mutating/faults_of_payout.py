"""Faults of pots, awards, odd chips, rake and stacks: how much, from what, to whom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from domain import events as e
from domain.hand import Hand
from domain.rules.payouts import payouts
from domain.rules.rake import attribute, fourth_street_dealt
from domain.rules.showdown import cards_of, is_known
from domain.schedules import row_for
from tests.support.mutating.clean import Clean
from tests.support.mutating.fault import (
    Facts,
    Fault,
    Makes,
    each,
    others,
    unit,
    with_its_stacks,
)

Made = Iterator[tuple[int, Facts]]


def to(award: Any, *seats: int) -> Any:
    """The award shared by these seats instead, as evenly as it goes."""
    each_gets, left = divmod(award.amount, len(seats))
    shares = [e.Share(seat=seat, amount=each_gets, odd=0) for seat in seats]
    shares[0] = replace(shares[0], amount=each_gets + left)
    return replace(award, shares=tuple(shares))


def of(award: Any, amount: int) -> Any:
    """The award to the same seats of another amount: the first one's share is another."""
    first, *rest = award.shares
    changed = replace(first, amount=first.amount + amount - award.amount)
    return replace(award, amount=amount, shares=(changed, *rest))


def wrong_pot(hand: Clean) -> Made:
    """An award from another pot, chips moved between pots, pots joined, a pot nobody made."""
    awards = list(each(hand, e.PotAwarded))
    for at, award, _, rest in awards:
        yield at, (replace(award, pot=award.pot + 1), *rest)
    for (at, award, before, rest), (later, other, _, _) in pairwise(awards):
        if award.pot != other.pot:
            chip, behind = unit(before), rest[later - at :]
            between = rest[: later - at - 1]
            if other.amount > chip:
                moved = (of(award, award.amount + chip), *between, of(other, other.amount - chip))
                yield at, (*moved, *behind)
            yield at, (of(award, award.amount + other.amount), *between, *behind)


def wrong_winner(hand: Clean) -> Made:
    """A pot or half to somebody else, to one more, or to one of several who tie."""
    for at, award, before, rest in each(hand, e.PotAwarded):
        won = [share.seat for share in award.shares]
        for seat in others(before, won[0]):
            if seat not in won and award.amount:
                yield at, (to(award, seat), *rest)
                yield at, (to(award, *won, seat), *rest)
        if len(won) > 1:
            yield from ((at, (to(award, seat), *rest)) for seat in won)


def wrong_half(hand: Clean) -> Made:
    """High's winners get low and low's get high, or one of them takes both."""
    for at, award, _, rest in each(hand, e.PotAwarded):
        low = rest[0] if rest else None
        if award.half != "high" or not isinstance(low, e.PotAwarded) or low.half != "low":
            continue
        high_won, low_won = (tuple(s.seat for s in a.shares) for a in (award, low))
        if high_won != low_won:
            yield at, (to(award, *low_won), to(low, *high_won), *rest[1:])
            yield at, (award, to(low, *high_won), *rest[1:])
            yield at, (to(award, *low_won), *rest)
            yield at, (of(award, award.amount + low.amount), *rest[1:])


def low_that_is_none(hand: Clean) -> Made:
    """Half a pot to a low though no hand qualifies, or the game has no low (G1, G2)."""
    for at, award, before, rest in each(hand, e.PotAwarded):
        prizes = payouts(before, before.rake_taken).payouts
        contested = len(prizes[award.pot].contenders) > 1
        if award.half == "whole" and contested and award.amount > 1:
            low, _ = divmod(award.amount, 2)
            high = replace(of(award, award.amount - low), half="high")
            for seat in prizes[award.pot].contenders:
                other = to(replace(award, half="low", amount=low), seat)
                yield at, (high, other, *rest)


def wrong_odd_chip(hand: Clean) -> Made:
    """A chip from one who ties to another, or from the high half to the low one."""
    for at, award, before, rest in each(hand, e.PotAwarded):
        odd = [share for share in award.shares if share.odd]
        even = [share for share in award.shares if not share.odd]
        for first in odd:
            for second in even:
                given = {first.seat: -first.odd, second.seat: first.odd}
                yield at, (_moved(award, given), *rest)
        low = rest[0] if rest else None
        if award.half == "high" and isinstance(low, e.PotAwarded) and low.half == "low":
            chip = unit(before)
            if award.amount > chip:
                yield at, (of(award, award.amount - chip), of(low, low.amount + chip), *rest[1:])


def _moved(award: Any, given: dict[int, int]) -> Any:
    """Odd chips at other seats, and called odd there."""
    shares = tuple(
        replace(share, amount=share.amount + by, odd=max(share.odd + by, 0))
        for share in award.shares
        for by in [given.get(share.seat, 0)]
    )
    return replace(award, shares=shares)


def called_odd(hand: Clean) -> Made:
    """The right shares, but other chips of them are called odd."""
    for at, award, before, rest in each(hand, e.PotAwarded):
        for place, share in enumerate(award.shares):
            odd = 0 if share.odd else unit(before)
            shares = list(award.shares)
            shares[place] = replace(share, odd=odd)
            yield at, (replace(award, shares=tuple(shares)), *rest)


def _raked(before: Hand, rake: Any, total: int) -> Any:
    """The same rake with another total, from the main pot and borne as the method says."""
    method = rake.attribution.method
    pots = (total - sum(rake.pots[1:]), *rake.pots[1:])
    return replace(rake, total=total, pots=pots, attribution=attribute(before, total, method, {}))


def wrong_rake(hand: Clean) -> Made:
    """Another total, row or step than the schedule's."""
    for at, rake, before, rest in each(hand, e.RakeTaken):
        if before.started.house_rules.rake == "schedule":
            for by in (25, -25):
                if rake.total + by >= sum(rake.pots[1:]) and rake.total + by <= before.pot:
                    yield at, (_raked(before, rake, rake.total + by), *rest)
            yield at, (replace(rake, row="another row"), *rest)
            yield at, (replace(rake, step="another step"), *rest)


def rake_from_the_wrong_pot(hand: Clean) -> Made:
    """A cent of rake moved between pots, or another number of pots (R5)."""
    for at, rake, before, rest in each(hand, e.RakeTaken):
        yield at, (replace(rake, pots=(*rake.pots, 0)), *rest)
        scheduled = before.started.house_rules.rake == "schedule"
        for place, amount in enumerate(rake.pots[1:] if scheduled else (), 1):
            for by in (1, -1):
                if amount + by >= 0 and rake.pots[0] - by >= 0:
                    pots = (rake.pots[0] - by, *rake.pots[1:place], amount + by)
                    yield at, (replace(rake, pots=(*pots, *rake.pots[place + 1 :])), *rest)


def rake_not_due(hand: Clean) -> Made:
    """Rake of play money, without fourth street, or of chips that went back (R1, R2, R4, B8)."""
    for at, rake, before, rest in each(hand, e.RakeTaken):
        if not fourth_street_dealt(before) and before.pot:
            yield at, (_raked(before, rake, 1), *rest)
        if isinstance(hand.events[at - 1], e.UncalledReturned):
            yield at - 1, (rake, hand.events[at - 1], *rest)
        found = row_for(before.started)
        returned = sum(x.amount for x in hand.events if isinstance(x, e.UncalledReturned))
        if found and found[1].rake(before.pot + returned) > rake.total > 0:
            yield at, (_raked(before, rake, found[1].rake(before.pot + returned)), *rest)
    for at, award, before, rest in each(hand, e.PotAwarded):
        if before.started.money.kind != "real" and not before.awards:
            shares = e.Attribution(method="weighted", version=1, shares=())
            rake = e.RakeTaken(total=1, pots=(1,), row=None, step=None, attribution=shares)
            yield at, (_raked(before, rake, 1), award, *rest)


def rake_borne_wrongly(hand: Clean) -> Made:
    """A cent of rake attributed to another seat, or another method named (R6)."""
    for at, rake, _, rest in each(hand, e.RakeTaken):
        for place, share in enumerate(rake.attribution.shares):
            for by in (1, -1):
                if share.amount + by >= 0:
                    shares = list(rake.attribution.shares)
                    shares[place] = replace(share, amount=share.amount + by)
                    borne = replace(rake.attribution, shares=tuple(shares))
                    yield at, (replace(rake, attribution=borne), *rest)
        for method in ("dealt", "contributed", "winner"):
            if method != rake.attribution.method:
                yield (
                    at,
                    (
                        replace(rake, attribution=replace(rake.attribution, method=method)),
                        *rest,
                    ),
                )


def falls_short(hand: Clean) -> Made:
    """An award left out, or a chip of one that nobody gets."""
    for at, award, before, rest in each(hand, e.PotAwarded):
        yield at, rest
        if award.amount > unit(before) <= award.shares[0].amount:
            yield at, (of(award, award.amount - unit(before)), *rest)


def wrong_stack(hand: Clean) -> Made:
    """A stack after the hand that the chips do not add up to, or none, or two."""
    for at, event, before, rest in each(hand, e.HandCompleted):
        for place, stack in enumerate(event.stacks):
            stacks = list(event.stacks)
            for chips in {stack.stack + unit(before), max(stack.stack - unit(before), 0)}:
                stacks[place] = replace(stack, stack=chips)
                if chips != stack.stack:
                    yield at, (replace(event, stacks=tuple(stacks)), *rest)
            less = (*event.stacks[:place], *event.stacks[place + 1 :])
            yield at, (replace(event, stacks=less), *rest)
            yield at, (replace(event, stacks=(*event.stacks, stack)), *rest)


def winner_who_mucks(hand: Clean) -> Made:
    """The best hand is given up, all its cards known, and the next best is paid (P0)."""
    for at, event, before, rest in each(hand, e.CardsShown):
        main = payouts(before).payouts[0]
        won = any(event.seat in prize.winners for prize in main.prizes)
        left = [seat for seat in main.contenders if seat != event.seat and _shows(hand.end, seat)]
        if won and left and is_known(cards_of(before, before.player(event.seat))):
            given = [to(x, left[0]) if isinstance(x, e.PotAwarded) else x for x in rest]
            yield at, (e.Mucked(seat=event.seat), *given)


def _shows(end: Hand, seat: int) -> bool:
    player = end.player(seat)
    return not player.mucked and is_known(cards_of(end, player))


def reason_of_other_cards(hand: Clean) -> Made:
    """Cards compared that the seat does not have."""
    for at, event, _, rest in each(hand, e.PotAwarded, e.BettingOpened):
        for place, one in enumerate(event.reason.compared):
            for other in event.reason.compared:
                if other.seat != one.seat and not set(other.cards) <= set(one.cards):
                    compared = list(event.reason.compared)
                    compared[place] = replace(one, cards=other.cards)
                    reason = replace(event.reason, compared=tuple(compared))
                    yield at, (replace(event, reason=reason), *rest)


def _fault(name: str, rules: str, make: Makes) -> Fault:
    return Fault(name, frozenset(rules.split()), make)


def _well_told(make: Makes) -> Makes:
    """The same faults with the stacks that follow from them, so that only the fault is wrong."""

    def told(hand: Clean) -> Made:
        for at, tail in make(hand):
            yield at, with_its_stacks(hand, at, tail)

    return told


AWARD = "G1 G2 G3 B9 P0 P1 P2 P3 P4 P5 P6"
FAULTS_OF_PAYOUT = (
    _fault("wrong pot or side pot", "P1 P2 P3 P4", _well_told(wrong_pot)),
    _fault("wrong winner", AWARD, _well_told(wrong_winner)),
    _fault("wrong half", AWARD, _well_told(wrong_half)),
    _fault("low that does not qualify", "G1 G2", _well_told(low_that_is_none)),
    _fault("odd chip to the wrong seat or half", "P4 P5 P6", _well_told(wrong_odd_chip)),
    _fault("chips wrongly called odd", "P5 P6", called_odd),
    _fault("rake the schedule does not give", "R2", wrong_rake),
    _fault("rake from the wrong pot", "R5", rake_from_the_wrong_pot),
    _fault("rake that is not due", "R1 R2 R4 B8", rake_not_due),
    _fault("rake borne by the wrong seats", "R6", rake_borne_wrongly),
    _fault("payouts that fall short", "P2 P3 P4 P8", _well_told(falls_short)),
    _fault("stack that does not add up", "P8", wrong_stack),
    _fault("winning hand given up", "P0", _well_told(winner_who_mucks)),
    _fault("compared cards the seat does not have", AWARD + " S3 B1", reason_of_other_cards),
)
