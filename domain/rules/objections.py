"""What the rules object to in the awards of a record (P0-P8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.amounts import amount_words
from domain.events import PotAwarded
from domain.finding import Finding
from domain.games import GAMES
from domain.hand import Hand
from domain.rules.award_faults import Given, Reading, Shares, faults, faults_of_sharing
from domain.rules.award_words import hands_words, prize_words, sentence
from domain.rules.mucked import would_have_won
from domain.rules.odd_chips import halves
from domain.rules.payouts import Payout, Payouts, Prize, recorded_payouts
from domain.units import Chips, Half


def object_to_awards(hand: Hand) -> tuple[Finding, ...]:
    """Every objection to the awards recorded in `hand`, of which nothing else is to come.

    Judged with the recorded rake, so that a wrong rake is not a fault of the awards as well.
    Unseen cards, an unknown dealer and odd chips the room leaves open are no objections.
    """
    paid_out = recorded_payouts(hand)
    if _plainly_right(hand, paid_out):
        return tuple(_gave_away(hand))
    given = tuple(recorded_awards(hand))
    return (
        *_object_to_each(hand, paid_out, given),
        *_missing(hand, paid_out, given),
        *_gave_away(hand),
    )


def _plainly_right(hand: Hand, paid_out: Payouts) -> bool:
    """Whether every prize is decided, has one winner, and went to him whole, in order."""
    prizes = paid_out.prizes
    if len(hand.awards) != len(prizes):
        return False
    for record, prize in zip(hand.awards, prizes, strict=True):
        award, shares = record.award, record.award.shares
        if (
            (award.pot != prize.pot or award.half != prize.half or award.amount != prize.amount)
            or (prize.hidden or len(prize.winners) != 1 or len(shares) != 1)
            or (shares[0].seat != prize.winners[0] or shares[0].amount != prize.amount)
        ):
            return False
    return True


def _object_to_each(hand: Hand, paid_out: Payouts, given: Sequence[Given]) -> Iterator[Finding]:
    """Award by award; two halves of a pot that are wrong only together have one fault."""
    for award in given:
        high, low = _wrong_halves(hand, paid_out, given, award.pot)
        if high is None or low is None:
            yield from object_to_award(hand, paid_out, award)
        elif award is low:
            yield from _object_to_halves(hand, paid_out.payouts[award.pot], high, low)


def _wrong_halves(
    hand: Hand, paid_out: Payouts, given: Sequence[Given], pot: int
) -> tuple[Given | None, Given | None]:
    """High and low as recorded, of a pot that was paid in full but not halved like this."""
    named = {award.half: award for award in given if award.pot == pot}
    if named.keys() != {"high", "low"} or not 0 <= pot < len(paid_out.payouts):
        return None, None
    payout, high, low = paid_out.payouts[pot], named["high"], named["low"]
    due = tuple(prize.amount for prize in payout.prizes)
    if payout.prizes[0].uncontested and GAMES[hand.started.game].low is not None:
        due = halves(payout.amount, chip=paid_out.chip)
    right = due == (high.amount, low.amount) or payout.split_open
    if right or high.amount + low.amount != payout.amount:
        return None, None
    return high, low


def _object_to_halves(hand: Hand, payout: Payout, high: Given, low: Given) -> Iterator[Finding]:
    """A low half where there is none, or halves of other amounts, is one fault (G1, G2, P4)."""
    prizes = payout.prizes
    yield from faults_of_sharing(hand, payout, high, prizes[:1])
    if len(prizes) == 1 and not prizes[0].uncontested:
        yield _no_low(hand, low)
        return
    yield from faults_of_sharing(hand, payout, low, prizes[-1:])
    want, got = (
        f"{amount_words(of_high, hand.started.money)} high, "
        f"{amount_words(payout.amount - of_high, hand.started.money)} low"
        for of_high in (_high_half(hand, payout), high.amount)
    )
    text = f"{prize_words(low.pot, 'whole')} is halved {got}; after rake it is {want}"
    yield low.objection("P4", want, got, text)


def _high_half(hand: Hand, payout: Payout) -> Chips:
    high, _ = halves(payout.amount, chip=hand.started.stakes.chip_unit or 1)
    return high


def recorded_awards(hand: Hand) -> Iterator[Given]:
    """The recorded awards, one per half of a pot.

    Halves are taken together where another line for the pot names none.
    """
    whole = {record.award.pot for record in hand.awards if record.award.half == "whole"}
    found: dict[tuple[int, Half], Given] = {}
    for record in hand.awards:
        award = record.award
        half: Half = "whole" if award.pot in whole else award.half
        before = found.get((award.pot, half))
        found[award.pot, half] = Given(
            step=record.step,
            pot=award.pot,
            half=half,
            amount=award.amount + (before.amount if before else 0),
            shares=_added(before.shares if before else {}, award),
        )
    yield from found.values()


def _added(shares: Shares, award: PotAwarded) -> Shares:
    """`shares` and those of one more award."""
    total = dict(shares)
    for share in award.shares:
        total[share.seat] = total.get(share.seat, 0) + share.amount
    return {seat: amount for seat, amount in total.items() if amount}


def object_to_award(hand: Hand, paid_out: Payouts, given: Given) -> tuple[Finding, ...]:
    """The objections to one award: none if any reading of it is right, else to the likeliest."""
    if not 0 <= given.pot < len(paid_out.payouts):
        count = len(paid_out.payouts)
        pots = f"{count} pot{'' if count == 1 else 's'}"
        text = f"the record awards {given.name}; the money makes {pots}"
        return (given.objection("P1", pots, given.name, text),)
    payout = paid_out.payouts[given.pot]
    found = [
        tuple(faults(hand, payout, given, reading))
        for reading in _readings(hand, paid_out, payout, given.half)
    ]
    return min(found, key=len) if found else (_no_low(hand, given),)


def _readings(hand: Hand, paid_out: Payouts, payout: Payout, half: Half) -> Iterator[Reading]:
    """What an award of this half may stand for, the likeliest first."""
    first = payout.prizes[0]
    if len(payout.prizes) == 2:
        yield tuple(p for p in payout.prizes if p.half == half) or payout.prizes
        if payout.split_open and half != "low":
            yield (replace(first, half="whole", amount=payout.amount),)
        return
    if half != "low":
        yield (first,)
    if half != "whole" and first.uncontested and GAMES[hand.started.game].low is not None:
        # Some records name the halves though one player takes both without comparing.
        high, low = halves(payout.amount, chip=paid_out.chip)
        yield (replace(first, half=half, amount=high if half == "high" else low),)


def _no_low(hand: Hand, given: Given) -> Finding:
    """A low half was awarded where there is none (G1, G2)."""
    low = GAMES[hand.started.game].low
    if low is None:
        text = f"the record awards {given.name}; this game has no low"
        return given.objection("G1", "no low half", given.name, text)
    got = hands_words(hand, "low", given.shares)
    text = f"{given.name} went to {got}, but no low qualifies"
    return given.objection(low.rule, "no low half", got, text)


def _missing(hand: Hand, paid_out: Payouts, given: Sequence[Given]) -> Iterator[Finding]:
    """Prizes nobody was paid, of pots that were not paid out whole (P2).

    A prize paid from a pot there is not has been objected to already.
    """
    astray = [award.amount for award in given if award.pot >= len(paid_out.payouts)]
    for index, payout in enumerate(paid_out.payouts):
        of_pot = [award for award in given if award.pot == index]
        if payout.split_open and of_pot:
            continue
        if sum(award.amount for award in of_pot) < payout.amount:
            named = {award.half for award in of_pot}
            for prize in payout.prizes:
                unpaid = prize.amount and not named & {prize.half, "whole"}
                if unpaid and prize.amount not in astray:
                    yield _not_awarded(hand, prize)


def _not_awarded(hand: Hand, prize: Prize) -> Finding:
    amount = amount_words(prize.amount, hand.started.money)
    winners = hands_words(hand, prize.half, (*prize.winners, *prize.hidden))
    return Finding(
        step=hand.step + 1,
        rule="P2",
        expected=f"{amount} to {winners}",
        recorded="no award",
        text=sentence(f"{prize_words(prize.pot, prize.half)} of {amount} was not awarded"),
    )


def _gave_away(hand: Hand) -> Iterator[Finding]:
    """Mucked hands that would have won (P0)."""
    for missed in would_have_won(hand):
        held = hands_words(hand, missed.half, (missed.seat,))
        verb = "shared" if missed.shared else "won"
        name = prize_words(missed.pot, missed.half)
        yield Finding(
            step=hand.step + 1,
            rule="P0",
            expected="the hand shown",
            recorded=held,
            text=sentence(f"{held} would have {verb} {name}"),
        )
