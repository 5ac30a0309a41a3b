"""What a record says was paid, as rake and awards: amounts as printed, reasons where they fit.

The rules say who should win which half and why. Where that gives the printed amounts, the
awards carry the rules' halves, odd chips and reasons; where it does not, only what is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice, product

from msgspec.structs import replace

from domain import events as e
from domain.commands import Void
from domain.hand import Hand
from domain.rules.odd_chips import halves
from domain.rules.payouts import Payouts, Prize, payouts
from domain.rules.settlement import award, settle
from domain.rules.turn import hand_over, turn
from domain.rulings import void
from domain.units import Chips, Half, Seat
from services.readers.payment import Payment, payment_of, sums
from services.readers.record import Fact, Record, Unreadable

MOST_ORDERS = 5_000
"""Ways to place odd chips that are tried; eight players tying for one pot alone have 40,320."""

NOT_RECORDED = "The record does not say who won: the awards are what the rules give."
LEFT_OPEN = "The record does not say who won, and the cards seen do not tell."


def paid_out(
    hand: Hand, record: Record, collected: Sequence[Fact], line: int
) -> tuple[e.HandEvent, ...]:
    """Rake, awards and stacks of a hand whose betting is over; `line` is its last.

    Raises `Unreadable` if more is paid out than was put in, or nobody takes the pot.
    """
    cancelled = next((fact for fact in record.facts if fact.kind == "cancelled"), None)
    if cancelled:
        return (void(hand, Void(reason=cancelled.text, ruling=None)),)
    if not record.says_it_ended and not hand_over(hand):
        raise Unreadable(line, _what_is_missing(hand))
    if not (collected or record.winnings or record.stacks or record.says_it_ended):
        return _derived(hand)
    payment = payment_of(hand, record, collected)
    awards = _recorded_awards(payment)
    stacks = record.stacks or {p.seat: p.stack + payment.won.get(p.seat, 0) for p in hand.seats}
    rake = (payment.rake,) if payment.is_raked else ()
    return (*rake, *awards, _completed(hand, stacks))


def _what_is_missing(hand: Hand) -> str:
    seats = turn(hand)
    if seats:
        return f"the hand breaks off: seat {seats[0]} is to act on street {hand.betting.street}"
    return f"the hand breaks off after street {hand.betting.street}"


def _derived(hand: Hand) -> tuple[e.HandEvent, ...]:
    settlement = settle(hand)
    won = sums((share.seat, share.amount) for paid in settlement.awards for share in paid.shares)
    text = NOT_RECORDED if sum(pot.amount for pot in settlement.pots) else ""
    if any(question.seats for question in settlement.undetermined):
        text = LEFT_OPEN
    notes = (e.IncidentNoted(kind="inferred", text=text),) if text else ()
    rake = (settlement.rake,) if settlement.rake else ()
    stacks = {p.seat: p.stack + won.get(p.seat, 0) for p in hand.seats}
    return (*notes, *rake, *settlement.awards, _completed(hand, stacks))


def _completed(hand: Hand, stacks: dict[Seat, Chips]) -> e.HandCompleted:
    seats = [p.seat for p in hand.seats if p.seat in stacks]
    return e.HandCompleted(
        stacks=tuple(e.SeatStack(seat=seat, stack=stacks[seat]) for seat in seats)
    )


def _recorded_awards(payment: Payment) -> tuple[e.PotAwarded, ...]:
    """One award per pot and half, main pot first."""
    if not any(payment.won.values()):
        return ()
    expected = payouts(payment.hand, payment.rake)
    if not payment.by_pot:
        fitting = _fitting(payment.hand, expected, expected.prizes, payment.won)
        return fitting or (_whole(0, payment.won, expected.prizes),)
    awards: list[e.PotAwarded] = []
    for pot, lines in payment.by_pot.items():
        prizes = tuple(prize for prize in expected.prizes if prize.pot == pot)
        fitting = _fitting(payment.hand, expected, prizes, _won(lines))
        if not _of_the_named_halves(fitting, lines):
            fitting = ()
        awards += fitting or _as_printed(payment.hand, pot, lines, prizes)
    return tuple(awards)


def _fitting(
    hand: Hand, expected: Payouts, prizes: tuple[Prize, ...], won: dict[Seat, Chips]
) -> tuple[e.PotAwarded, ...]:
    """The awards of `prizes` in the first order of odd chips that pays exactly `won`."""
    if not prizes or not all(prize.decided for prize in prizes):
        return ()
    won = {seat: amount for seat, amount in won.items() if amount}
    for orders in islice(product(*(prize.orders() for prize in prizes)), MOST_ORDERS):
        ordered = (replace(p, winners=order) for p, order in zip(prizes, orders, strict=True))
        awards = tuple(award(hand, prize, expected) for prize in ordered)
        shares = (share for paid in awards for share in paid.shares if share.amount)
        if sums((share.seat, share.amount) for share in shares) == won:
            return tuple(paid for paid in awards if paid.amount)
    return ()


def _of_the_named_halves(awards: Iterable[e.PotAwarded], lines: Sequence[Fact]) -> bool:
    """Whether these awards pay every half as the record does, if it names halves."""
    paid = {award.half: sums((s.seat, s.amount) for s in award.shares) for award in awards}
    return all(_won(part) == paid.get(half) for half, part in _named_halves(lines).items())


def _as_printed(
    hand: Hand, pot: int, lines: Sequence[Fact], prizes: Sequence[Prize]
) -> list[e.PotAwarded]:
    """High before low where the lines add up to the halves, else one whole award (P4)."""
    split = _named_halves(lines) or _high_then_low(hand, lines)
    if not split:
        return [_whole(pot, _won(lines), prizes)]
    return [
        _award(pot, half, _won(part), _rule(half, prizes)) for half, part in split.items() if part
    ]


def _named_halves(lines: Sequence[Fact]) -> dict[Half, Sequence[Fact]]:
    if not all(line.half in ("high", "low") for line in lines):
        return {}
    named: dict[Half, Sequence[Fact]] = {}
    for half in ("high", "low"):
        named[half] = [line for line in lines if line.half == half]
    return named if all(named.values()) else {}


def _high_then_low(hand: Hand, lines: Sequence[Fact]) -> dict[Half, Sequence[Fact]]:
    if hand.started.game == "stud" or len(lines) < 2:
        return {}
    stacked = list(accumulate(line.amount or 0 for line in lines))
    high, _ = halves(stacked[-1], chip=1)
    if high not in stacked[:-1]:
        return {}
    cut = stacked.index(high) + 1
    return {"high": lines[:cut], "low": lines[cut:]}


def _whole(pot: int, won: dict[Seat, Chips], prizes: Sequence[Prize]) -> e.PotAwarded:
    return _award(pot, "whole", won, _rule("whole", prizes))


def _rule(half: Half, prizes: Sequence[Prize]) -> str:
    """The rule that should have decided this half; the pots' own rule where there is none."""
    return next((prize.rule for prize in prizes if prize.half == half), "P2")


def _award(pot: int, half: Half, won: dict[Seat, Chips], rule: str) -> e.PotAwarded:
    paid = {seat: amount for seat, amount in won.items() if amount}
    total = sum(paid.values())
    # Odd chips show only in an equal share: everyone has a part and some one chip more.
    part, odd = divmod(total, len(paid))
    level = bool(odd) and all(amount - part in (0, 1) for amount in paid.values())
    return e.PotAwarded(
        pot=pot,
        half=half,
        amount=total,
        shares=tuple(
            e.Share(seat=seat, amount=amount, odd=amount - part if level else 0)
            for seat, amount in paid.items()
        ),
        reason=e.Reason(rule=rule, compared=()),
    )


def _won(lines: Iterable[Fact]) -> dict[Seat, Chips]:
    return sums((line.seat, line.amount or 0) for line in lines)
