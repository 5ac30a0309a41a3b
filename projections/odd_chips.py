"""Every odd chip: whose it became, by which rule, and the cards that were compared."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from domain import events as e
from domain.amounts import amount_words
from domain.hand import Awarded, Hand
from domain.units import Chips, Half, Seat
from projections.shape import Followed, Projection, TableRow, Told, as_json, follow

TIE_RULES = frozenset({"P5", "P6"})


class Row(Followed, frozen=True, gc=False):
    """The hand so far, which keeps its awards and the steps that recorded them."""


class OddChipRow(TableRow, frozen=True, kw_only=True, gc=False):
    """One odd chip, in minor units; what is less than a chip is in it (P7).

    `line` counts those of the hand from 1. `half` of a pot, `seat` the one it went to: null for
    the odd chip of the halves (P4) where several share that half. `cards` and `words` are that
    seat's side of the comparison, `compared` is everybody's.
    """

    table: ClassVar[str] = "odd_chips"

    line: int = 0
    step: int
    pot: int
    half: str
    rule: str
    seat: int | None
    amount: int
    cards: str
    words: str
    compared: str


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure; whatever it is, the state keeps what matters of it."""
    return Row(follow(row.hand if row else None, event))


def rows(row: Row, told: Told) -> tuple[OddChipRow, ...]:
    """The odd chip of each pair of halves (P4), then those of ties (P5, P6), pot by pot."""
    awards = () if row.hand.voided else row.hand.awards
    odd = [
        chip
        for pot in sorted({given.award.pot for given in awards})
        for chip in _of_pot(row.hand, told, [a for a in awards if a.award.pot == pot])
    ]
    return tuple(replace(chip, line=line) for line, chip in enumerate(odd, start=1))


def _of_pot(hand: Hand, told: Told, awards: list[Awarded]) -> list[OddChipRow]:
    ties = [
        _tied(hand, told, given, share)
        for given in awards
        for share in given.award.shares
        if share.odd
    ]
    return [*_halves(hand, told, awards), *ties]


def _halves(hand: Hand, told: Told, awards: list[Awarded]) -> list[OddChipRow]:
    """What one half has more than the other, where that is the odd chip and no more (P4)."""
    by_half: dict[Half, Awarded] = {given.award.half: given for given in awards}
    if not {"high", "low"} <= by_half.keys():
        return []
    high, low = by_half["high"], by_half["low"]
    more, less = (high, low) if high.award.amount >= low.award.amount else (low, high)
    odd = more.award.amount - less.award.amount
    # Two chips apart is another division than in halves: nothing an odd chip explains.
    if not 0 < odd < 2 * hand.started.stakes.chip_unit:
        return []
    return [
        OddChipRow(
            hand=told.stream,
            step=more.step,
            pot=more.award.pot,
            half=more.award.half,
            rule="P4",
            seat=more.award.shares[0].seat if len(more.award.shares) == 1 else None,
            amount=odd,
            cards="[]",
            words=_halves_words(hand, high.award.amount, low.award.amount),
            compared="[]",
        )
    ]


def _halves_words(hand: Hand, high: Chips, low: Chips) -> str:
    money = hand.started.money
    whole, upper, lower = (amount_words(chips, money) for chips in (high + low, high, low))
    return f"{whole} does not halve evenly: high {upper}, low {lower}"


def _tied(hand: Hand, told: Told, given: Awarded, share: e.Share) -> OddChipRow:
    award = given.award
    compared = [one for one in award.reason.compared if one.rule in TIE_RULES]
    own = [one for one in compared if one.seat == share.seat]
    return OddChipRow(
        hand=told.stream,
        step=given.step,
        pot=award.pot,
        half=award.half,
        rule=own[0].rule if own else _tie_rule(hand.started),
        seat=share.seat,
        amount=share.odd,
        cards=as_json([card for one in own for card in one.cards]),
        words="; ".join(one.words for one in own) or _as_recorded(share.seat),
        compared=as_json(compared),
    )


def _tie_rule(started: e.HandStarted) -> str:
    return "P5" if started.game == "stud" else "P6"


def _as_recorded(seat: Seat) -> str:
    return f"the record gives it to seat {seat}"


ODD_CHIPS = Projection(
    name="odd_chips", project=project, heeds=frozenset(), tables=(OddChipRow,), rows=rows
)
