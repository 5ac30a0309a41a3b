"""Finding one case by what a person calls it: its id, or the hand it is about."""

from __future__ import annotations

from uuid import UUID

from services.disputes.errors import UnknownCase
from services.errors import ServiceError
from services.lookup import UnknownHand, find_hand
from services.store.players import as_id
from services.store.room import Room

CASE = b"select id from disputes where id = %s"
ABOUT = b"select id from disputes where hand = %s order by submitted_at, id"


class AmbiguousCase(ServiceError):
    """Several cases are about this hand; the text names them."""


def case_called(room: Room, called: str) -> UUID:
    """The case of this id, or the only one about a hand. Raises `UnknownCase`, `AmbiguousCase`.

    Projections must have caught up with the log before.
    """
    if not called.isprintable():
        raise UnknownCase("there is no case of this name")
    with room.connect() as connection:
        if (row := connection.execute(CASE, (as_id(called),)).fetchone()) is not None:
            return UUID(str(row[0]))
        try:
            hand = find_hand(room, called).hand
        except UnknownHand:
            raise UnknownCase(f"there is no case {called} in room {room.settings.room}") from None
        found = [case for (case,) in connection.execute(ABOUT, (hand,))]
    if not found:
        raise UnknownCase(f"no case is about hand {called}")
    if len(found) > 1:
        named = "\n".join(f"  {case}" for case in found)
        raise AmbiguousCase(f"{len(found)} cases are about {called}; name one by its id:\n{named}")
    return UUID(str(found[0]))
