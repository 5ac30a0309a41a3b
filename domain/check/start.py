"""Whether a hand could begin like this at all (G4, S4, S6)."""

from __future__ import annotations

from domain import events as e
from domain.finding import Finding

MOST_PLAYERS = 8


def check_started(event: e.HandStarted) -> tuple[Finding, ...]:
    """At most eight players, a big bet of twice the small bet, a bring-in the house allows."""
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
    return tuple(found)


def _finding(rule: str, expected: str, recorded: str, text: str) -> Finding:
    return Finding(step=1, rule=rule, expected=expected, recorded=recorded, text=text)
