"""Which player is meant, by name or id, and which hands he played."""

from __future__ import annotations

from uuid import UUID

from services.errors import ServiceError
from services.lookup import players_called
from services.store.room import Room

HANDS = b"select hand from hand_players where player = %s order by hand"


class UnknownPlayer(ServiceError):
    """Nobody of this name or id ever played here."""


class AmbiguousPlayer(ServiceError):
    """Several players are called so."""


def player_called(room: Room, called: str) -> str:
    """The opaque id of the player. Raises UnknownPlayer or AmbiguousPlayer."""
    found = players_called(room, called)
    if len(found) > 1:
        raise AmbiguousPlayer(
            f"{len(found)} players are called so, on different sites; name one by his id:"
            f" {', '.join(found)}"
        )
    if not found:
        raise UnknownPlayer("nobody of this name or id is known here")
    return found[0]


def hands_of(room: Room, player: str) -> tuple[UUID, ...]:
    """Every hand he was dealt in to."""
    with room.connect() as connection:
        return tuple(hand for (hand,) in connection.execute(HANDS, (player,)))
