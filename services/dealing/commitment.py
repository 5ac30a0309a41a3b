"""One line that commits to a whole deck and yet lets a single card be opened alone.

A card has 52 values, so its bare hash hides nothing. Each position of the deck has a salt that
derives from the deck's own secret; the commitment is the RFC 9162 root over the 52 salted places.
Whoever is shown card, salt and path of one position can check them and learns of no other.
`docs/dealing.md` says it byte by byte.
"""

from __future__ import annotations

import hmac
from uuid import UUID

from domain.cards import DECK
from domain.discreet import Discreet
from domain.units import Card
from services.dealing import tree

PREFIX = "deck.v1:"
SECRET_BYTES = 32


class DeckOrder(Discreet, frozen=True):
    """A deck as it lies, top first, and the 32 bytes its salts derive from."""

    cards: tuple[Card, ...]
    secret: bytes


class OpenedCard(Discreet, frozen=True, kw_only=True):
    """What shows one card of a committed deck: its position from 0, its salt and its path."""

    position: int
    card: Card
    salt: bytes
    path: tuple[bytes, ...]


def commit(hand: UUID, order: DeckOrder) -> str:
    """The commitment to this order for this hand: `deck.v1:` and 64 hex digits."""
    return PREFIX + tree.root(_leaves(hand, order)).hex()


def open_card(hand: UUID, order: DeckOrder, position: int) -> OpenedCard:
    """What shows the card at `position` to somebody who has the commitment only."""
    return OpenedCard(
        position=position,
        card=order.cards[position],
        salt=_salt(hand, order, position),
        path=tree.path(_leaves(hand, order), position),
    )


def is_of(commitment: str, hand: UUID, opened: OpenedCard) -> bool:
    """Whether the committed deck of that hand has that card at that position."""
    found = tree.root_from(
        _leaf(hand, opened.position, opened.salt, opened.card),
        index=opened.position,
        size=len(DECK),
        beside=opened.path,
    )
    return found is not None and commitment == PREFIX + found.hex()


def _leaves(hand: UUID, order: DeckOrder) -> list[bytes]:
    return [
        _leaf(hand, position, _salt(hand, order, position), card)
        for position, card in enumerate(order.cards)
    ]


def _leaf(hand: UUID, position: int, salt: bytes, card: Card) -> bytes:
    return tree.leaf(_place(hand, position) + salt + card.encode())


def _salt(hand: UUID, order: DeckOrder, position: int) -> bytes:
    return hmac.digest(order.secret, _place(hand, position), "sha256")


def _place(hand: UUID, position: int) -> bytes:
    """What a card's salt and leaf are bound to."""
    return f"studledger deck v1\n{hand}\n{position}\n".encode()
