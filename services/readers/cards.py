"""What a record tells about each seat's cards, gathered over the whole hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from domain.events import CardsDealt
from domain.units import UNKNOWN, Card, Seat
from services.readers.record import Fact, Unreadable

SLOTS = 7
"""Down, down, up, up, up, up, down: a seat's cards in the order they are dealt."""

_CARD = re.compile(r"(?:(10|[2-9TJQKA])([CDHS])|\?\?)[\s,]*", re.IGNORECASE)


def cards_of(printed: str, line: int) -> tuple[Card, ...]:
    """Cards printed one after the other, spaced or not. Raises `Unreadable`."""
    found: list[Card] = []
    at = 0
    text = printed.strip()
    while at < len(text):
        match = _CARD.match(text, at)
        if not match:
            raise Unreadable(line, f"'{printed}' is not a list of cards")
        rank, suit = match[1], match[2]
        found.append(rank.upper().replace("10", "T") + suit.lower() if rank else UNKNOWN)
        at = match.end()
    return tuple(found)


def down_slots(street: int) -> slice:
    """Where the face-down cards of a street go."""
    return {3: slice(0, 2), 7: slice(6, 7)}.get(street, slice(0, 0))


def up_slots(street: int) -> slice:
    """Where the face-up cards of a street go."""
    return slice(0, 0) if street == 7 else slice(street - 1, street)


class Dealing:
    """The cards of a record that prints every deal: a street begins with the first of its cards."""

    def __init__(self) -> None:
        self.street = 2
        self._dealt: dict[Seat, int] = {}

    def deal(self, line: int, seat: Seat, cards: Sequence[Card]) -> Iterator[Fact]:
        """The next cards of a seat: the first three are third street, then one a street.

        Raises `Unreadable` for cards that are none or too many.
        """
        slot = self._dealt.get(seat, 0)
        held = self._dealt[seat] = slot + len(cards)
        if not cards or held > SLOTS or (slot >= 3 and len(cards) > 1):
            raise Unreadable(line, f"seat {seat} gets {len(cards)} cards after {slot}")
        yield from self._begin(line, max(held, 3))
        yield Fact(line, "dealt", seat, cards=tuple(cards), slot=slot)

    def community(self, line: int, cards: Sequence[Card]) -> Iterator[Fact]:
        """The one card for all, on seventh street. Raises `Unreadable` for more than one."""
        if len(cards) != 1:
            raise Unreadable(line, "seven card stud has one community card")
        yield from self._begin(line, SLOTS)
        yield Fact(line, "community", cards=tuple(cards))

    def _begin(self, line: int, street: int) -> Iterator[Fact]:
        if street > self.street:
            self.street = street
            yield Fact(line, "street", amount=street)


class Holdings:
    """Seven slots for every seat, `??` until the record shows the card, wherever it does."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        self._slots: dict[Seat, list[Card]] = {seat: [UNKNOWN] * SLOTS for seat in seats}

    def learn(self, seat: Seat, slot: int, cards: Sequence[Card], line: int) -> None:
        """Put `cards` into the slots from `slot` on.

        Raises `Unreadable` if the record gave another card there, or for an eighth card.
        """
        slots = self._slots[seat]
        if slot + len(cards) > SLOTS:
            raise Unreadable(line, f"more than {SLOTS} cards for seat {seat}")
        for place, card in enumerate(cards, slot):
            if slots[place] not in (card, UNKNOWN) and card != UNKNOWN:
                raise Unreadable(line, f"seat {seat} was dealt {slots[place]}, not {card}")
            if card != UNKNOWN:
                slots[place] = card

    def learn_hand(self, seat: Seat, cards: Sequence[Card], held: int, line: int) -> None:
        """What a show line lists of the `held` cards a seat has, all of them or some.

        Usually in dealing order; where it is not, the cards not yet seen fill the empty slots.
        Raises `Unreadable` if it lists more cards, or others than were dealt.
        """
        slots = self._slots[seat]
        dealt = {card for card in slots if card != UNKNOWN}
        fresh = [card for card in cards if card not in dealt and card != UNKNOWN]
        empty = [place for place in range(held) if slots[place] == UNKNOWN]
        in_order = len(cards) == held and all(
            slot == card or (slot == UNKNOWN and card not in dealt) or card == UNKNOWN
            for slot, card in zip(slots, cards, strict=False)
        )
        if in_order:
            self.learn(seat, 0, cards, line)
            return
        if len(fresh) > len(empty) or (len(cards) == held and not dealt <= set(cards)):
            raise Unreadable(line, f"seat {seat} shows other cards than he was dealt")
        for place, card in zip(empty, fresh, strict=False):
            slots[place] = card

    def dealt(self, seat: Seat, street: int) -> CardsDealt:
        """The deal of a street to a seat, as far as the record knows by now."""
        slots = self._slots[seat]
        return CardsDealt(
            seat=seat,
            street=street,
            down=tuple(slots[down_slots(street)]),
            up=tuple(slots[up_slots(street)]),
            positions=None,
        )
