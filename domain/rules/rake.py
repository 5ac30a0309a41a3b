"""The house's commission: whether it is due, how much, from which pot and from whom (R1-R6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from domain.amounts import amount_words
from domain.errors import BadTable
from domain.events import Attribution, RakeTaken, SeatAmount
from domain.hand import Hand
from domain.schedules import is_raked, row_for
from domain.units import AttributionMethod, Chips, Seat

ATTRIBUTION_VERSION = 1
FOURTH_STREET = 4


class Charge(msgspec.Struct, frozen=True):
    """The rake of a hand in minor units, per pot main first; row and step say why."""

    pots: tuple[Chips, ...]
    row: str | None = None
    step: str | None = None

    @property
    def total(self) -> Chips:
        """What the house takes altogether."""
        return sum(self.pots)


def fourth_street_dealt(hand: Hand) -> bool:
    """Whether anybody was dealt his fourth card (R4)."""
    return hand.betting.street >= FOURTH_STREET or any(len(p.up) > 1 for p in hand.seats)


def rake_possible(hand: Hand) -> bool:
    """Whether this hand bears rake whatever its pots: real money, fourth street dealt (R1, R4)."""
    if not is_raked(hand.started):
        return False
    return hand.started.house_rules.rake_third_street or fourth_street_dealt(hand)


def rake_due(hand: Hand, amounts: Sequence[Chips]) -> Charge | None:
    """What the table's schedule takes from pots of these `amounts`, main first (R2, R4, R5).

    None where no schedule decides: no real money, or the recorded rake is the fact. Raises
    `BadTable` (R3) where the schedule has no place for the table.
    """
    found = row_for(hand.started)
    if found is None:
        return None
    band, row = found
    money = hand.started.money
    if not rake_possible(hand):
        step = f"ended before fourth street: {amount_words(0, money)}"
        return Charge((0,) * len(amounts), band.row_words(row), step)
    reached = row.step(sum(amounts))
    if reached is None:
        step = f"pot under {amount_words(row.steps[0].pot, money)}: {amount_words(0, money)}"
        return Charge((0,) * len(amounts), band.row_words(row), step)
    return Charge(bear(amounts, row.rake), band.row_words(row), reached.words(money))


def bear(amounts: Sequence[Chips], rake_of: Callable[[Chips], Chips]) -> tuple[Chips, ...]:
    """Spread the rake of the whole over pots of these `amounts`, main first (R5).

    Each pot bears what its money adds to `rake_of` as pots are stacked; what a pot cannot bear
    comes from the one before.

    >>> bear((1950, 60), lambda pot: 100 if pot >= 2000 else 0)
    (40, 60)
    """
    stacked = taken = 0
    adds: list[Chips] = []
    for amount in amounts:
        stacked += amount
        adds.append(rake_of(stacked) - taken)
        taken += adds[-1]
    borne: list[Chips] = []
    over = 0
    for amount, added in zip(reversed(amounts), reversed(adds), strict=True):
        borne.append(min(amount, added + over))
        over += added - borne[-1]
    assert over == 0, "the rake is never more than the pot"
    return tuple(reversed(borne))


def fitted(recorded: RakeTaken, amounts: Sequence[Chips]) -> Charge:
    """The recorded rake as these pots bore it.

    Where the record's figures per pot do not fit the pots, its total comes out of them main
    first, so that the awards can still be judged.
    """
    pots = recorded.pots
    if len(pots) == len(amounts) and all(
        rake <= amount for rake, amount in zip(pots, amounts, strict=True)
    ):
        return Charge(pots, recorded.row, recorded.step)
    left = min(recorded.total, sum(amounts))
    borne: list[Chips] = []
    for amount in amounts:
        borne.append(min(amount, left))
        left -= borne[-1]
    return Charge(tuple(borne), recorded.row, recorded.step)


def expected_rake(
    hand: Hand, amounts: Sequence[Chips], recorded: RakeTaken | None = None
) -> Charge:
    """The rake that pots of these `amounts` bear: the recorded one where there is one (R1).

    Otherwise the schedule's; nothing where the schedule has no place for the table (R3) or
    where the rake would be as recorded and nothing is.
    """
    if recorded is not None:
        return fitted(recorded, amounts)
    try:
        due = rake_due(hand, amounts)
    except BadTable:
        due = None
    return due or Charge((0,) * len(amounts))


def attribute(
    hand: Hand, total: Chips, method: AttributionMethod, won: Mapping[Seat, Chips]
) -> Attribution:
    """Who bears `total`, by one of the four methods; every seat dealt in has a share (R6).

    `won` is what each seat was awarded. Rounded by largest remainder, ties clockwise from the
    dealer.
    """
    shares = borne_by(hand, total, method, won)
    return Attribution(
        method=method,
        version=ATTRIBUTION_VERSION,
        shares=tuple([SeatAmount(seat=p.seat, amount=shares[p.seat]) for p in hand.seats]),
    )


def borne_by(
    hand: Hand, total: Chips, method: AttributionMethod, won: Mapping[Seat, Chips]
) -> dict[Seat, Chips]:
    """As `attribute`: what each seat bears, clockwise from the dealer."""
    weights = _weights(hand, method, won)
    return largest_remainder(total, [(p.seat, weights[p.seat]) for p in hand.clockwise()])


def _weights(hand: Hand, method: AttributionMethod, won: Mapping[Seat, Chips]) -> dict[Seat, Chips]:
    """What each seat's share of the rake is in proportion to."""
    match method:
        case "dealt":
            return {p.seat: 1 for p in hand.seats}
        case "contributed":
            return {p.seat: int(p.paid > 0) for p in hand.seats}
        case "weighted":
            return {p.seat: p.paid for p in hand.seats}
        case "winner":
            return {p.seat: won.get(p.seat, 0) for p in hand.seats}


def largest_remainder(total: Chips, weights: Sequence[tuple[Seat, Chips]]) -> dict[Seat, Chips]:
    """Split `total` in proportion to `weights`; the units left go to the largest remainders.

    Equal remainders go in the order given. Weights that are all zero count as equal.

    >>> largest_remainder(200, [(1, 2010), (2, 1003), (3, 2010), (4, 301)])
    {1: 76, 2: 38, 3: 75, 4: 11}
    """
    whole = sum([weight for _, weight in weights])
    if whole == 0:
        weights, whole = [(seat, 1) for seat, _ in weights], len(weights)
    parts = {seat: divmod(total * weight, whole) for seat, weight in weights}
    left = total - sum([share for share, _ in parts.values()])
    lucky = sorted(parts, key=lambda seat: -parts[seat][1])[:left]
    shares = {seat: share + (seat in lucky) for seat, (share, _) in parts.items()}
    assert sum(shares.values()) == total, "the shares are the rake"
    return shares
