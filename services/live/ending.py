"""The end of a live hand at its table: every seat's stack goes back where it came from."""

from __future__ import annotations

from uuid import uuid5

from msgspec.structs import replace

from domain import events as e
from services.live.live import By, Live
from services.live.standing import Standing, table_of
from services.store.port import Append
from services.tables import LoadedTable, ended, load_table


def ended_at_table(live: Live, over: Standing, by: By) -> Append:
    """What the table's stream gets with the last events of a hand (P8, P9).

    Raises `UnknownTable`, or `Refused` if the table does not know of the hand.
    """
    append = leaves(load_table(live.store, table_of(over)), over, by)
    # Not the request's: its key may have been used at this table before.
    return replace(append, command_id=uuid5(over.hand_id, "ended"))


def leaves(table: LoadedTable, over: Standing, by: By) -> Append:
    """What a hand that is over leaves to the table at which it is being played."""
    last = over.events[-1]
    assert last.at is not None, "every event of a live hand is stamped"
    return ended(
        table,
        over.hand_id,
        [e.SeatStack(seat=player.seat, stack=player.stack) for player in over.hand.seats],
        over.hand.voided,
        last.at,
        by.actor,
        request_id=by.request_id,
        causation=f"hand {over.hand_id}",
    )
