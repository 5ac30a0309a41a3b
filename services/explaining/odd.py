"""Every odd chip: how many, to whom, and the cards or places that decided it (P5-P7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.events import Compared, Share
from domain.hand import Hand
from domain.rules.award_faults import Given
from domain.rules.odd_chips import divide
from domain.rules.payouts import Prize, outcomes
from domain.units import Chips
from services.explaining.explanation import Line, say
from services.replaying.seating import Seating, listed


def odd_chip_lines(
    hand: Hand, words: Seating, chip: Chips, prize: Prize, recorded: Given | None
) -> Iterator[Line]:
    """How tied winners share a prize; nothing where one takes it or the record pays nobody yet."""
    if not prize.decided:
        yield from _recorded(words, recorded)
        return
    shares = divide(prize.amount, prize.winners, chip=chip)
    if len(shares) > 1:
        yield _shared(words, prize, shares, chip)
        yield from _order(hand, words, prize)
    if recorded is not None and recorded.half == prize.half:
        yield from _against_record(words, prize, chip, recorded)


def _recorded(words: Seating, recorded: Given | None) -> Iterator[Line]:
    if recorded is not None:
        yield say(f"The record pays {_paid(words, recorded)}.", level=1)


def in_chips(words: Seating, chip: Chips) -> str:
    """What the table's smallest chip is, where that is more than a minor unit (P7)."""
    return f" in chips of {words.amount(chip)}" if chip > 1 else ""


def _shared(words: Seating, prize: Prize, shares: Sequence[Share], chip: Chips) -> Line:
    odd = sum(share.odd for share in shares)
    each = prize.amount - odd
    part, rest = divmod(each, len(shares))
    assert rest == 0, "without its odd chips a prize divides"
    ways = f"{words.amount(prize.amount)} in {len(shares)} parts is {words.amount(part)} each"
    left = f", and {words.amount(odd)} does not divide{in_chips(words, chip)}" if odd else ""
    rule = "P7" if odd else "G7"
    return say(f"Tied: {ways}{left}.", rule, level=1)


def _order(hand: Hand, words: Seating, prize: Prize) -> Iterator[Line]:
    """Who is first for what does not divide, and by what (P5, P6)."""
    odd = prize.odd
    if odd is None:
        return
    cards = [one for one in odd.compared if one.cards]
    places = [one for one in odd.compared if not one.cards]
    if odd.compared:
        yield say(f"{_what(hand, prize)}: {_each(words, cards or places)}.", odd.rule, level=1)
    if cards and places:
        level = "Cards of one rank are equal here, whatever their suits, so the place decides"
        yield say(f"{level}: {_each(words, places)}.", odd.rule, level=1)
    if odd.hidden:
        yield say("What decides it is not on record: the recorded award stands.", odd.rule, level=1)
    elif not odd.compared:
        name = hand.started.house_rules.name
        text = f"The house rules ({name}) leave the odd chip to any of the tied seats."
        yield say(text, odd.rule, level=1)
    else:
        first = words.who(prize.winners[0])
        yield say(f"The odd chip goes to {first} first.", odd.rule, level=1)


def _what(hand: Hand, prize: Prize) -> str:
    """What is compared for the odd chip."""
    odd = prize.odd
    if odd is None or not any(one.cards for one in odd.compared):
        return "The odd chip goes by the place at the table"
    which = "lowest" if prize.half == "low" else "highest"
    among = {"all_seven": "all own cards", "five": "the five that play"}
    return f"The odd chip goes by the {which} of {among[hand.started.house_rules.odd_chip_cards]}"


def _each(words: Seating, compared: Sequence[Compared]) -> str:
    return "; ".join(f"{words.who(one.seat)} {one.words}" for one in compared)


def _against_record(words: Seating, prize: Prize, chip: Chips, recorded: Given) -> Iterator[Line]:
    """What the record pays, where somebody shares or where the rules would pay otherwise."""
    ways = outcomes(prize, prize.amount, chip=chip)
    if recorded.shares not in ways:
        due = listed(f"{words.who(seat)} {words.amount(ways[0][seat])}" for seat in ways[0])
        yield say(f"By the rules: {due}. The record pays {_paid(words, recorded)}.", level=1)
    elif len(prize.winners) > 1:
        yield say(f"Paid: {_paid(words, recorded)}.", level=1)


def _paid(words: Seating, recorded: Given) -> str:
    return listed(
        f"{words.who(seat)} {words.amount(amount)}" for seat, amount in recorded.shares.items()
    )
