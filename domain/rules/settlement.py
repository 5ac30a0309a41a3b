"""What happens after the last betting, as the facts a dealt hand stores, with reasons (P3, R6)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.events import Compared, PotAwarded, RakeTaken, Reason
from domain.hand import Hand
from domain.rules.odd_chips import OddChips, divide
from domain.rules.payouts import Payouts, Prize, half_spec, outcomes, payouts, won
from domain.rules.pots import Pot
from domain.rules.rake import attribute
from domain.rules.showdown import compare
from domain.schedules import is_raked
from domain.units import Chips, Half, Seat


class Undetermined(msgspec.Struct, frozen=True, kw_only=True):
    """A question the record leaves open, and the seats it may have been decided for."""

    pot: int
    half: Half
    rule: str
    seats: tuple[Seat, ...]
    text: str


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """A hand settled: rake (real money only) and awards as facts, and what stays open.

    An open prize has no award; an open odd chip is awarded as the rules usually would.
    """

    pots: tuple[Pot, ...]
    rake: RakeTaken | None
    awards: tuple[PotAwarded, ...]
    undetermined: tuple[Undetermined, ...]


def settle(hand: Hand, recorded: RakeTaken | None = None) -> Settlement:
    """Settle a hand whose betting is over, bets nobody matched already returned (P3, B8).

    With `recorded` the pots bear that rake instead of the schedule's.
    """
    paid_out = payouts(hand, recorded)
    awards = tuple(award(hand, prize, paid_out) for prize in paid_out.prizes if prize.decided)
    return Settlement(
        pots=tuple(payout.pot for payout in paid_out.payouts),
        rake=recorded or _rake_event(hand, paid_out),
        awards=awards,
        undetermined=tuple(open_questions(paid_out)),
    )


def award(hand: Hand, prize: Prize, paid_out: Payouts) -> PotAwarded:
    """The fact of a decided prize, with the hands and the cards compared (P2-P7)."""
    return PotAwarded(
        pot=prize.pot,
        half=prize.half,
        amount=prize.amount,
        shares=divide(prize.amount, prize.winners, chip=paid_out.chip),
        reason=Reason(
            rule=prize.odd.rule if prize.odd else prize.rule,
            compared=(
                *_hands_compared(hand, prize, paid_out),
                *(prize.odd.compared if prize.odd else ()),
            ),
        ),
    )


def _hands_compared(hand: Hand, prize: Prize, paid_out: Payouts) -> Iterable[Compared]:
    """Every contender's hand in words; for want of a low also that nobody has one (G2)."""
    if prize.uncontested:
        return
    contenders = paid_out.payouts[prize.pot].contenders
    spec, rankings = half_spec(hand, prize.half), paid_out.rankings
    ranked = rankings.low if prize.half == "low" and rankings.low else rankings.high
    yield from compare(hand, spec, ranked, contenders)
    if prize.half == "whole" and rankings.low is not None:
        yield from compare(hand, half_spec(hand, "low"), rankings.low, contenders)


def _rake_event(hand: Hand, paid_out: Payouts) -> RakeTaken | None:
    """The rake as a fact, of every real-money hand also when it is nothing (R1, R6)."""
    if not is_raked(hand.started):
        return None
    charge = paid_out.charge
    method = hand.started.house_rules.rake_attribution
    return RakeTaken(
        total=charge.total,
        pots=charge.pots,
        row=charge.row,
        step=charge.step,
        attribution=attribute(hand, charge.total, method, won(paid_out)),
    )


def open_questions(paid_out: Payouts) -> Iterable[Undetermined]:
    """What the cards and the dealer's seat, as far as known, do not decide."""
    for prize in paid_out.prizes:
        if not prize.decided:
            yield _open_prize(prize)
        elif prize.odd is not None and prize.odd.hidden and _several_ways(prize, paid_out.chip):
            yield _open_odd_chip(prize, prize.odd)


def _several_ways(prize: Prize, chip: Chips) -> bool:
    """Whether what is hidden makes a difference to anybody's chips."""
    return len(outcomes(prize, prize.amount, chip=chip)) > 1


def _open_prize(prize: Prize) -> Undetermined:
    if prize.rule == "P0":
        text = "everybody who could win this pot mucked"
    elif not prize.winners and not prize.hidden:
        text = "nobody is left who could win this pot"
    else:
        text = "not all cards of those who could win are seen"
    return Undetermined(
        pot=prize.pot,
        half=prize.half,
        rule=prize.rule,
        seats=(*prize.winners, *prize.hidden),
        text=text,
    )


def _open_odd_chip(prize: Prize, odd: OddChips) -> Undetermined:
    return Undetermined(
        pot=prize.pot,
        half=prize.half,
        rule=odd.rule,
        seats=odd.order,
        text="what decides the odd chip between these seats is not recorded",
    )
