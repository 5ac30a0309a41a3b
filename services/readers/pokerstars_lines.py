"""The lines of a PokerStars hand as facts: each is matched whole, after its player's name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.readers.cards import cards_of
from services.readers.names import Names
from services.readers.record import Fact, FactKind, Unreadable
from services.readers.site_text import Acts, act_of, amount_at, deal_of

_STREETS = {"3rd STREET": 3, "4th STREET": 4, "5th STREET": 5, "6th STREET": 6, "RIVER": 7}
_SECTION = re.compile(r"\*\*\* (.+?) \*\*\*(?: \[(.+)\])?")
CANCELLED = re.compile(r"Hand (?:was )?cancell?ed\.?", re.I)
"""The site's own word that the hand does not count."""

_CHAT = re.compile(r'.+ said, ".*"')
_DEALT = re.compile(r" \[([^\[\]]*)\](?: \[([^\[\]]*)\])?")
_RETURNED = re.compile(r"Uncalled bet \((.+?)\) returned to (.+)")
_SHOWN_IN_SUMMARY = re.compile(r".*\b(showed|mucked) \[([^\[\]]*)\].*")

_ALL_IN = r"(?P<all_in> and is all-in)?"
_ACTS: Acts = (
    (re.compile(rf": posts the ante (?P<amount>.+?){_ALL_IN}"), "ante"),
    (re.compile(rf": brings[ -]in (?:low |high )?for (?P<amount>.+?){_ALL_IN}"), "bring_in"),
    (re.compile(rf": bets (?P<amount>.+?){_ALL_IN}"), "wager"),
    (re.compile(rf": raises .+? to (?P<amount>.+?){_ALL_IN}"), "wager"),
    (re.compile(rf": calls (?P<amount>.+?){_ALL_IN}"), "call"),
    (re.compile(r": checks"), "check"),
    (re.compile(r": folds(?: \[(?P<cards>.*)\])?"), "fold"),
    (re.compile(r": shows \[(?P<cards>[^\[\]]*)\](?: \(.*\))?"), "shows"),
    (re.compile(r": mucks hand"), "mucks"),
    (
        re.compile(r" collected (?P<amount>.+?) from (?:main |(?P<side>side ))?pot(?:-(?P<n>\d))?"),
        "collected",
    ),
    (re.compile(r" has timed out(?: while .*)?"), "timed_out"),
    (re.compile(r" is disconnected ?"), "disconnected"),
    (re.compile(r" (?:is connected|has reconnected) ?"), "reconnected"),
)
_SAYS_NOTHING = re.compile(
    r": (?:doesn't show hand|does not show hand|shows no hand|sits out|is sitting out)(?: .*)?"
)
_ACT_OF_SOMEBODY = re.compile(
    r".+: (?:posts the ante|brings[ -]in|bets|calls|raises|checks|folds|shows|mucks)\b.*"
)


class Lines:
    """Turns numbered lines into facts, keeping only what street it is."""

    def __init__(self, names: Names, exponent: int) -> None:
        self._names = names
        self._exponent = exponent
        self._street = 0

    def facts(self, number: int, line: str) -> Iterator[Fact]:
        """What one line before the summary says. Raises `Unreadable` for an act not understood.

        Everything that is no act of a seated player, a deal or a section is noise.
        """
        if _CHAT.fullmatch(line):
            return
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
                kind: FactKind = "shows" if match[1] == "showed" else "holds"
                yield Fact(number, kind, seat, cards=cards_of(match[2], number))
                return

    def _section(self, number: int, line: str) -> Iterator[Fact]:
        match = _SECTION.fullmatch(line)
        name = match[1] if match else line
        if match and name in _STREETS:
            self._street = _STREETS[name]
            yield Fact(number, "street", amount=self._street)
            if match[2]:
                yield Fact(number, "community", cards=cards_of(match[2], number)[-1:])
        elif name != "SHOW DOWN":
            raise Unreadable(number, f"section '{name[:60]}' is not known")

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
        unknown = None
        for seat, rest in self._names.readings(line):
            for pattern, kind in _ACTS:
                match = pattern.fullmatch(rest)
                if match:
                    yield from act_of(number, seat, kind, match, self._exponent)
                    return
            if _SAYS_NOTHING.fullmatch(rest):
                return
            if rest.startswith(": "):
                unknown = unknown or f"seat {seat}: '{rest[2:80]}' is not understood"
        if unknown is None and _ACT_OF_SOMEBODY.fullmatch(line):
            unknown = "somebody acts who is not in the seat list"
        if unknown:
            raise Unreadable(number, unknown)
