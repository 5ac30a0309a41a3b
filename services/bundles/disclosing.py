"""Which cards of a hand a view may see, and what opens each of them and no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.units import UNKNOWN, Card, Seat
from services.bundles import contents as c
from services.dealing import Decks
from services.errors import DeckMissing
from services.log.leaf import Place, card_salt
from services.proof.openings import DECK_PREFIX
from services.replaying import View


class Sight:
    """What a view sees of one hand's cards: his own, and those that were turned up."""

    def __init__(self, view: View, events: Sequence[e.HandEvent]) -> None:
        self._view = view
        self._shown: dict[Seat, set[Card]] = {}
        for event in events:
            if isinstance(event, e.CardsShown):
                self._shown.setdefault(event.seat, set()).update(event.cards)

    def sees(self, seat: Seat, card: Card) -> bool:
        """Whether the view may see this face-down card of a seat."""
        turned_up = card != UNKNOWN and card in self._shown.get(seat, ())
        return turned_up or self._view.owns(seat)

    def of(self, event: e.HandEvent) -> e.HandEvent:
        """The event with the cards that stay closed as `??`."""
        if not isinstance(event, e.CardsDealt):
            return event
        down = (card if self.sees(event.seat, card) else UNKNOWN for card in event.down)
        return replace(event, down=tuple(down))


def opened_cards(
    hand: UUID, events: Sequence[e.HandEvent], sight: Sight, secret: bytes
) -> Iterator[bytes]:
    """A line for each face-down card the view may see, in the order they were dealt."""
    for n, event in enumerate(events, 1):
        if not isinstance(event, e.CardsDealt):
            continue
        positions = event.positions or (None,) * len(event.down)  # Down cards come first.
        for index, (card, position) in enumerate(zip(event.down, positions, strict=False)):
            if sight.sees(event.seat, card):
                salt = card_salt(secret, Place(hand, n, index, position))
                yield _line(
                    c.OpenedCard(card=card, hand=str(hand), index=index, n=n, salt=salt.hex())
                )


def opened_in_deck(
    hand: UUID, events: Sequence[e.HandEvent], sight: Sight, decks: Decks
) -> Iterator[bytes]:
    """A line for each card the view may see of a deck that the hand committed to.

    A deck that is not in this room any more opens nothing: the check of the bundle says so.
    """
    started = events[0]
    commitment = started.deck.commitment if isinstance(started, e.HandStarted) else None
    if commitment is None or not commitment.startswith(DECK_PREFIX):
        return
    places = sorted(_places(sight.of(event) for event in events))
    if not isinstance(started, e.HandStarted) or started.source.kind != "dealt" or not places:
        return
    try:
        opened = decks.opened_many(hand, commitment, places)
    except DeckMissing:
        return
    for one in opened:
        path = tuple(step.hex() for step in one.path)
        salt = one.salt.hex()
        yield _line(
            c.OpenedInDeck(card=one.card, deck=one.position, hand=str(hand), path=path, salt=salt)
        )


def _places(events: Iterator[e.HandEvent]) -> Iterator[int]:
    """Where in the deck the cards lay that are known."""
    for event in events:
        if isinstance(event, e.CardsDealt) and event.positions:
            cards = (*event.down, *event.up)
            yield from (
                place for place, card in zip(event.positions, cards, strict=True) if card != UNKNOWN
            )
        elif isinstance(event, e.CommunityCardDealt) and event.position is not None:
            yield event.position


def _line(opened: c.OpenedCard | c.OpenedInDeck) -> bytes:
    return msgspec.json.encode(opened) + b"\n"
