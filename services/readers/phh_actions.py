"""The action notation of PHH, word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.units import Chips, Seat
from services.readers.amounts import small_number
from services.readers.cards import Dealing, cards_of
from services.readers.phh_fields import Fields
from services.readers.record import Fact, FactKind, Unreadable

_WITHOUT_AMOUNT: dict[str, FactKind] = {"pb": "bring_in", "cc": "call", "f": "fold"}


class Actions:
    """Turns actions into facts. A street begins with the first card that belongs to it."""

    def __init__(self, fields: Fields, seats: Sequence[Seat]) -> None:
        self._fields = fields
        self._seats = seats
        self._dealing = Dealing()

    def facts(self, line: int, action: str) -> Iterator[Fact]:
        """What one action says. Raises `Unreadable` for one that is not in the notation."""
        words = action.partition("#")[0].split()
        match words:
            case []:
                return
            case ["d", "dh", player, cards]:
                yield from self._dealing.deal(line, self._seat(player, line), cards_of(cards, line))
            case ["d", "db", cards]:
                yield from self._dealing.community(line, cards_of(cards, line))
            case [player, ("pb" | "cc" | "f") as verb]:
                yield Fact(line, _WITHOUT_AMOUNT[verb], self._seat(player, line))
            case [player, "cbr", amount]:
                to = self._fields.minor(amount, line)
                yield Fact(line, "wager", self._seat(player, line), to)
            case [player, "sm", *cards]:
                yield self._show_or_muck(line, self._seat(player, line), cards)
            case _:
                raise Unreadable(line, f"action '{action[:60]}' is not understood")

    def _show_or_muck(self, line: int, seat: Seat, printed: list[str]) -> Fact:
        """`sm` alone mucks, `sm -` shows the cards already known, `sm AsKs…` shows these."""
        if not printed:
            return Fact(line, "mucks", seat)
        if printed == ["-"]:
            return Fact(line, "shows", seat)
        return Fact(line, "shows", seat, cards=cards_of("".join(printed), line))

    def _seat(self, player: str, line: int) -> Seat:
        number = player[1:]
        if player[:1] == "p" and number.isascii() and number.isdigit():
            place = small_number(number)
            if 1 <= place <= len(self._seats):
                return self._seats[place - 1]
        raise Unreadable(line, f"there is no player '{player[:20]}'")


def antes(
    line: int, seats: Sequence[Seat], due: Sequence[Chips], stacks: Sequence[Chips]
) -> Iterator[Fact]:
    """Who antes what: the notation lists what is due, a short stack posts all it has (S2)."""
    for seat, ante, stack in zip(seats, due, stacks, strict=True):
        amount = min(ante, stack)
        if amount:
            yield Fact(line, "ante", seat, amount)
