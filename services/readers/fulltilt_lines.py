"""The lines of a Full Tilt hand as facts: each is matched whole, after its player's name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.units import Seat
from services.readers.cards import cards_of
from services.readers.names import Names
from services.readers.record import Fact, Unreadable
from services.readers.site_text import MOST_ECHOED, Acts, act_of, amount_at, deal_of

CANCELLED = re.compile(r"Hand (?:#\d+ )?(?:has been )?cancell?ed\.?", re.I)
"""The site's own word that the hand does not count."""

_STREETS = {
    "3RD STREET": 3,
    "4TH STREET": 4,
    "5TH STREET": 5,
    "6TH STREET": 6,
    "7TH STREET": 7,
    "RIVER": 7,
}
_SECTION = re.compile(r"\*\*\* (.+?) \*\*\*(?: \[(?P<card>[^\[\]]+)\])?(?: \(.*\))?")
_DEALT = re.compile(r" \[([^\[\]]*)\](?: \[([^\[\]]*)\])?")
_RETURNED = re.compile(r"Uncalled bet of (.+?) returned to (.+)")
_SHOWN_IN_SUMMARY = re.compile(r".*\b(showed|mucked) \[([^\[\]]*)\].*")
_ADDS = re.compile(r" adds (\S+)")

_ALL_IN = r"(?P<all_in>, and is all in)?"
_ACTS: Acts = (
    (re.compile(rf" antes (?P<amount>\S+?){_ALL_IN}"), "ante"),
    (re.compile(rf" brings in (?:low |high )?for (?P<amount>\S+?){_ALL_IN}"), "bring_in"),
    (re.compile(rf" bets (?P<amount>\S+?){_ALL_IN}"), "wager"),
    (re.compile(rf" (?:completes it|raises) to (?P<amount>\S+?){_ALL_IN}"), "wager"),
    (re.compile(rf" calls (?P<amount>\S+?){_ALL_IN}"), "call"),
    (re.compile(r" checks"), "check"),
    (re.compile(r" folds"), "fold"),
    (re.compile(r" shows \[(?P<cards>[^\[\]]*)\](?: .*)?"), "shows"),
    (re.compile(r" mucks"), "mucks"),
    (
        re.compile(
            r" (?:wins|ties for) (?:the )?(?:(?P<half>high|low) )?(?:main |(?P<side>side ))?pot"
            r"(?:[ -]?#?(?P<n>\d+))? \((?P<amount>[^()]+)\)(?: with .*)?"
        ),
        "collected",
    ),
    (re.compile(r" has timed out(?: .*)?"), "timed_out"),
    (re.compile(r" (?:has been|is) disconnected"), "disconnected"),
    (re.compile(r" (?:has reconnected|is connected)"), "reconnected"),
)
_SAYS_NOTHING = re.compile(
    r":.*| is (?:low|high) with .*| is sitting out| sits (?:down|out)| stands up| has returned"
    r"| has \d+ seconds left to act| has requested TIME"
)
_VERBS = (
    r"(?:antes|brings in|bets|calls|checks|folds|raises to|completes it|shows \[|mucks"
    r"|(?:wins|ties for) (?:the )?(?:\w+ ){0,2}pot)"
)
_BEGINS_AN_ACT = re.compile(rf" {_VERBS}.*")
_ACT_OF_SOMEBODY = re.compile(rf"[^:]+ {_VERBS}(?: .*)?")


class Lines:
    """Turns numbered lines into facts, keeping only what street it is."""

    def __init__(self, names: Names, exponent: int) -> None:
        self._names = names
        self._exponent = exponent
        self._street = 0

    def facts(self, number: int, line: str) -> Iterator[Fact]:
        """What one line before the summary says. Raises `Unreadable` for an act not understood.

        Everything that is no act of a seated player, a deal or a section is noise: chat is
        `NAME: …`, so it never looks like an act, which has no colon.
        """
        if CANCELLED.fullmatch(line):
            yield Fact(number, "cancelled", text="The site cancelled the hand.")
        elif line.startswith("*** "):
            yield from self._section(number, line)
        elif line.startswith("Dealt to "):
            yield from self._dealt(number, line.removeprefix("Dealt to "))
        elif line.startswith("Uncalled bet "):
            yield self._returned(number, line)
        else:
            yield from self._act(number, line)

    def facts_of_summary(self, number: int, line: str) -> Iterator[Fact]:
        """Cards that only the summary prints."""
        where, _, rest = line.partition(": ")
        for seat, said in self._names.readings(rest):
            if where != f"Seat {seat}":
                continue
            if said.count("[") != said.count("]"):
                raise Unreadable(number, "the hand breaks off in its summary")
            match = _SHOWN_IN_SUMMARY.fullmatch(said)
            if match:
                yield Fact(number, "holds", seat, cards=cards_of(match[2], number))
                return

    def _section(self, number: int, line: str) -> Iterator[Fact]:
        match = _SECTION.fullmatch(line)
        name = match[1] if match else line
        if match and name in _STREETS:
            self._street = _STREETS[name]
            yield Fact(number, "street", amount=self._street)
            if match["card"]:
                yield Fact(number, "community", cards=cards_of(match["card"], number)[-1:])
        elif name != "SHOW DOWN":
            raise Unreadable(number, f"section '{name[:MOST_ECHOED]}' is not known")

    def _dealt(self, number: int, rest: str) -> Iterator[Fact]:
        for seat, printed in self._names.readings(rest):
            match = _DEALT.fullmatch(printed)
            if match:
                groups = [cards_of(group, number) for group in match.groups() if group is not None]
                yield from deal_of(number, seat, self._street, groups)
                return
        raise Unreadable(number, "cards are dealt to nobody in the seat list")

    def _returned(self, number: int, line: str) -> Fact:
        match = _RETURNED.fullmatch(line)
        seat = self._names.seat(match[2]) if match else None
        if not match or seat is None:
            raise Unreadable(number, "an uncalled bet is returned to nobody in the seat list")
        return Fact(number, "returned", seat, amount_at(match[1], self._exponent, number))

    def _act(self, number: int, line: str) -> Iterator[Fact]:
        """The first reading that makes sense; an act of nobody known makes none."""
        seated = False
        for seat, rest in self._names.readings(line):
            if _SAYS_NOTHING.fullmatch(rest):
                return
            facts = list(self._act_of(number, seat, rest))
            if facts:
                yield from facts
                return
            seated = True
        if not seated and _ACT_OF_SOMEBODY.fullmatch(line):
            raise Unreadable(number, "somebody acts who is not in the seat list")
        for seat, rest in self._names.readings(line):
            if _BEGINS_AN_ACT.fullmatch(rest):
                raise Unreadable(number, f"seat {seat}: '{rest[1:MOST_ECHOED]}' is not understood")

    def _act_of(self, number: int, seat: Seat, rest: str) -> Iterator[Fact]:
        for pattern, kind in _ACTS:
            match = pattern.fullmatch(rest)
            if match:
                yield from act_of(number, seat, kind, match, self._exponent)
                return
        adds = _ADDS.fullmatch(rest)
        if adds:
            yield _added(number, seat, adds[1])


def _added(number: int, seat: int, printed: str) -> Fact:
    """Chips put on the table during a hand play from the next one on (B6)."""
    text = f"Seat {seat} adds {printed}, which counts from the next hand on."
    return Fact(number, "note", seat, text=text)
