"""What the people and the hands of cases are called, for whoever works with them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from services.store.players import as_id
from services.store.room import Room

SUBJECTS = b"select id::text, name from subjects where id = any(%s)"
NUMBERS = b"select hand, number from hands where hand = any(%s)"


def names_of_people(room: Room, ids: Iterable[str | None]) -> dict[str, str]:
    """The names of those who have one: subjects by their ids, players by theirs."""
    known = {one for one in ids if one is not None}
    ours = [found for found in map(as_id, known) if found is not None]
    with room.connect() as connection:
        subjects = dict(connection.execute(SUBJECTS, (ours,)).fetchall())
    return room.players.names(known) | subjects


def numbers_of_hands(room: Room, hands: Iterable[UUID]) -> dict[UUID, str]:
    """The sites' numbers of those hands that projections know."""
    with room.connect() as connection:
        return dict(connection.execute(NUMBERS, (list(set(hands)),)).fetchall())
