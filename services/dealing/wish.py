"""Which deck somebody wants a hand to be dealt from."""

from __future__ import annotations

from typing import Literal

from domain.cards import DECK
from domain.discreet import Discreet
from domain.errors import WrongCards
from domain.units import Card


class DeckWish(Discreet, frozen=True, kw_only=True):
    """`shuffled` here; `supplied` whole, in `cards`, by a shuffler elsewhere; or `external`.

    An external deck is never here: its cards come street by street from whoever deals them.
    """

    source: Literal["shuffled", "supplied", "external"]
    cards: tuple[Card, ...] = ()


SHUFFLED = DeckWish(source="shuffled")
EXTERNAL = DeckWish(source="external")


def supplied(cards: tuple[Card, ...]) -> DeckWish:
    """The deck as another shuffler left it, top first. Raises `WrongCards` unless it is whole."""
    require_whole(cards)
    return DeckWish(source="supplied", cards=cards)


def require_whole(cards: tuple[Card, ...]) -> None:
    """Raise `WrongCards` unless these are the 52 cards, each once (G4)."""
    if len(cards) != len(DECK) or set(cards) != set(DECK):
        raise WrongCards("a supplied deck has each of the 52 cards once", rule="G4")
