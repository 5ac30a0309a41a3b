"""What legal holds protect: whoever erases names, texts or secrets asks here first."""

from __future__ import annotations

from uuid import UUID

from services.disputes.loading import load_case
from services.store.room import Room

HELD = (
    b"select distinct originator_id from events where topic in"
    b" ('legal_hold_set.v1', 'legal_hold_lifted.v1')"
)


def hands_on_hold(room: Room) -> frozenset[UUID]:
    """The hands of every case that is on hold, read from the log itself."""
    with room.connect() as connection:
        cases = [case for (case,) in connection.execute(HELD)]
    held = (load_case(room.store, case).case for case in cases)
    return frozenset(case.opened.hand for case in held if case.on_hold)
