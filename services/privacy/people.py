"""Which player is meant, by name or id, and which hands he played."""

from __future__ import annotations

from uuid import UUID

import msgspec
from psycopg import Connection

from domain.events import HandStarted, decode
from services.errors import ServiceError
from services.lookup import players_called
from services.store.room import Room

HANDS = b"select hand from hand_players where player = %s order by hand"

STARTS_SET_ASIDE = b"""
select e.originator_id, e.state
  from (select distinct hand from projection_set_aside) a
  join events e on e.originator_id = a.hand and e.originator_version = 1
"""
"""How hands began that some read model could not take in: who played them, it cannot tell."""


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
    """Every hand he was dealt in to, those set aside as well: their start is in the log."""
    with room.connect() as connection:
        told = [hand for (hand,) in connection.execute(HANDS, (player,))]
        return tuple(dict.fromkeys([*told, *_set_aside(connection, player)]))


def _set_aside(connection: Connection, player: str) -> list[UUID]:
    starts = connection.execute(STARTS_SET_ASIDE).fetchall()
    return [hand for hand, state in starts if player in _players(bytes(state))]


def _players(state: bytes) -> frozenset[str]:
    try:
        started = decode(state)
    except msgspec.MsgspecError:
        return frozenset()
    seats = started.seats if isinstance(started, HandStarted) else ()
    return frozenset(taken.player for taken in seats)
