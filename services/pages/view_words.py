"""A view as people call it."""

from __future__ import annotations

from services.replaying import View
from services.replaying.seating import Seating


def view_words(view: View, words: Seating) -> str:
    """`As the table saw it`, `anna (seat 3)`, `All cards`."""
    if view.seat is not None:
        return words.subject(view.seat)
    return {"public": "As the table saw it", "all": "All cards"}[view.kind]
