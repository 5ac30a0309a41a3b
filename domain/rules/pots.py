"""Main pot and side pots: who may win what of the money put in (P1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from domain.units import Chips, Seat


class Pot(msgspec.Struct, frozen=True):
    """One pot in minor units: `paid[s]` of it came from seat `s`, folded seats included.

    `claimants` may win it, in the order their seats were given.
    """

    amount: Chips
    claimants: tuple[Seat, ...]
    paid: dict[Seat, Chips]


def build_pots(paid: Mapping[Seat, Chips], live: Collection[Seat]) -> tuple[Pot, ...]:
    """Layer the money by the distinct totals of the seats still in, main pot first (P1).

    `paid` is what each seat has in the pot, returned bets already taken out (B8). Folded money
    falls into the layers it reaches; what lies above the highest live total joins the last.
    A pot with one claimant is a pot. Nothing paid makes no pot.

    >>> [(pot.amount, pot.claimants) for pot in build_pots({1: 100, 2: 300, 3: 300}, (1, 2, 3))]
    [(300, (1, 2, 3)), (400, (2, 3))]
    """
    tops = sorted({paid[seat] for seat in live} - {0}) or [0]
    tops[-1] = max(paid.values(), default=0)
    pots: list[Pot] = []
    below = 0
    for top in tops:
        layer = {seat: min(chips, top) - below for seat, chips in paid.items() if chips > below}
        if layer:
            claimants = tuple([seat for seat in live if paid[seat] > below])
            pots.append(Pot(sum(layer.values()), claimants or tuple(live), layer))
        below = top
    assert sum([pot.amount for pot in pots]) == sum(paid.values()), "pots hold all that was paid"
    return tuple(pots)
