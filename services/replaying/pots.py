"""What lies in which pot at any moment of a hand, also while bets are being made (P1)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.hand import Hand
from domain.rules.pots import build_pots
from domain.rules.turn import hand_over
from domain.units import Chips, Seat


class PotNow(msgspec.Struct, frozen=True, kw_only=True):
    """A pot as it lies on the table: chips still in it, in minor units, and who may win it."""

    pot: int
    name: str
    amount: Chips
    claimants: tuple[Seat, ...]


def pot_name(index: int) -> str:
    """A pot as the dealer calls it.

    >>> pot_name(0), pot_name(2)
    ('main pot', 'side pot 2')
    """
    return "main pot" if index == 0 else f"side pot {index}"


def pots_now(hand: Hand) -> tuple[PotNow, ...]:
    """The pots with chips in them, main pot first; their amounts add up to `hand.pot`.

    Only a player who can put in no more (all-in, timed out) closes a layer; one who is yet to
    match a bet still has a claim to it.
    """
    if not hand.pot:
        return ()
    layers = _final(hand) if hand_over(hand) or hand.collected else _provisional(hand)
    left = _left([amount for amount, _ in layers], hand)
    assert sum(left) == hand.pot, "the pots hold what is in the middle"
    return tuple(
        PotNow(pot=index, name=pot_name(index), amount=amount, claimants=claimants)
        for index, (amount, (_, claimants)) in enumerate(zip(left, layers, strict=True))
        if amount
    )


def _final(hand: Hand) -> list[tuple[Chips, tuple[Seat, ...]]]:
    """The pots as they are paid out, before rake and awards."""
    clockwise = hand.clockwise()
    live = tuple(player.seat for player in clockwise if player.still_in)
    pots = build_pots({player.seat: player.paid for player in clockwise}, live)
    return [(pot.amount, pot.claimants) for pot in pots]


def _provisional(hand: Hand) -> list[tuple[Chips, tuple[Seat, ...]]]:
    """Everything paid in so far, by layer, while players may still put in more."""
    live = tuple(player for player in hand.clockwise() if player.still_in)
    tops = sorted({p.paid for p in live if p.status != "active"} - {0}) or [0]
    most = max(player.paid for player in hand.seats)
    if any(p.status == "active" for p in live):
        tops.append(most)
    tops[-1] = most
    layers, below = [], 0
    for top in tops:
        amount = sum(max(min(player.paid, top) - below, 0) for player in hand.seats)
        claimants = tuple(p.seat for p in live if p.paid > below or p.status == "active")
        if amount:
            layers.append((amount, claimants or tuple(p.seat for p in live)))
        below = top
    return layers


def _left(amounts: Sequence[Chips], hand: Hand) -> list[Chips]:
    """What is left of these pots after the rake and awards so far.

    Where the record's figures do not fit the pots, what was paid out comes from the main pot
    first.
    """
    left = list(amounts)
    taken = list(hand.rake_taken.pots) if hand.rake_taken else []
    for index, rake in enumerate(taken[: len(left)]):
        left[index] -= rake
    for record in hand.awards:
        if 0 <= record.award.pot < len(left):
            left[record.award.pot] -= record.award.amount
    if min(left) >= 0 and sum(left) == hand.pot:
        return left
    return _drained(amounts, hand.collected)


def _drained(amounts: Sequence[Chips], collected: Chips) -> list[Chips]:
    left = []
    for amount in amounts:
        out = min(amount, collected)
        collected -= out
        left.append(amount - out)
    return left
