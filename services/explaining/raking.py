"""Why the house took what it took: due at all, row and step, per pot, from whom (R1-R6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.errors import BadTable
from domain.events import RakeTaken
from domain.hand import Hand
from domain.rules.payouts import payouts
from domain.rules.rake import Charge, fourth_street_dealt, rake_due
from domain.schedules import is_raked
from domain.units import Chips
from services.explaining.explanation import Line, say
from services.replaying.pots import pot_name
from services.replaying.seating import Seating, listed

METHODS = {
    "dealt": "equally among those dealt in",
    "contributed": "equally among those with chips in the pot",
    "weighted": "in proportion to the chips each has in the pot",
    "winner": "in proportion to what each was awarded",
}


def rake_lines(hand: Hand, words: Seating) -> Iterator[Line]:
    """The rake of a hand whose betting is over, as recorded, against what the rules give."""
    if not is_raked(hand.started):
        kind = {"play": "play money", "tournament": "a tournament"}[hand.started.money.kind]
        yield say(f"No rake: this is {kind}.", "R1")
        if hand.rake:
            yield say(f"The record takes {words.amount(hand.rake)} all the same.", level=1)
        return
    recorded = hand.rake_taken
    if recorded is None:
        yield say("The record has no word about rake.", "R1")
        return
    amounts = tuple(payout.pot.amount for payout in payouts(hand, recorded).payouts)
    matched = sum(amounts)
    rake = words.amount(recorded.total) if recorded.total else "Nothing"
    yield say(f"{rake} is taken from the {words.amount(matched)} that was matched.", "R1")
    yield from _why_so_much(hand, words, recorded, amounts)
    if len(recorded.pots) > 1 and recorded.total:
        yield _per_pot(words, recorded.pots, amounts)
    if recorded.total:
        yield _attributed(words, recorded)


def _why_so_much(
    hand: Hand, words: Seating, recorded: RakeTaken, amounts: Sequence[Chips]
) -> Iterator[Line]:
    rules = hand.started.house_rules
    if rules.rake == "as_recorded":
        yield say(
            f"The house rules ({rules.name}) take the rake as the record has it; only whether "
            "it can be is checked.",
            "R1",
        )
    if not fourth_street_dealt(hand) and not rules.rake_third_street:
        yield say("Fourth street was never dealt, so no rake is due.", "R4")
        return
    if rules.rake == "schedule":
        yield from _by_schedule(hand, words, recorded, amounts)


def _by_schedule(
    hand: Hand, words: Seating, recorded: RakeTaken, amounts: Sequence[Chips]
) -> Iterator[Line]:
    try:
        due = rake_due(hand, amounts)
    except BadTable as wrong:
        yield say(f"The schedule does not say: {wrong}.", wrong.rule)
        return
    if due is None:
        return
    yield say(f"{_schedule(hand)}: row {due.row}; {due.step}.", "R2")
    if due.total != recorded.total:
        yield _differs(words, due, recorded)


def _schedule(hand: Hand) -> str:
    ref = hand.started.rake_schedule
    return "No schedule" if ref is None else f"Schedule {ref.id}, version {ref.version}"


def _differs(words: Seating, due: Charge, recorded: RakeTaken) -> Line:
    want, got = words.amount(due.total), words.amount(recorded.total)
    return say(f"By the schedule it is {want}; the record has {got}.", "R2")


def _per_pot(words: Seating, pots: Sequence[Chips], amounts: Sequence[Chips]) -> Line:
    """What each pot bears as pots are stacked."""
    each = [
        f"{pot_name(index)} of {words.amount(amount)} bears {words.amount(rake)}"
        for index, (amount, rake) in enumerate(zip(amounts, pots, strict=False))
    ]
    return say(f"Pots stacked, main first: {listed(each)}.", "R5")


def _attributed(words: Seating, recorded: RakeTaken) -> Line:
    method = recorded.attribution.method
    shares = ", ".join(
        f"{words.who(share.seat)} {words.amount(share.amount)}"
        for share in recorded.attribution.shares
        if share.amount
    )
    return say(f"Borne {METHODS[method]} ({method}): {shares or 'by nobody'}.", "R6")
