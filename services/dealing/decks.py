"""The decks of a room: kept sealed from before the first card, dealt from as hands go on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal
from uuid import UUID

from domain import commands as c
from domain.discreet import Discreet
from domain.hand import Hand
from domain.rules.streets import DECK_SIZE, Due, cards_left
from domain.units import Card
from services.dealing.commitment import (
    SECRET_BYTES,
    DeckOrder,
    OpenedCard,
    commit,
    open_card,
    open_cards,
)
from services.dealing.shuffling import RandomBelow, shuffle
from services.dealing.wish import DeckWish, require_whole
from services.driver_errors import in_our_words
from services.errors import DeckMissing
from services.store.database import Pool
from services.store.hand_secrets import Sealer
from services.store.room import Room

IN_PLAY = 1_024
"""Decks held opened in memory: more than a room has tables."""

KEEP = (
    "insert into decks (hand, commitment, key_id, sealed) values (%s, %s, %s, %s)"
    " on conflict do nothing"
)
READ = "select key_id, sealed from decks where hand = %s and commitment = %s"
FIRST_STREET = 3  # Dealt without a burn.
LETTERS = 2  # Of a card.


class Prepared(Discreet, frozen=True, kw_only=True):
    """A deck before its hand begins: what the hand says of it, and the sealed order to keep.

    An external deck has neither commitment nor order.
    """

    source: Literal["shuffled", "supplied", "external"]
    commitment: str | None = None
    key_id: str | None = None
    sealed: bytes | None = None


class Decks:
    """The decks of one room. Another of the same room deals on where this one stopped."""

    def __init__(
        self, pool: Pool, sealer: Sealer, random_below: RandomBelow = secrets.randbelow
    ) -> None:
        self._pool = pool
        self._sealer = sealer
        self._random_below = random_below
        self._order = lru_cache(IN_PLAY)(self._read)

    def prepare(self, hand: UUID, wish: DeckWish) -> Prepared:
        """Shuffle, or take the supplied cards, and commit to their order for this hand.

        Nothing is stored yet. Raises WrongKey, and `WrongCards` for a supplied deck not whole.
        """
        if wish.source == "external":
            return Prepared(source=wish.source)
        if wish.source == "supplied":
            require_whole(wish.cards)
        cards = shuffle(self._random_below) if wish.source == "shuffled" else wish.cards
        order = DeckOrder(cards, secrets.token_bytes(SECRET_BYTES))
        commitment = commit(hand, order)
        with in_our_words(), self._pool.connection() as connection:
            self._sealer.require_the_rooms_key(connection)
        return Prepared(
            source=wish.source,
            commitment=commitment,
            key_id=self._sealer.key_id,
            sealed=self._sealer.seal_as("deck", _owner(hand, commitment), _packed(order)),
        )

    def keep(self, hand: UUID, prepared: Prepared) -> None:
        """Store the sealed order, in a commit of its own: before the hand's first events.

        Kept again it changes nothing; another deck for the same hand lies beside it, and the
        hand's own commitment says which is dealt from.
        """
        if prepared.commitment is None:
            return
        row = (hand, prepared.commitment, prepared.key_id, prepared.sealed)
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(KEEP, row)

    def next_cards(self, hand_id: UUID, hand: Hand, due: Due) -> c.Deal | None:
        """The deal of the street that is due, with positions; None where the deck is not here.

        Where it goes on follows from the hand alone, so whoever asks gets the same cards. Raises
        DeckMissing or WrongKey.
        """
        commitment = hand.started.deck.commitment
        if commitment is None:
            return None
        first = next_position(hand, due)
        cards = self._order(hand_id, commitment).cards[first : first + due.cards]
        return c.Deal(cards=cards, positions=tuple(range(first, first + due.cards)))

    def opened(self, hand_id: UUID, commitment: str, position: int) -> OpenedCard:
        """What shows one card of a committed deck, and no other. Who may see it is not asked here.

        Raises DeckMissing or WrongKey.
        """
        return open_card(hand_id, self._order(hand_id, commitment), position)

    def opened_many(
        self, hand_id: UUID, commitment: str, positions: Sequence[int]
    ) -> list[OpenedCard]:
        """As `opened`, for several cards of one deck at once."""
        return open_cards(hand_id, self._order(hand_id, commitment), positions)

    def _read(self, hand: UUID, commitment: str) -> DeckOrder:
        with in_our_words(), self._pool.connection() as connection:
            row = connection.execute(READ, (hand, commitment)).fetchone()
        if row is None:
            raise DeckMissing(f"the deck that hand {hand} committed to is not in this room")
        packed = self._sealer.open_as("deck", _owner(hand, commitment), row[0], bytes(row[1]))
        return _unpacked(packed)


def decks_of(room: Room) -> Decks:
    """The decks of an open room."""
    return Decks(room.pool, room.sealer)


def next_position(hand: Hand, due: Due) -> int:
    """Where in the deck the cards that are due begin: below all dealt and burnt so far (G5, G6).

    A burn that alone stands in the way is left out, which can only be on seventh street.
    """
    left = cards_left(hand)
    burnt = hand.started.house_rules.burn_cards and due.street > FIRST_STREET and left > due.cards
    return DECK_SIZE - left + (1 if burnt else 0)


def _owner(hand: UUID, commitment: str) -> str:
    """What a sealed deck is bound to, beside its room."""
    return f"{hand} {commitment}"


def _packed(order: DeckOrder) -> bytes:
    return order.secret + "".join(order.cards).encode()


def _unpacked(packed: bytes) -> DeckOrder:
    secret, letters = packed[:SECRET_BYTES], packed[SECRET_BYTES:].decode()
    cards: list[Card] = [letters[at : at + LETTERS] for at in range(0, len(letters), LETTERS)]
    return DeckOrder(tuple(cards), secret)
