"""Finding one hand by what a person calls it: our id, or the site's number."""

from __future__ import annotations

import hashlib
from uuid import UUID

import msgspec

from services.errors import ServiceError
from services.store.players import as_id
from services.store.room import Room

BY_ID = "select hand, site, number, game, played_at::text from hands where hand = %s"
BY_NUMBER = (
    "select hand, site, number, game, played_at::text from hands where number = %s"
    " order by site, happened_at, hand"
)


PLAYERS = b"""
select id::text from players where name_key = %s or id = %s
 union (select player from hand_players where player = %s limit 1) order by 1
"""


class Candidate(msgspec.Struct, frozen=True):
    """A hand that may be meant."""

    hand: UUID
    site: str
    number: str
    game: str
    played_at: str | None


class UnknownHand(ServiceError):
    """No hand of the room has this id or number."""


class AmbiguousHand(ServiceError):
    """Several hands have this number; `candidates` are they."""

    def __init__(self, called: str, candidates: tuple[Candidate, ...]) -> None:
        named = "\n".join(
            f"  {c.hand}  {c.site} {c.number}, {c.game}, {c.played_at or 'time not recorded'}"
            for c in candidates
        )
        super().__init__(
            f"{len(candidates)} hands are called {called}; name one by its id:\n{named}"
        )
        self.candidates = candidates


def find_hand(room: Room, called: str) -> Candidate:
    """The hand of this id or number. Raises `UnknownHand` or `AmbiguousHand`."""
    if not is_kept(called):
        raise UnknownHand("there is no hand of this name")
    found = _rows(room, BY_ID, as_id(called)) or _rows(room, BY_NUMBER, called)
    if not found:
        raise UnknownHand(f"there is no hand {called} in room {room.settings.room}")
    if len(found) > 1:
        raise AmbiguousHand(called, found)
    return found[0]


def is_kept(text: str) -> bool:
    """Whether the database could hold this text: no zero character, no half of a character.

    Bytes of a command line that are no UTF-8 come as such halves.
    """
    return not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)


def _rows(room: Room, query: str, value: UUID | str | None) -> tuple[Candidate, ...]:
    if value is None:
        return ()
    with room.connect() as connection:
        return tuple(Candidate(*row) for row in connection.execute(query.encode(), (value,)))


def players_called(room: Room, called: str) -> tuple[str, ...]:
    """The opaque ids of everybody of this name, on whatever site, or the id itself.

    Whose name was erased is still known by his id, as is whoever another's software named.
    """
    if not is_kept(called):
        return ()
    key = hashlib.sha256(called.encode()).digest()
    with room.connect() as connection:
        rows = connection.execute(PLAYERS, (key, as_id(called), called)).fetchall()
    return tuple(player for (player,) in rows)
