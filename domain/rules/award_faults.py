"""Where one recorded award differs from what it should be: amount, winners, division (P0-P7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from domain.amounts import amount_words
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.award_words import hands_words, prize_words, sentence, shares_words
from domain.rules.odd_chips import divide, halves
from domain.rules.payouts import Payout, Prize, outcomes
from domain.units import Chips, Half, Seat

Shares = dict[Seat, Chips]
Reading = tuple[Prize, ...]
"""What one recorded award may stand for: one prize, or both halves of a pot in one."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded award, all lines for the same half of a pot added up; `step` of the last."""

    step: int
    pot: int
    half: Half
    amount: Chips
    shares: Shares

    @property
    def name(self) -> str:
        """What was awarded, in words."""
        return prize_words(self.pot, self.half)

    def objection(self, rule: str, expected: str, recorded: str, text: str) -> Finding:
        """An objection to this award; `text` becomes a sentence."""
        return Finding(
            step=self.step, rule=rule, expected=expected, recorded=recorded, text=sentence(text)
        )


def faults(hand: Hand, payout: Payout, given: Given, reading: Reading) -> Iterator[Finding]:
    """Where an award differs from one reading of it; each fault once."""
    yield from _amount(hand, given, reading)
    yield from faults_of_sharing(hand, payout, given, reading)


def faults_of_sharing(
    hand: Hand, payout: Payout, given: Given, reading: Reading
) -> Iterator[Finding]:
    """As `faults`, whatever the amount that is shared."""
    if sum(given.shares.values()) != given.amount:
        want, got = amount_words(given.amount, hand.started.money), shares_words(hand, given.shares)
        text = f"{given.name} of {want} is shared out as {got}"
        yield given.objection("P8", want, got, text)
        return
    yield from _winners(hand, payout, given, reading) or _division(hand, given, reading)


def _amount(hand: Hand, given: Given, reading: Reading) -> Iterator[Finding]:
    """Not the pot less its rake (P3), or not the half of it (P4)."""
    due = sum(prize.amount for prize in reading)
    if due != given.amount:
        money, half = hand.started.money, reading[0].half
        want, got = amount_words(due, money), amount_words(given.amount, money)
        text = f"{given.name} paid {got}; after rake it is {want}"
        rule = "P4" if len(reading) == 1 and half != "whole" else "P3"
        yield given.objection(rule, want, got, text)


def _winners(hand: Hand, payout: Payout, given: Given, reading: Reading) -> tuple[Finding, ...]:
    """Somebody was paid who did not win, or a winner was not (P0-P2, B9, G1-G3)."""
    seats = frozenset(given.shares)
    if len(reading) == 2:
        return _winners_of_both(hand, payout, given, reading)
    (prize,) = reading
    if _may_win(prize, seats, _chip(hand)):
        return ()
    want, got = _winners_words(hand, prize), hands_words(hand, prize.half, seats)
    text = f"{given.name} went to {got}; it belongs to {want}"
    return (given.objection(_why_not(hand, payout, prize, seats), want, got, text),)


def _chip(hand: Hand) -> Chips:
    return hand.started.stakes.chip_unit or 1


def _may_win(prize: Prize, seats: frozenset[Seat], chip: Chips) -> bool:
    """Whether exactly these seats may have won a prize, as far as the cards are seen.

    Of the hands seen all of the best win or none; unseen ones may win, tie or lose.
    """
    best = frozenset(prize.winners)
    if not seats:
        return prize.amount == 0
    possible = best.union(prize.hidden)
    if prize.amount < len(possible) * chip:
        # Fewer chips than winners leave some with nothing (P7).
        return seats <= possible
    all_or_none = best <= seats or not seats & best
    return all_or_none and seats <= possible


def _winners_of_both(
    hand: Hand, payout: Payout, given: Given, reading: Reading
) -> tuple[Finding, ...]:
    """One award for both halves: only winners of a half may be paid, and all of them (P2)."""
    seats = frozenset(given.shares)
    may = {seat for prize in reading for seat in (*prize.winners, *prize.hidden)}
    must = {
        seat
        for prize in reading
        for seat in prize.winners
        if prize.decided and prize.amount >= len(prize.winners) * _chip(hand)
    }
    if must <= seats <= may:
        return ()
    want = "; ".join(f"{prize.half} {_winners_words(hand, prize)}" for prize in reading)
    got = hands_words(hand, "high", seats)
    text = f"{given.name} went to {got}; it belongs to {want}"
    outsiders = seats - may
    rule = _why_not(hand, payout, reading[0], outsiders) if outsiders else "P2"
    return (given.objection(rule, want, got, text),)


def _winners_words(hand: Hand, prize: Prize) -> str:
    best = [hands_words(hand, prize.half, prize.winners)] if prize.winners else []
    unseen = [hands_words(hand, prize.half, (seat,)) for seat in prize.hidden]
    return " or ".join(best + unseen) or "nobody"


def _why_not(hand: Hand, payout: Payout, prize: Prize, seats: frozenset[Seat]) -> str:
    """The rule by which the first wrongly paid seat had no right to the prize."""
    for seat in sorted(seats.difference(prize.winners, prize.hidden)):
        if seat not in payout.pot.claimants:
            return "B9" if prize.rule == "B9" else "P1"
        if hand.player(seat).mucked:
            return "P0"
    # For want of a low the pot goes by rule G2, to whom is a question of the high hands.
    return "G1" if prize.rule == "G2" and prize.half == "whole" else prize.rule


def _division(hand: Hand, given: Given, reading: Reading) -> tuple[Finding, ...]:
    """The right winners, but not their equal shares or somebody else's odd chip (P4-P7)."""
    ways = _ways(given, reading, chip=hand.started.stakes.chip_unit or 1)
    if not ways or given.shares in ways:
        return ()
    ties = [prize.odd for prize in reading if prize.odd is not None]
    compared = [f"seat {c.seat} {c.words}" for odd in ties for c in odd.compared]
    why = f" ({', '.join(compared)})" if compared else ""
    want, got = shares_words(hand, ways[0]), shares_words(hand, given.shares)
    text = f"{given.name} is shared {got}; it is to be {want}{why}"
    equal = "P5" if hand.started.game == "stud" else "P4" if len(reading) == 2 else "P6"
    return (given.objection(ties[0].rule if ties else equal, want, got, text),)


def _ways(given: Given, reading: Reading, *, chip: Chips) -> list[Shares]:
    """Every right way to share the amount the record awards; none where that is open."""
    if len(reading) == 1:
        return _ways_of_one(given, reading[0], chip=chip)
    if not all(prize.decided for prize in reading):
        return []
    parts = zip(reading, halves(given.amount, chip=chip), strict=True)
    both = [outcomes(prize, part, chip=chip) for prize, part in parts]
    return [_merged(high, low) for high, low in product(*both)]


def _ways_of_one(given: Given, prize: Prize, *, chip: Chips) -> list[Shares]:
    """As `_ways` for a single prize: with unseen cards the recorded winners share equally."""
    if prize.decided:
        return outcomes(prize, given.amount, chip=chip)
    if not given.shares:
        return []
    equal = divide(given.amount, tuple(sorted(given.shares)), chip=chip)
    if sorted(share.amount for share in equal) == sorted(given.shares.values()):
        return []
    return [{share.seat: share.amount for share in equal}]


def _merged(one: Shares, other: Shares) -> Shares:
    return {seat: one.get(seat, 0) + other.get(seat, 0) for seat in one | other}
