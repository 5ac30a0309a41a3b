"""The money side of a record: pots, what was collected from each, and the rake in between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from domain.amounts import amount_words
from domain.errors import BadTable
from domain.events import RakeTaken
from domain.hand import Hand
from domain.rules.pots import build_pots
from domain.rules.rake import Charge, attribute, fitted, rake_due
from domain.units import Chips, Seat
from services.readers.record import Fact, Record, Unreadable


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand was paid out, in minor units.

    `won` is every seat's sum. `by_pot` holds the printed lines per pot, empty where the record
    names no pots or others than the money makes. `rake` is a fact only if `is_raked` (R1).
    """

    hand: Hand
    won: dict[Seat, Chips]
    by_pot: dict[int, list[Fact]]
    rake: RakeTaken
    is_raked: bool


def sums(amounts: Iterable[tuple[Seat, Chips]]) -> dict[Seat, Chips]:
    """Amounts added up per seat, seats in the order they come."""
    totals: dict[Seat, Chips] = {}
    for seat, amount in amounts:
        totals[seat] = totals.get(seat, 0) + amount
    return totals


def payment_of(hand: Hand, record: Record, collected: Sequence[Fact]) -> Payment:
    """What the record says was paid. Raises `Unreadable` where that cannot have been."""
    order = hand.clockwise()
    pots = build_pots({p.seat: p.paid for p in order}, [p.seat for p in order if p.still_in])
    gross = [pot.amount for pot in pots]
    won = _won(hand, record, collected)
    by_pot = _by_pot(collected, len(gross))
    total = _rake_total(record, sum(gross), sum(won.values()))
    _refuse_impossible(hand, record, collected, gross=sum(gross), won=sum(won.values()), rake=total)
    per_pot = _rake_per_pot(total, gross, by_pot)
    rake = _rake(hand, total, per_pot, gross, won)
    is_raked = record.money.kind == "real" or total > 0
    return Payment(hand=hand, won=won, by_pot=by_pot, rake=rake, is_raked=is_raked)


def _rake(
    hand: Hand,
    total: Chips,
    per_pot: tuple[Chips, ...],
    gross: Sequence[Chips],
    won: dict[Seat, Chips],
) -> RakeTaken:
    """The recorded rake, with the row and step of the table's schedule where it gives as much."""
    due = _due(hand, gross)
    if due is None or due.total != total:
        due = Charge(())
    attribution = attribute(hand, total, hand.started.house_rules.rake_attribution, won)
    rake = RakeTaken(
        total=total,
        pots=per_pot or due.pots,
        row=due.row,
        step=due.step,
        attribution=attribution,
    )
    return msgspec.structs.replace(rake, pots=fitted(rake, gross).pots)


def _due(hand: Hand, gross: Sequence[Chips]) -> Charge | None:
    try:
        return rake_due(hand, gross)
    except BadTable:
        return None


def _won(hand: Hand, record: Record, collected: Sequence[Fact]) -> dict[Seat, Chips]:
    """What each seat got from the pots: printed so, as lines, or as the stack he ended with."""
    if record.winnings is not None:
        return record.winnings
    if collected or record.stacks is None:
        return sums((fact.seat, fact.amount or 0) for fact in collected)
    ended = record.stacks
    return {p.seat: max(ended[p.seat] - p.stack, 0) for p in hand.seats if p.seat in ended}


def _by_pot(collected: Sequence[Fact], pots: int) -> dict[int, list[Fact]]:
    named = sorted({fact.pot for fact in collected})
    if named != list(range(pots)):
        return {}
    return {pot: [fact for fact in collected if fact.pot == pot] for pot in named}


def _rake_total(record: Record, gross: Chips, won: Chips) -> Chips:
    """The rake printed; else what is missing between pot and winners, of real money only."""
    if record.rake is not None:
        return record.rake
    return max(gross - won, 0) if record.money.kind == "real" else 0


def _rake_per_pot(
    total: Chips, gross: Sequence[Chips], by_pot: dict[int, list[Fact]]
) -> tuple[Chips, ...]:
    """What each pot was lighter when it was collected; nothing where that is not the rake (R5)."""
    light = tuple(
        amount - sum(fact.amount or 0 for fact in by_pot.get(pot, ()))
        for pot, amount in enumerate(gross)
    )
    return light if by_pot and min(light) >= 0 and sum(light) == total else ()


def _refuse_impossible(
    hand: Hand,
    record: Record,
    collected: Sequence[Fact],
    *,
    gross: Chips,
    won: Chips,
    rake: Chips,
) -> None:
    money, out = hand.started.money, won + rake
    line = collected[-1].line if collected else record.line
    if out > gross:
        put_in, paid = amount_words(gross, money), amount_words(out, money)
        why = "the pot is paid twice" if _paid_twice(collected) else "more out than in"
        raise Unreadable(line, f"{why}: {paid} paid out and raked, {put_in} put in")
    if won == 0 and gross > 0:
        raise Unreadable(line, f"nobody collected the pot of {amount_words(gross, money)}")


def _paid_twice(collected: Sequence[Fact]) -> bool:
    """Whether two lines pay the same amount out of the same pot."""
    paid = [(fact.pot, fact.amount) for fact in collected]
    return len(set(paid)) < len(paid)
