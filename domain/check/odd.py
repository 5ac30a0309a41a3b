"""Whether what a record calls odd chips is what does not divide (P5-P7)."""

from __future__ import annotations

from domain import events as e
from domain.amounts import amount_words
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand


def check_odd_chips(hand: Hand, event: e.PotAwarded) -> tuple[Finding, ...]:
    """A share is as much as everybody gets and its odd chips; one winner's has none (P5-P7)."""
    chip = hand.started.stakes.chip_unit or 1
    chips, _ = divmod(event.amount, chip)
    each, _ = divmod(chips, len(event.shares) or 1)
    equal = event.amount if len(event.shares) == 1 else each * chip
    for share in event.shares:
        # Where a line pays both halves at once, shares are not equal but for odd chips.
        odd = share.amount - equal
        if share.odd != odd and 0 <= odd <= chip:
            money = hand.started.money
            want, got = amount_words(odd, money), amount_words(share.odd, money)
            text = f"{got} in the share of seat {share.seat} is called odd; {want} of it is."
            rule = "P5" if hand.started.game == "stud" else "P6"
            return (object_to(hand, rule, f"{want} odd", f"{got} odd", text),)
    return ()
