"""How the pots came about and why each half went where it went (P0-P7, B9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.events import Compared
from domain.hand import Hand
from domain.rules.award_faults import Given
from domain.rules.mucked import would_have_won
from domain.rules.objections import recorded_awards
from domain.rules.payouts import Payout, Payouts, Prize, half_spec, payouts
from domain.rules.showdown import compare
from domain.units import Chips, Half, Seat
from services.explaining.explanation import Line, say
from services.explaining.odd import in_chips, odd_chip_lines
from services.replaying.notes import STATUS_WORDS, cards_words, prize_name
from services.replaying.pots import pot_name
from services.replaying.seating import Seating, listed


def pot_lines(hand: Hand, words: Seating) -> Iterator[Line]:
    """Every pot: its layer, who paid what, who may win it, its rake, its prizes."""
    paid_out = payouts(hand, hand.rake_taken)
    given = {(award.pot, award.half): award for award in recorded_awards(hand)}
    below = 0
    for index, payout in enumerate(paid_out.payouts):
        yield from _layer(hand, words, paid_out, index, below)
        for prize in payout.prizes:
            yield from _prize(hand, words, paid_out, prize, given)
        below += max(payout.pot.paid.values(), default=0)
    yield from _unfounded(words, paid_out, given)


def prize_lines(hand: Hand, words: Seating, pot: int, half: Half) -> Iterator[Line]:
    """One award: the hands compared, ties, odd chips, and what the rules say to it."""
    paid_out = payouts(hand, hand.rake_taken)
    given = {(award.pot, award.half): award for award in recorded_awards(hand)}
    for prize in paid_out.prizes:
        if prize.pot == pot and (prize.half == half or half == "whole" or prize.half == "whole"):
            yield from _prize(hand, words, paid_out, prize, given)


def _layer(
    hand: Hand, words: Seating, paid_out: Payouts, index: int, below: Chips
) -> Iterator[Line]:
    """The money of one pot by seat, and whose it may become (P1)."""
    payout = paid_out.payouts[index]
    pot = payout.pot
    top = below + max(pot.paid.values(), default=0)
    from_ = f"from {words.amount(below)} " if below else ""
    span = f"{from_}up to {words.amount(top)} each"
    name = pot_name(index).capitalize()
    yield say(f"{name} of {words.amount(pot.amount)}: what was put in {span}.", "P1")
    paid = ", ".join(
        f"{words.who(seat)} {words.amount(amount)}{_state(hand, seat)}"
        for seat, amount in sorted(pot.paid.items())
    )
    yield say(f"Paid in by {paid}.", level=1)
    yield say(f"May be won by {words.all_of(pot.claimants)}.", "P1", level=1)
    rake = paid_out.charge.pots[index]
    if rake:
        net = f"{words.amount(payout.amount)} is paid out"
        yield say(f"{words.amount(rake)} rake comes out of it: {net}.", "P3", "R5", level=1)
    yield from _halves(words, payout, paid_out.chip)


def _state(hand: Hand, seat: Seat) -> str:
    status = STATUS_WORDS[hand.player(seat).status]
    return f" ({status})" if status else ""


def _halves(words: Seating, payout: Payout, chip: Chips) -> Iterator[Line]:
    """How a pot is halved, or why it is not (P4, G2)."""
    if len(payout.prizes) == 2:
        high, low = payout.prizes
        odd = high.amount - low.amount
        chips = in_chips(words, chip)
        stays = f"; {words.amount(odd)} does not divide{chips} and stays with the high half"
        why = stays if odd else ""
        halves = f"High half {words.amount(high.amount)}, low half {words.amount(low.amount)}{why}"
        yield say(f"{halves}.", "P4", level=1)
        if payout.split_open:
            yield say("Unseen cards decide whether there is a low at all.", "G2", level=1)
    elif payout.prizes[0].rule == "G2":
        text = "No low qualifies (five different ranks, eight or lower): high takes all."
        yield say(text, "G2", level=1)


def _prize(
    hand: Hand,
    words: Seating,
    paid_out: Payouts,
    prize: Prize,
    given: Mapping[tuple[int, Half], Given],
) -> Iterator[Line]:
    name = prize_name(prize.pot, prize.half).capitalize()
    yield say(f"{name}, {words.amount(prize.amount)}: {_outcome(words, prize)}.", *_rules(prize))
    yield from _contest(hand, words, paid_out, prize)
    recorded = given.get((prize.pot, prize.half)) or given.get((prize.pot, "whole"))
    yield from odd_chip_lines(hand, words, paid_out.chip, prize, recorded)


def _rules(prize: Prize) -> tuple[str, ...]:
    return (prize.rule,) if prize.rule != "G2" or prize.half != "whole" else ("G1",)


def _outcome(words: Seating, prize: Prize) -> str:
    """Who takes it, in half a sentence."""
    if prize.uncontested and prize.winners:
        return f"{words.all_of(prize.winners)} {_UNCONTESTED[prize.rule]}"
    if prize.decided:
        takes = "tie and share it" if len(prize.winners) > 1 else "takes it"
        return f"{words.all_of(prize.winners)} {takes}"
    if not (prize.winners or prize.hidden):
        return "nobody is left who could win it"
    maybe = listed((words.who(seat) for seat in (*prize.winners, *prize.hidden)), "or")
    return f"the cards that are seen leave it open between {maybe}"


_UNCONTESTED = {
    "B9": "is the only one still in and takes it, showing nothing",
    "P1": "is the only one with a claim and takes it without comparing",
    "P0": "takes it: everybody else with a claim mucked",
}


def _contest(hand: Hand, words: Seating, paid_out: Payouts, prize: Prize) -> Iterator[Line]:
    """Every claimant's best five for this prize, in words, winners first (P2)."""
    payout = paid_out.payouts[prize.pot]
    if not prize.uncontested or prize.rule == "P0":
        ranked = paid_out.rankings.high
        if prize.half == "low" and paid_out.rankings.low is not None:
            ranked = paid_out.rankings.low
        spec = half_spec(hand, prize.half)
        for one in compare(hand, spec, ranked, payout.contenders):
            yield say(f"{words.who(one.seat)}: {_held(one)}", level=1)
    for seat in payout.pot.claimants:
        if hand.player(seat).mucked:
            yield say(f"{words.who(seat)}: mucked, not ranked", "P0", level=1)


def _held(one: Compared) -> str:
    if not one.cards or "?" in "".join(one.cards):
        return one.words
    return f"{one.words} [{cards_words(one.cards)}]"


def _unfounded(
    words: Seating, paid_out: Payouts, given: Mapping[tuple[int, Half], Given]
) -> Iterator[Line]:
    """Awards of pots that the money does not make."""
    for (pot, _), award in given.items():
        if pot >= len(paid_out.payouts):
            amount = words.amount(award.amount)
            yield say(f"The record also awards {amount} of a {award.name} there is not.", "P1")


def mucked_winners(hand: Hand, words: Seating) -> Iterator[Line]:
    """What mucked hands that are on record would have done (P0)."""
    for missed in would_have_won(hand):
        verb = "shared" if missed.shared else "won"
        prize = prize_name(missed.pot, missed.half)
        yield say(f"{words.subject(missed.seat)} mucked and would have {verb} the {prize}.", "P0")
