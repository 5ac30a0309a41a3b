"""Who sits down: by name, which only the erasable table of players knows, or by opaque id."""

from __future__ import annotations

from services.errors import ServiceError
from services.lookup import players_called
from services.store.players import as_id
from services.store.room import Room

SITE = "studledger"
"""The site of every hand that is dealt here, and of the names of those who play it."""


class UnknownPlayer(ServiceError):
    """No player of the room has this id."""


def player_id(room: Room, called: str) -> str:
    """The opaque id of a player: of this id, or of this name here, who may be new.

    Raises `UnknownPlayer` for an id that nobody has.
    """
    known = as_id(called)
    if known is None:
        return room.players.resolve(SITE, [called])[called]
    if str(known) not in players_called(room, str(known)):
        raise UnknownPlayer("no player of this room has this id")
    return str(known)
