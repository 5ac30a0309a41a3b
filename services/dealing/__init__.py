"""Decks: shuffled without bias, committed to before the first card, dealt in their order."""

from services.dealing.decks import Decks, Prepared, decks_of
from services.dealing.shuffling import shuffle
from services.dealing.wish import EXTERNAL, SHUFFLED, DeckWish, supplied

__all__ = [
    "EXTERNAL",
    "SHUFFLED",
    "DeckWish",
    "Decks",
    "Prepared",
    "decks_of",
    "shuffle",
    "supplied",
]
