"""Whether a hand can start like this: seats, stacks, stakes, house rules, rake band."""

from __future__ import annotations

from domain.errors import BadTable
from domain.events import HandStarted, Stakes
from domain.house_rules import Clock
from domain.rules.clock import allowed
from domain.schedules import Terms, require_band
from domain.units import MOST_CHIPS, Chips

MOST_PLAYERS = 8
LONGEST_TURN = 86_400
"""Seconds: a day. What is longer is a slip, and ends outside of every calendar."""


def default_bring_in(small_bet: Chips, chip_unit: Chips) -> Chips:
    """Half the small bet rounded up to the chip (S4).

    >>> default_bring_in(25, 10)
    20
    """
    chips, rest = divmod(small_bet, 2 * chip_unit)
    return (chips + (rest > 0)) * chip_unit


def require_playable(hand: HandStarted) -> None:
    """Raises `BadTable` with the rule's id if these facts cannot begin a dealt hand."""
    _require_seats(hand)
    require_terms(hand)


def require_terms(terms: Terms) -> None:
    """Raises `BadTable` with the rule's id if nothing can be dealt under these terms."""
    _require_stakes(terms.stakes)
    _require_bring_in(terms)
    _require_clock(terms.house_rules.clock)
    if terms.money.kind == "real":
        _require_rake(terms)


def _require_seats(hand: HandStarted) -> None:
    seats = [taken.seat for taken in hand.seats]
    if not 2 <= len(seats) <= MOST_PLAYERS:
        raise BadTable(f"a hand needs 2 to 8 players, not {len(seats)}", rule="G4")
    if len(set(seats)) < len(seats):
        raise BadTable("two players in one seat", rule="G4")
    if len({taken.player for taken in hand.seats}) < len(seats):
        raise BadTable("a player sits twice", rule="G4")
    if hand.dealer is None:
        raise BadTable("a dealt hand has a dealer seat", rule="G5")
    if max(*seats, hand.dealer) > hand.table.max_seats:
        raise BadTable(f"the table has {hand.table.max_seats} seats", rule="G4")
    if any(taken.stack < 1 for taken in hand.seats):
        raise BadTable("nobody is dealt in without chips", rule="B6")
    if sum(taken.stack for taken in hand.seats) > MOST_CHIPS:
        raise BadTable(f"no table holds more than {MOST_CHIPS} chips", rule="P8")


def _require_clock(clock: Clock | None) -> None:
    if clock is None:
        return
    if min(clock.turn, clock.countdown, clock.disconnected) < 0:
        raise BadTable("no part of a turn is shorter than nothing", rule="C1")
    if allowed(clock, disconnected=True) > LONGEST_TURN:
        raise BadTable(f"no turn lasts longer than {LONGEST_TURN} seconds", rule="C1")


def _require_stakes(stakes: Stakes) -> None:
    if stakes.chip_unit < 1:
        raise BadTable("a chip is worth at least one minor unit", rule="P7")
    if stakes.small_bet < 1 or stakes.big_bet != 2 * stakes.small_bet:
        raise BadTable("the big bet is twice the small bet", rule="S6")
    amounts = {"S6": stakes.small_bet, "S1": stakes.ante, "S4": stakes.bring_in}
    for rule, amount in amounts.items():
        if amount < 0 or amount % stakes.chip_unit:
            raise BadTable(f"{amount} is not a number of whole chips", rule=rule)


def _require_bring_in(terms: Terms) -> None:
    stakes = terms.stakes
    if not 0 < stakes.bring_in <= stakes.small_bet:
        raise BadTable("the bring-in is above nothing and at most the small bet", rule="S4")
    if terms.house_rules.bring_in_floor == "half" and 2 * stakes.bring_in < stakes.small_bet:
        raise BadTable("the bring-in is at least half the small bet here", rule="S4")


def _require_rake(terms: Terms) -> None:
    if not terms.money.currency:
        raise BadTable("real money has a currency", rule="R1")
    if terms.house_rules.rake == "as_recorded" or terms.rake_schedule is None:
        raise BadTable("a real-money hand needs a rake schedule to be dealt under", rule="R2")
    require_band(terms)
