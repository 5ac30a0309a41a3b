"""Writers: hands as files for other programs, each for a view: it holds what that view saw."""

from services.writers.choosing import chosen_hands
from services.writers.exporting import Exported, Form, Refused, export_hands
from services.writers.files import appearing_whole
from services.writers.hand import CannotSay, SeenHand, seen_hand

__all__ = [
    "CannotSay",
    "Exported",
    "Form",
    "Refused",
    "SeenHand",
    "appearing_whole",
    "chosen_hands",
    "export_hands",
    "seen_hand",
]
