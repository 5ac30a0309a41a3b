"""Every odd chip: whose it became, by which rule, and the cards that were compared."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.amounts import amount_words
from domain.units import Chips, Half, Seat
from projections.shape import Projection, TableRow, Told, as_json

TIE_RULES = frozenset({"P5", "P6"})


class Award(msgspec.Struct, frozen=True, gc=False):
    """A recorded award and the step that recorded it."""

    step: int
    award: e.PotAwarded


class Row(msgspec.Struct, frozen=True, gc=False):
    """The table the hand is played at and the awards so far; none once it is void."""

    step: int
    started: e.HandStarted
    awards: tuple[Award, ...] = ()


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
    """Fold one fact. Pure."""
    if row is None:
        assert isinstance(event, e.HandStarted), "a hand begins with hand_started.v1"
        return Row(1, event)
    step = row.step + 1
    match event:
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.UncalledReturned()
            | e.TimedOut() | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.IncidentNoted() | e.HandStarted() | e.RakeTaken()
            | e.HandCompleted() | e.AwardCorrected()
        ):  # fmt: skip
            return Row(step, row.started, row.awards)
        case e.PotAwarded():
            return Row(step, row.started, (*row.awards, Award(step, event)))
        case e.HandVoided():
            return Row(step, row.started)


def rows(row: Row, told: Told) -> tuple[OddChipRow, ...]:
    """The odd chip of each pair of halves (P4), then those of ties (P5, P6), pot by pot."""
    pots = sorted({told_award.award.pot for told_award in row.awards})
    odd = [
        chip
        for pot in pots
        for chip in _of_pot(row, told, [a for a in row.awards if a.award.pot == pot])
    ]
    return tuple(replace(chip, line=line) for line, chip in enumerate(odd, start=1))


def _of_pot(row: Row, told: Told, awards: list[Award]) -> list[OddChipRow]:
    ties = [
        _tied(row, told, given, share)
        for given in awards
        for share in given.award.shares
        if share.odd
    ]
    return [*_halves(row, told, awards), *ties]


def _halves(row: Row, told: Told, awards: list[Award]) -> list[OddChipRow]:
    """What one half has more than the other, where that is the odd chip and no more (P4)."""
    by_half: dict[Half, Award] = {given.award.half: given for given in awards}
    if not {"high", "low"} <= by_half.keys():
        return []
    high, low = by_half["high"], by_half["low"]
    more, less = (high, low) if high.award.amount >= low.award.amount else (low, high)
    odd = more.award.amount - less.award.amount
    # Two chips apart is another division than in halves: nothing an odd chip explains.
    if not 0 < odd < 2 * row.started.stakes.chip_unit:
        return []
    return [
        OddChipRow(
            hand=told.hand,
            step=more.step,
            pot=more.award.pot,
            half=more.award.half,
            rule="P4",
            seat=more.award.shares[0].seat if len(more.award.shares) == 1 else None,
            amount=odd,
            cards="[]",
            words=_halves_words(row, high.award.amount, low.award.amount),
            compared="[]",
        )
    ]


def _halves_words(row: Row, high: Chips, low: Chips) -> str:
    money = row.started.money
    whole, upper, lower = (amount_words(chips, money) for chips in (high + low, high, low))
    return f"{whole} does not halve evenly: high {upper}, low {lower}"


def _tied(row: Row, told: Told, given: Award, share: e.Share) -> OddChipRow:
    award = given.award
    compared = [one for one in award.reason.compared if one.rule in TIE_RULES]
    own = [one for one in compared if one.seat == share.seat]
    return OddChipRow(
        hand=told.hand,
        step=given.step,
        pot=award.pot,
        half=award.half,
        rule=own[0].rule if own else _tie_rule(row.started),
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


ODD_CHIPS = Projection(name="odd_chips", tables=(OddChipRow,), project=project, rows=rows)
