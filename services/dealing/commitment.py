"""One line that commits to a whole deck and yet lets a single card be opened alone.

A card has 52 values, so its bare hash hides nothing. Each position of the deck has a salt that
derives from the deck's own secret; the commitment is the RFC 9162 root over the 52 salted places.
Whoever is shown card, salt and path of one position can check them and learns of no other.
`docs/dealing.md` says it byte by byte.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from domain.discreet import Discreet
from domain.units import Card
from services.log.paths import inclusion_path
from services.proof import openings
from services.proof.tree import root_of

PREFIX = openings.DECK_PREFIX
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
    return open_cards(hand, order, [position])[0]


def open_cards(hand: UUID, order: DeckOrder, positions: Sequence[int]) -> list[OpenedCard]:
    """What shows each of these cards, and no other."""
    leaves = _leaves(hand, order)
    over = lru_cache(None)(lambda span: root_of(leaves[span.first : span.end]))
    return [
        OpenedCard(
            position=position,
            card=order.cards[position],
            salt=_salt(hand, order, position),
            path=tuple(map(over, inclusion_path(position, len(leaves)))),
        )
        for position in positions
    ]


def is_of(commitment: str, hand: UUID, opened: OpenedCard) -> bool:
    """Whether the committed deck of that hand has that card at that position."""
    return openings.is_committed(
        commitment, hand, opened.position, opened.salt, opened.card, opened.path
    )


def _leaves(hand: UUID, order: DeckOrder) -> list[bytes]:
    return [
        openings.deck_leaf(hand, position, _salt(hand, order, position), card)
        for position, card in enumerate(order.cards)
    ]


def _salt(hand: UUID, order: DeckOrder, position: int) -> bytes:
    return hmac.digest(order.secret, openings.deck_place(hand, position), "sha256")
