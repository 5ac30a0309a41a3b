"""Where the disc goes: one occupied seat clockwise from hand to hand (G5)."""

from __future__ import annotations

from collections.abc import Collection

from domain.units import Seat


def next_dealer(disc: Seat, occupied: Collection[Seat]) -> Seat:
    """Who is dealer after `disc`, whose seat may have been left meanwhile (G5).

    `occupied` are the seats that will be dealt in.

    >>> next_dealer(4, (2, 4, 7)), next_dealer(7, (2, 4, 7)), next_dealer(5, (2, 4, 7))
    (7, 2, 7)
    """
    assert occupied, "somebody is dealt in"
    after = [seat for seat in occupied if seat > disc]
    return min(after or occupied)
