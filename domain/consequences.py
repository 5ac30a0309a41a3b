"""What follows by itself: antes, the opening of a street, returned chips, showdown, payout."""

from __future__ import annotations

from domain import events as e
from domain.hand import Hand
from domain.rules.betting import uncalled
from domain.rules.openers import leaders, why_opens
from domain.rules.settlement import settle
from domain.rules.streets import LAST_STREET, Due, due_on
from domain.rules.turn import hand_over, street_over, turn


def consequences(hand: Hand) -> tuple[e.HandEvent, ...]:
    """The facts a dealer must add now without being asked; none where cards or a player are due."""
    if hand.completed or hand.voided:
        return ()
    if hand.betting.street == 0:
        return _antes(hand)
    if turn(hand):
        settled = hand.betting.opened is not None or not leaders(hand)
        return () if settled else (_opening(hand),)
    if not street_over(hand):
        return ()
    unmatched = uncalled(hand)
    if unmatched is not None:
        return (e.UncalledReturned(seat=unmatched[0], amount=unmatched[1]),)
    return _payout(hand) if hand_over(hand) else ()


def cards_due(hand: Hand) -> Due | None:
    """The cards to deal now, or None if betting, a consequence or nothing more is due (G5, G6)."""
    if hand.completed or hand.voided or consequences(hand):
        return None
    if hand.betting.street == 0:
        return due_on(hand, 3)
    if not street_over(hand) or hand.betting.street == LAST_STREET:
        return None
    return due_on(hand, hand.betting.street + 1)


def _antes(hand: Hand) -> tuple[e.HandEvent, ...]:
    """Everyone dealt in antes, clockwise; a short ante is all-in (S1, S2)."""
    ante = hand.started.stakes.ante
    if ante == 0:
        return ()
    return tuple(
        e.AntePosted(seat=p.seat, amount=min(ante, p.stack), all_in=p.stack <= ante)
        for p in hand.clockwise()
        if not p.anted
    )


def _opening(hand: Hand) -> e.BettingOpened:
    return e.BettingOpened(
        street=hand.betting.street,
        opener=leaders(hand)[0],
        reason=why_opens(hand),
        double_bet=hand.betting.double_bet,
    )


def _payout(hand: Hand) -> tuple[e.HandEvent, ...]:
    """Hands turned up clockwise, rake, awards, stacks (P0, P3, B9)."""
    settlement = settle(hand)
    shown = (
        ()
        if len(hand.still_in) < 2
        else tuple(e.CardsShown(seat=p.seat, cards=p.cards) for p in hand.clockwise() if p.still_in)
    )
    rake = () if settlement.rake is None else (settlement.rake,)
    won = {p.seat: 0 for p in hand.seats}
    for award in settlement.awards:
        for share in award.shares:
            won[share.seat] += share.amount
    stacks = tuple(e.SeatStack(seat=p.seat, stack=p.stack + won[p.seat]) for p in hand.seats)
    return (*shown, *rake, *settlement.awards, e.HandCompleted(stacks=stacks))
