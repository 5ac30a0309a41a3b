"""Whether the house took what its schedule gives, from whom its method says (R1-R6)."""

from __future__ import annotations

from domain import events as e
from domain.amounts import amount_words
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.payouts import payouts, won
from domain.rules.rake import attribute, rake_possible
from domain.schedules import is_raked


def check_rake(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    """Sane in itself, due at all, by the named schedule, and borne as the method says."""
    return (
        *_sums(hand, event),
        *(_not_due(hand, event) or _by_schedule(hand, event)),
        *_attribution(hand, event),
    )


def _sums(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    total, of_pots = _money(hand, event.total), _money(hand, sum(event.pots))
    if total == of_pots:
        return ()
    text = f"The rake is {total}, but the pots bear {of_pots}."
    return (object_to(hand, "R5", total, of_pots, text),)


def _not_due(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    if event.total == 0 or rake_possible(hand):
        return ()
    taken, nothing = _money(hand, event.total), _money(hand, 0)
    if not is_raked(hand.started):
        text = f"{taken} rake was taken; only real-money cash hands are raked."
        return (object_to(hand, "R1", nothing, taken, text),)
    text = f"{taken} rake was taken from a hand that ended before fourth street."
    return (object_to(hand, "R4", nothing, taken, text),)


def _by_schedule(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    if hand.started.house_rules.rake == "as_recorded":
        return ()
    due = payouts(hand).charge
    if due.total != event.total:
        want, got = _money(hand, due.total), _money(hand, event.total)
        text = f"{got} rake was taken; the schedule gives {want} ({due.row}; {due.step})."
        return (object_to(hand, "R2", want, got, text),)
    if due.pots != event.pots:
        want, got = _list(hand, due.pots), _list(hand, event.pots)
        text = f"The pots bear {got} of the rake; as they are stacked it is {want}."
        return (object_to(hand, "R5", want, got, text),)
    if (due.row, due.step) != (event.row, event.step):
        want, got = f"{due.row}; {due.step}", f"{event.row}; {event.step}"
        text = f"The rake names the row and step {got}; they are {want}."
        return (object_to(hand, "R2", want, got, text),)
    return ()


def _attribution(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    given = {share.seat: share.amount for share in event.attribution.shares if share.amount}
    method = event.attribution.method
    winners = won(payouts(hand, event)) if method == "winner" else {}
    due = attribute(hand, event.total, method, winners)
    wanted = {share.seat: share.amount for share in due.shares if share.amount}
    if given == wanted or _unknown_order(hand, event, given, wanted):
        return ()
    want, got = _shares(hand, wanted), _shares(hand, given)
    text = f"The rake is attributed {got}; by the method {method} it is {want}."
    return (object_to(hand, "R6", want, got, text),)


def _unknown_order(
    hand: Hand, event: e.RakeTaken, given: dict[int, int], wanted: dict[int, int]
) -> bool:
    """Whether only the order of equal remainders differs, which a known dealer would decide."""
    if hand.started.dealer is not None or sum(given.values()) != event.total:
        return False
    seats = given.keys() | wanted.keys()
    return all(abs(given.get(seat, 0) - wanted.get(seat, 0)) <= 1 for seat in seats)


def _money(hand: Hand, amount: int) -> str:
    return amount_words(amount, hand.started.money)


def _list(hand: Hand, amounts: tuple[int, ...]) -> str:
    return " + ".join(_money(hand, amount) for amount in amounts) or _money(hand, 0)


def _shares(hand: Hand, shares: dict[int, int]) -> str:
    each = ", ".join(f"seat {seat} {_money(hand, shares[seat])}" for seat in sorted(shares))
    return each or "to nobody"
