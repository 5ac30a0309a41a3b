"""What a deal command becomes: the due cards, one at a time clockwise (G5, G6)."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.cards import RANK
from domain.errors import CardAlreadySeen, NotAllowedNow, WrongCards
from domain.hand import Hand
from domain.rules.streets import Due
from domain.units import Card


def deal(hand: Hand, command: c.Deal, due: Due | None) -> tuple[e.HandEvent, ...]:
    """The cards of one whole street. Raises `NotAllowedNow`, `WrongCards`, `CardAlreadySeen`."""
    if due is None:
        raise NotAllowedNow("no cards are due", rule="G5")
    _require_fresh(hand, command.cards, due)
    positions = command.positions
    if positions is not None and not len(positions) == len(set(positions)) == due.cards:
        raise WrongCards(f"{due.cards} different deck positions are needed", rule="G5")
    if due.community:
        position = None if positions is None else positions[0]
        return (e.CommunityCardDealt(card=command.cards[0], position=position),)
    return _round_the_table(command, due)


def _require_fresh(hand: Hand, cards: tuple[Card, ...], due: Due) -> None:
    if len(cards) != due.cards:
        raise WrongCards(
            f"{due.cards} cards are due on street {due.street}, {len(cards)} were dealt",
            rule="G6" if due.community else "G5",
        )
    if not all(card in RANK for card in cards):
        raise WrongCards("a dealt hand has no unknown cards", rule="G4")
    if len(set(cards)) < len(cards) or not hand.seen.isdisjoint(cards):
        raise CardAlreadySeen("a card is in this hand already", rule="G4")


def _round_the_table(command: c.Deal, due: Due) -> tuple[e.HandEvent, ...]:
    players = len(due.seats)
    return tuple(
        e.CardsDealt(
            seat=seat,
            street=due.street,
            down=command.cards[i::players][: due.down],
            up=command.cards[i::players][due.down :],
            positions=None if command.positions is None else command.positions[i::players],
        )
        for i, seat in enumerate(due.seats)
    )
