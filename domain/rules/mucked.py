"""Mucked hands are not ranked, but one that would have won is worth a word (P0)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.hand import Hand
from domain.rules.payouts import Payout, recorded_payouts
from domain.rules.showdown import Ranked, Rankings, cards_of, is_known, rank_hands
from domain.units import Half, Seat


class WouldHaveWon(msgspec.Struct, frozen=True, kw_only=True):
    """A mucked hand that was the best for a pot or half, alone or (`shared`) with others."""

    seat: Seat
    pot: int
    half: Half
    shared: bool


def would_have_won(hand: Hand) -> tuple[WouldHaveWon, ...]:
    """Mucked hands whose cards are all seen and would have won or shared a pot (P0).

    Where somebody who showed has unseen cards, or nobody showed, nothing can be said.
    """
    mucked = {
        p.seat for p in hand.still_in if p.mucked and is_known(cards_of(hand, p))
    }  # fmt: skip
    if not mucked:
        return ()
    seen = (p for p in hand.clockwise() if p.still_in and (not p.mucked or p.seat in mucked))
    rankings = rank_hands(hand, seen)
    return tuple(
        missed
        for index, payout in enumerate(recorded_payouts(hand).payouts)
        for missed in _missed(index, payout, rankings, frozenset(mucked))
    )


def _missed(
    index: int, payout: Payout, rankings: Rankings, mucked: frozenset[Seat]
) -> Iterator[WouldHaveWon]:
    """What mucked claimants of one pot gave away."""
    rivals = [seat for seat in payout.pot.claimants if seat in mucked]
    if not rivals or not payout.contenders:
        return
    for half, ranked in _halves(rankings, [*payout.contenders, *rivals]):
        if ranked.unseen(payout.contenders):
            continue
        best = ranked.best([*payout.contenders, *rivals])
        for seat in best:
            if seat in mucked:
                yield WouldHaveWon(seat=seat, pot=index, half=half, shared=len(best) > 1)


def _halves(rankings: Rankings, seats: list[Seat]) -> Iterator[tuple[Half, Ranked]]:
    """The halves these seats would have played for; the whole pot where nobody has a low."""
    if rankings.low is None or not (rankings.low.best(seats) or rankings.low.unseen(seats)):
        yield "whole", rankings.high
        return
    yield "high", rankings.high
    yield "low", rankings.low
