"""Names of seats and amounts of money, as the words about one hand need them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from domain.amounts import amount_words
from domain.events import HandStarted, Money
from domain.units import ChipsMoved, Seat


def printable(text: str) -> str:
    """`text` without anything that would steer a terminal or break a line."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Several words in one phrase.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, end = tuple(words) or ("nobody",)
    return f"{', '.join(most)} {last} {end}" if most else end


class Seating(msgspec.Struct, frozen=True):
    """Who sits where under which name, and what a minor unit is."""

    names: dict[Seat, str]
    money: Money

    def player(self, seat: Seat) -> str:
        """The player's name as it is known, else `seat 3`."""
        return self.names.get(seat, f"seat {seat}")

    def who(self, seat: Seat) -> str:
        """A player in words about the hand: `anna (seat 3)`."""
        if seat not in self.names:
            return f"seat {seat}"
        return f"{printable(self.names[seat])} (seat {seat})"

    def subject(self, seat: Seat) -> str:
        """A player at the head of a sentence: as `who`, with a capital unless it is a name."""
        return self.who(seat) if seat in self.names else f"Seat {seat}"

    def all_of(self, seats: Collection[Seat]) -> str:
        """Several players in one phrase."""
        return listed(self.who(seat) for seat in seats)

    def subjects(self, seats: Sequence[Seat]) -> str:
        """Several players at the head of a sentence."""
        return listed((self.subject(seats[0]), *(self.who(seat) for seat in seats[1:])))

    def amount(self, amount: ChipsMoved) -> str:
        """An amount with its currency: `$12.25`."""
        return amount_words(amount, self.money)

    def signed(self, amount: ChipsMoved) -> str:
        """What somebody won or lost: `+$12.25`."""
        return f"+{self.amount(amount)}" if amount > 0 else self.amount(amount)


def seating(started: HandStarted, names: Mapping[str, str]) -> Seating:
    """The seating of a hand; `names` maps the opaque player ids to names, where known."""
    known = {taken.seat: names[taken.player] for taken in started.seats if taken.player in names}
    return Seating(known, started.money)
