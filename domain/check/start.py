"""Whether a hand could begin like this at all (G4, S4, S6, P7)."""

from __future__ import annotations

from domain import events as e
from domain.finding import Finding

MOST_PLAYERS = 8


def check_started(event: e.HandStarted) -> tuple[Finding, ...]:
    """At most eight players, a big bet of twice the small bet, a bring-in the house allows, and
    all of it in whole chips.
    """
    found: list[Finding] = []
    if len(event.seats) > MOST_PLAYERS:
        dealt = f"{len(event.seats)} players"
        text = f"{dealt} were dealt in; stud is for two to eight."
        found.append(_finding("G4", "2 to 8 players", dealt, text))
    stakes = event.stakes
    if stakes.big_bet != 2 * stakes.small_bet:
        want, got = str(2 * stakes.small_bet), str(stakes.big_bet)
        text = f"The big bet is {got} where twice the small bet is {want}."
        found.append(_finding("S6", want, got, text))
    floor = event.house_rules.bring_in_floor == "half"
    if floor and 2 * stakes.bring_in < stakes.small_bet:
        text = "The bring-in is below half the small bet."
        want = f"at least half of {stakes.small_bet}"
        found.append(_finding("S4", want, str(stakes.bring_in), text))
    return (*found, *_broken_chips(stakes))


def _broken_chips(stakes: e.Stakes) -> tuple[Finding, ...]:
    """Every bet of the table can be paid with its chips (P7)."""
    chip = stakes.chip_unit
    if chip < 1:
        text = "A chip is worth nothing here."
        return (_finding("P7", "at least 1", str(chip), text),)
    for amount in (stakes.small_bet, stakes.big_bet, stakes.ante, stakes.bring_in):
        if amount % chip:
            text = f"The table bets {amount}, which its chips of {chip} cannot pay."
            return (_finding("P7", f"a number of chips of {chip}", str(amount), text),)
    return ()


def _finding(rule: str, expected: str, recorded: str, text: str) -> Finding:
    return Finding(step=1, rule=rule, expected=expected, recorded=recorded, text=text)
