"""Opening one card: the digest in its event, and its place in a committed deck.

A card has 52 values, so each place has a salt of its own; shown with the card it opens that place
and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from services.proof.errors import NotIncluded
from services.proof.tree import HASH_BYTES, check_inclusion, leaf_hash

DECK_PREFIX = "deck.v1:"
DECK_SIZE = 52


def card_place(hand: object, n: int, index: int, position: int | None) -> bytes:
    """What a face-down card is bound to: `index` in `down` of event `n`, `position` in the deck."""
    where = "-" if position is None else position
    return f"studledger card v1\n{hand}\n{n}\n{index}\n{where}\n".encode()


def card_digest(place: bytes, salt: bytes, card: str) -> str:
    """What stands in the public form for a face-down card."""
    return sha256(place + salt + card.encode()).hexdigest()


def deck_place(hand: object, position: int) -> bytes:
    """What a card of a committed deck is bound to; position 0 is the top."""
    return f"studledger deck v1\n{hand}\n{position}\n".encode()


def deck_leaf(hand: object, position: int, salt: bytes, card: str) -> bytes:
    """The leaf of that card in the tree a commitment is the root of."""
    return leaf_hash(deck_place(hand, position) + salt + card.encode())


def is_committed(
    commitment: str, hand: object, position: int, salt: bytes, card: str, path: Sequence[bytes]
) -> bool:
    """Whether the deck a hand committed to has this card at this position."""
    leaf = deck_leaf(hand, position, salt, card)
    try:
        check_inclusion(leaf, position, DECK_SIZE, _root(commitment), path)
    except NotIncluded:
        return False
    return True


def _root(commitment: str) -> bytes:
    """The root a commitment names; empty, which nothing leads to, if it is none."""
    try:
        root = bytes.fromhex(commitment.removeprefix(DECK_PREFIX))
    except ValueError:
        return b""
    return root if commitment == DECK_PREFIX + root.hex() and len(root) == HASH_BYTES else b""
