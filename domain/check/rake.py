"""Whether the house took what its schedule gives, from whom its method says (R1-R6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain import events as e
from domain.amounts import amount_words
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.payouts import payouts, pot_amounts, won
from domain.rules.rake import ATTRIBUTION_VERSION, attribute, expected_rake, rake_possible
from domain.rules.settlement import open_questions
from domain.schedules import is_raked
from domain.units import Chips, Seat

Shares = dict[Seat, Chips]


def check_rake(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    """Sane in itself, due at all, by the named schedule, and borne as the method says."""
    return (
        *_after_awards(hand),
        *_sums(hand, event),
        *(_not_due(hand, event) or _amounts(hand, event)),
        *_attribution(hand, event),
    )


def check_missing_rake(hand: Hand) -> tuple[Finding, ...]:
    """A paid-out hand for real money says what the rake was, also where it was nothing (R1)."""
    if hand.rake_taken is not None or not is_raked(hand.started):
        return ()
    text = "The hand was played for real money and has no word about rake."
    return (object_to(hand, "R1", "the rake, or that there is none", "no rake", text),)


def _after_awards(hand: Hand) -> tuple[Finding, ...]:
    """First the rake, then the halves and the awards (P3)."""
    if not hand.awards:
        return ()
    text = "Rake was taken after a pot was paid out."
    return (object_to(hand, "P3", "rake before the first award", "rake after it", text),)


def _sums(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    if event.total == sum(event.pots):
        return ()
    total, of_pots = _money(hand, event.total), _money(hand, sum(event.pots))
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


def _amounts(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    """As much as the schedule gives, or what the record says, from pots there are (R2, R5)."""
    if hand.started.house_rules.rake == "as_recorded":
        return _as_recorded(hand, event)
    return _by_schedule(hand, event)


def _as_recorded(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    """The amount is a fact; it comes from the pots there are and names no schedule's row."""
    amounts = pot_amounts(hand)
    borne = zip(event.pots, amounts, strict=False)
    if len(event.pots) != len(amounts) or any(rake > amount for rake, amount in borne):
        want = _list(hand, amounts)
        got = _list(hand, event.pots)
        text = f"The rake comes from pots as {got}; the pots are {want}."
        return (object_to(hand, "R5", f"at most {want}", got, text),)
    if event.row is not None or event.step is not None:
        text = "The rake names a row of a schedule, but is taken as it was recorded."
        return (object_to(hand, "R2", "no row", f"{event.row}; {event.step}", text),)
    return ()


def _by_schedule(hand: Hand, event: e.RakeTaken) -> tuple[Finding, ...]:
    due = expected_rake(hand, pot_amounts(hand))
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
    """By the house's method, every seat's share what that method gives (R6)."""
    method, house = event.attribution.method, hand.started.house_rules.rake_attribution
    if (method, event.attribution.version) != (house, ATTRIBUTION_VERSION):
        want, got = f"{house} {ATTRIBUTION_VERSION}", f"{method} {event.attribution.version}"
        text = f"The rake is attributed by the method {got}; the house attributes by {want}."
        return (object_to(hand, "R6", want, got, text),)
    if method != "winner" and _as_due(hand, event):
        return ()
    given: Shares = {}
    for share in event.attribution.shares:
        given[share.seat] = given.get(share.seat, 0) + share.amount
    given = {seat: amount for seat, amount in given.items() if amount}
    if method == "winner" and sum(given.values()) == event.total and _winners_open(hand, event):
        return ()
    winners = won(payouts(hand, event)) if method == "winner" else {}
    wanted, *others = _right_ways(hand, event, winners)
    if given == wanted or given in others:
        return ()
    want, got = _shares(hand, wanted), _shares(hand, given)
    text = f"The rake is attributed {got}; by the method {method} it is {want}."
    return (object_to(hand, "R6", want, got, text),)


def _as_due(hand: Hand, event: e.RakeTaken) -> bool:
    """Whether the shares are, one by one, what a method that asks for no winners gives."""
    due = attribute(hand, event.total, event.attribution.method, {})
    return due.shares == event.attribution.shares


def _winners_open(hand: Hand, event: e.RakeTaken) -> bool:
    """Whether unknown cards or an unknown dealer leave open who wins how much."""
    return any(open_questions(payouts(hand, event)))


def _right_ways(hand: Hand, event: e.RakeTaken, winners: Shares) -> Iterator[Shares]:
    """What the method gives; where no dealer is known, from every seat he may have had.

    He decides the order of equal remainders.
    """
    dealers = (p.seat for p in hand.seats) if hand.started.dealer is None else ()
    for started in (hand.started, *(replace(hand.started, dealer=seat) for seat in dealers)):
        told = replace(hand, started=started)
        due = attribute(told, event.total, event.attribution.method, winners)
        yield {share.seat: share.amount for share in due.shares if share.amount}


def _money(hand: Hand, amount: int) -> str:
    return amount_words(amount, hand.started.money)


def _list(hand: Hand, amounts: tuple[int, ...]) -> str:
    return " + ".join(_money(hand, amount) for amount in amounts) or _money(hand, 0)


def _shares(hand: Hand, shares: Shares) -> str:
    each = ", ".join(f"seat {seat} {_money(hand, shares[seat])}" for seat in sorted(shares))
    return each or "to nobody"
