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
from services.log.paths import inclusion_path
from services.proof.errors import NotIncluded
from services.proof.tree import HASH_BYTES, check_inclusion, leaf_hash, root_of

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
    return PREFIX + root_of(_leaves(hand, order)).hex()


def open_card(hand: UUID, order: DeckOrder, position: int) -> OpenedCard:
    """What shows the card at `position` to somebody who has the commitment only."""
    leaves = _leaves(hand, order)
    beside = inclusion_path(position, len(leaves))
    return OpenedCard(
        position=position,
        card=order.cards[position],
        salt=_salt(hand, order, position),
        path=tuple(root_of(leaves[span.first : span.end]) for span in beside),
    )


def is_of(commitment: str, hand: UUID, opened: OpenedCard) -> bool:
    """Whether the committed deck of that hand has that card at that position."""
    root = _root(commitment)
    leaf = _leaf(hand, opened.position, opened.salt, opened.card)
    try:
        check_inclusion(leaf, opened.position, len(DECK), root, opened.path)
    except NotIncluded:
        return False
    return True


def _root(commitment: str) -> bytes:
    """The root a commitment names; empty, which nothing leads to, if it is none."""
    try:
        root = bytes.fromhex(commitment.removeprefix(PREFIX))
    except ValueError:
        return b""
    return root if commitment == PREFIX + root.hex() and len(root) == HASH_BYTES else b""


def _leaves(hand: UUID, order: DeckOrder) -> list[bytes]:
    return [
        _leaf(hand, position, _salt(hand, order, position), card)
        for position, card in enumerate(order.cards)
    ]


def _leaf(hand: UUID, position: int, salt: bytes, card: Card) -> bytes:
    return leaf_hash(_place(hand, position) + salt + card.encode())


def _salt(hand: UUID, order: DeckOrder, position: int) -> bytes:
    return hmac.digest(order.secret, _place(hand, position), "sha256")


def _place(hand: UUID, position: int) -> bytes:
    """What a card's salt and leaf are bound to."""
    return f"studledger deck v1\n{hand}\n{position}\n".encode()
