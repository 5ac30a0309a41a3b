"""The rounds of a hand as POJEU tells them: antes, five streets, and what was turned up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement

import msgspec

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.units import Card, Chips, ChipsMoved, Seat
from services.writers.hand import CannotSay
from services.writers.pojeu.spelling import NUMBERS, amount

ANTE, REVEAL = 2, 8
NAMES = {
    ANTE: "ante",
    3: "third street",
    4: "fourth street",
    5: "fifth street",
    6: "sixth street",
    7: "seventh street",
    REVEAL: "reveal",
}
"""A round's name, in the order of the rounds."""

Wager = e.Completed | e.BetPlaced | e.Raised


class Round(msgspec.Struct, kw_only=True):
    """One round: its first moment, where that is known, and the chips that stayed in."""

    name: str
    at: datetime | None
    actions: list[Element] = []
    total: ChipsMoved = 0


class Rounds:
    """The rounds as they fill, event by event; `over` is the hand at its end."""

    def __init__(self, over: Hand) -> None:
        self._over = over
        self._exponent = over.started.money.exponent
        self._rounds: dict[int, Round] = {}

    def tell(self, hand: Hand, event: e.HandEvent) -> None:
        """Add what `event` means to `hand`. What POJEU has no word for adds nothing."""
        match event:
            case e.AntePosted():
                self._bet(ANTE, event, "ante", event.amount)
            case e.BringInPosted():
                self._bet(hand.betting.street, event, "bring-in", event.amount)
            case e.Called():
                self._bet(hand.betting.street, event, _allin(event, "call"), event.amount)
            case e.Completed() | e.BetPlaced() | e.Raised():
                self._wagered(hand, event)
            case e.Checked() | e.Folded():
                said = "Check" if isinstance(event, e.Checked) else "Fold"
                self._act(hand.betting.street, event, _action(said, event.seat))
            case e.UncalledReturned():
                self._returned(hand, event)
            case e.CardsDealt() | e.CommunityCardDealt() | e.CardsShown():
                self._cards(hand, event)

    def in_order(self) -> Iterator[Round]:
        """The rounds there were."""
        return (self._rounds[place] for place in NAMES if place in self._rounds)

    def _round(self, place: int, event: e.HandEvent) -> Round:
        if place not in NAMES:
            raise CannotSay("somebody acts before there are cards")
        if place not in self._rounds:
            self._rounds[place] = Round(name=NAMES[place], at=event.at)
        return self._rounds[place]

    def _act(self, place: int, event: e.HandEvent, *actions: Element) -> None:
        if actions:
            self._round(place, event).actions += actions

    def _bet(
        self, place: int, event: Wager | e.AntePosted | e.BringInPosted | e.Called, name: str,
        chips: Chips,
    ) -> None:  # fmt: skip
        action = _action("Bet", event.seat, amount(chips, self._exponent), name=name)
        self._act(place, event, action)
        self._round(place, event).total += chips

    def _wagered(self, hand: Hand, event: Wager) -> None:
        put_in = event.to - hand.player(event.seat).street_total
        name = "bet" if isinstance(event, e.BetPlaced) else "raise"
        self._bet(hand.betting.street, event, _allin(event, name), put_in)

    def _returned(self, hand: Hand, event: e.UncalledReturned) -> None:
        """What goes back counts in no round: first of this street, then of the antes."""
        of_the_street = min(event.amount, hand.player(event.seat).street_total)
        for place, chips in (
            (hand.betting.street, of_the_street),
            (ANTE, event.amount - of_the_street),
        ):
            if chips:
                self._round(place, event).total -= chips

    def _cards(self, hand: Hand, event: e.CardsDealt | e.CommunityCardDealt | e.CardsShown) -> None:
        match event:
            case e.CardsDealt(seat=seat, street=street):
                his, dealt = self._over.player(seat), hand.player(seat)
                down = his.down[len(dealt.down) :][: len(event.down)]
                draws = [_draw(seat, card) for card in down]
                draws += [_draw(seat, card, ouverte="true") for card in event.up]
                self._act(street, event, *draws)
            case e.CommunityCardDealt(card=card):
                self._act(7, event, _draw(None, card, ouverte="true", commune="true"))
            case e.CardsShown(seat=seat, cards=cards):
                down = self._over.player(seat).down
                turned = [_numbered("Reveal", seat, card) for card in cards if card in down]
                self._act(REVEAL, event, *turned)


def rounds_of(events: Sequence[e.HandEvent], over: Hand) -> tuple[Round, ...]:
    """The rounds of a hand whose cards are all known. Raises `CannotSay`."""
    rounds, hand = Rounds(over), None
    for event in events:
        if hand is not None:
            rounds.tell(hand, event)
        hand = evolve(hand, event)
    return tuple(rounds.in_order())


def _allin(event: Wager | e.Called, name: str) -> str:
    """What he chose, unless it was his last chip; forced bets keep their names."""
    return "allin" if event.all_in else name


def _action(tag: str, seat: Seat | None, value: str | None = None, **attributes: str) -> Element:
    element = Element(tag, attributes)
    if seat is not None:
        SubElement(element, "Siege").text = str(seat)
    if value is not None:
        SubElement(element, "Valeur").text = value
    return element


def _numbered(tag: str, seat: Seat | None, card: Card, **attributes: str) -> Element:
    return _action(tag, seat, str(NUMBERS[card]), **attributes)


def _draw(seat: Seat | None, card: Card, **attributes: str) -> Element:
    return _numbered("Draw", seat, card, **attributes)
