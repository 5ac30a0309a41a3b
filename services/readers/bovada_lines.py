"""The lines of a Bovada hand as facts: `Seat+3 [ME] : Calls $2`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.units import Card, Chips, Seat
from services.readers.cards import Dealing, cards_of
from services.readers.names import Names
from services.readers.record import Fact, FactKind, Unreadable
from services.readers.site_text import MOST_ECHOED, Acts, act_of

CANCELLED = re.compile(r"Hand (?:#\d+ )?(?:has been |was )?cancell?ed\.?", re.I)
"""The site's own word that the hand does not count."""

_SECTIONS = frozenset(
    {"HOLE CARDS", "3RD STREET", "4TH STREET", "5TH STREET", "6TH STREET", "7TH STREET", "RIVER"}
)
_SECTION = re.compile(r"\*\*\* (.+?) \*\*\*(?: \[(?P<card>[^\[\]]+)\])?")
_SAYS = re.compile(r" *(?:\[ME\])? *: *(.*)")
_DEALT = re.compile(r"Card dealt to a spot \[([^\[\]]*)\]")
_ADDS = re.compile(r"Table deposit (\S+)")
_TURNED_UP = re.compile(r"(?P<how>Showdown|Does not show|Mucks?) \[(?P<cards>[^\[\]]*)\](?: .*)?")

_TIMEOUT = r"(?P<timeout> ?\(timeout\))?"
_AMOUNT = r"(?: chip info)? ?(?P<amount>[$€£]?\d.*?)"
_ACTS: Acts = (
    (re.compile(rf"Ante(?: chip)?{_TIMEOUT}{_AMOUNT}"), "ante"),
    (
        re.compile(rf"(?:Bring_in chip|(?:Big [Bb]lind/)?Bring[ _]in){_TIMEOUT}{_AMOUNT}"),
        "bring_in",
    ),
    (re.compile(rf"(?P<double>D |Double )?[Bb]ets{_TIMEOUT}{_AMOUNT}"), "wager"),
    (re.compile(rf"[Rr]aises{_TIMEOUT} (?:\S+ to )?(?P<amount>[$€£]?\d\S*)"), "wager"),
    (re.compile(rf"Calls?{_TIMEOUT}{_AMOUNT}"), "call"),
    (re.compile(rf"Checks?{_TIMEOUT}"), "check"),
    (re.compile(rf"Folds?{_TIMEOUT}"), "fold"),
    (
        re.compile(
            r"(?P<all_in>All-in)(?: ?\((?:raise|raise-timeout|timeout)\))? (?:\S+ to )?"
            r"(?P<amount>[$€£]?\d\S*)"
        ),
        "wager",
    ),
    (re.compile(rf"Return uncalled portion of bet{_AMOUNT}"), "returned"),
    (
        re.compile(rf"Hand [Rr]esult(?P<side>-Side [Pp]ot)?{_AMOUNT}"),
        "collected",
    ),
)
_BEGINS_AN_ACT = re.compile(
    r"(?:Ante|Bring|Big [Bb]lind|(?:D |Double )?[Bb]ets|[Rr]aises|Calls?\b|Checks|Folds?\b|All-in"
    r"|Card dealt|Return uncalled|Hand [Rr]esult|Showdown|Does not show|Mucks?\b).*"
)


class Bets:
    """The sizes of a hand's wagers, for the header prints no stakes.

    Everybody who bets, bets the same; all-in wagers tell nothing.
    """

    def __init__(self) -> None:
        self._small: Counter[Chips] = Counter()
        self._big: Counter[Chips] = Counter()
        self._price = 0
        self._completed = False

    @property
    def begun(self) -> bool:
        """Whether anybody put chips in on this street."""
        return self._price > 0

    def new_street(self) -> None:
        """Nothing is bet yet."""
        self._price, self._completed = 0, False

    def heard(self, fact: Fact, street: int, *, double: bool) -> None:
        """A bring-in or wager: what it raises the price by is a bet."""
        amount = fact.amount or 0
        if fact.kind == "bring_in":
            self._price = amount
            return
        by = amount - (self._price if self._completed else 0)
        if not fact.all_in and by > 0 and not (street == 4 and self._completed):
            sizes = self._big if double or street > 4 else self._small
            sizes[by] += 1
        self._price, self._completed = max(self._price, amount), True

    def stakes(self, facts: Sequence[Fact]) -> tuple[Chips, Chips]:
        """The small and the big bet; where nobody bet, twice the bring-in or ante is the small."""
        forced = [fact.amount or 0 for fact in facts if fact.kind in ("bring_in", "ante")]
        small, big = _usual(self._small), _usual(self._big)
        small = small or big // 2 or 2 * max(forced, default=1) or 1
        return small, max(big or 2 * small, small)


def _usual(sizes: Counter[Chips]) -> Chips:
    """The size heard most often, of several the smallest; 0 where none was."""
    return max(sizes, key=lambda size: (sizes[size], -size), default=0)


class Lines:
    """Turns numbered lines into facts; a street begins with the first card dealt on it."""

    def __init__(self, names: Names, exponent: int) -> None:
        self.bets = Bets()
        self._names = names
        self._exponent = exponent
        self._dealing = Dealing()
        self._cards: dict[Seat, set[Card]] = {}

    def facts(self, number: int, line: str) -> Iterator[Fact]:
        """What one line before the summary says. Raises `Unreadable` for an act not understood.

        Everything that is no act, deal or section is noise.
        """
        if CANCELLED.fullmatch(line):
            yield Fact(number, "cancelled", text="The site cancelled the hand.")
        elif line.startswith("*** "):
            yield from self._section(number, line)
        else:
            yield from self._said(number, line)

    def _section(self, number: int, line: str) -> Iterator[Fact]:
        match = _SECTION.fullmatch(line)
        if not match or match[1] not in _SECTIONS:
            raise Unreadable(number, f"section '{line[:MOST_ECHOED]}' is not known")
        if match["card"]:
            self.bets.new_street()
            yield from self._dealing.community(number, cards_of(match["card"], number)[-1:])

    def _said(self, number: int, line: str) -> Iterator[Fact]:
        for seat, rest in self._names.readings(line):
            match = _SAYS.fullmatch(rest)
            if match:
                yield from self._of(number, seat, match[1].strip())
                return
        rest = line.partition(" : ")[2]
        if _BEGINS_AN_ACT.fullmatch(rest):
            raise Unreadable(number, "somebody acts who is not in the seat list")

    def _of(self, number: int, seat: Seat, said: str) -> Iterator[Fact]:
        dealt = _DEALT.fullmatch(said)
        if dealt:
            yield from self._deal(number, seat, cards_of(dealt[1], number))
            return
        turned_up = _TURNED_UP.fullmatch(said)
        if turned_up:
            yield from self._turned_up(number, seat, turned_up)
            return
        for pattern, kind in _ACTS:
            match = pattern.fullmatch(said)
            if match:
                for fact in act_of(number, seat, kind, match, self._exponent):
                    yield from self._act(fact, match)
                return
        adds = _ADDS.fullmatch(said)
        if adds:
            text = f"Seat {seat} adds {adds[1]}, which counts from the next hand on."
            yield Fact(number, "note", seat, text=text)
        elif _BEGINS_AN_ACT.fullmatch(said):
            raise Unreadable(number, f"seat {seat}: '{said[:MOST_ECHOED]}' is not understood")

    def _deal(self, number: int, seat: Seat, cards: tuple[Card, ...]) -> Iterator[Fact]:
        before = self._dealing.street
        yield from self._dealing.deal(number, seat, cards)
        self._cards.setdefault(seat, set()).update(cards)
        if self._dealing.street > before:
            self.bets.new_street()

    def _turned_up(self, number: int, seat: Seat, match: re.Match[str]) -> Iterator[Fact]:
        """A show line lists the cards that play, for high and low; all seven are known already."""
        cards = set(cards_of(match["cards"], number))
        others = (self._cards.get(other, set()) for other in self._cards if other != seat)
        if cards.intersection(*[set().union(*others)]):
            raise Unreadable(number, f"seat {seat} shows other cards than he was dealt")
        if match["how"] == "Showdown":
            yield Fact(number, "shows", seat)
        elif match["how"].startswith("Muck"):
            yield Fact(number, "mucks", seat)

    def _act(self, fact: Fact, match: re.Match[str]) -> Iterator[Fact]:
        said = match.groupdict()
        if match[0].startswith("All-in ") and not self.bets.begun:
            # Whoever is all-in before anybody acted is so by what he had to put in.
            forced: FactKind = "bring_in" if self._dealing.street == 3 else "ante"
            if self._dealing.street <= 3:
                fact = replace(fact, kind=forced)
        if fact.kind in ("bring_in", "wager"):
            self.bets.heard(fact, self._dealing.street, double=bool(said.get("double")))
        yield fact
        if said.get("timeout") and fact.kind in ("fold", "check", "bring_in"):
            yield Fact(fact.line, "timed_out", fact.seat)
        elif "timeout" in match[0]:
            text = f"The record marks this act of seat {fact.seat} as one by time-out."
            yield Fact(fact.line, "note", fact.seat, text=text)
