"""Times in which nobody kept the clocks: noticed once, whoever notices, and made up for once."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec
import psycopg
from psycopg.rows import class_row

from services.live_clock.terms import OutagePolicy, Terms
from services.store.room import Room

FIRST = "insert into live_beats (beat_at) values (%s) on conflict do nothing"
LAST = "select beat_at from live_beats for update"
BEAT = "update live_beats set beat_at = greatest(beat_at, %s)"
RECORD = "insert into live_outages (began_at, ended_at, policy) values (%s, %s, %s)"
OPEN = (
    "select id, began_at, ended_at, policy from live_outages"
    " where settled_at is null order by ended_at"
)
SETTLED = "update live_outages set settled_at = %s where id = %s and settled_at is null"


class Outage(msgspec.Struct, frozen=True):
    """From the last sign of life of anybody who keeps clocks to the next one of anybody."""

    id: UUID
    began_at: datetime
    ended_at: datetime
    policy: OutagePolicy

    @property
    def seconds(self) -> float:
        """How long it was."""
        return (self.ended_at - self.began_at).total_seconds()


class Heartbeat:
    """The room's sign of life, given by every server, and the outages it shows."""

    def __init__(self, room: Room, terms: Terms) -> None:
        self._room = room
        self._terms = terms

    def beat(self, now: datetime) -> tuple[Outage, ...]:
        """Give a sign of life; the outages that are yet to be made up for.

        An outage is on record in the same commit as the sign that ended it, so it is noticed once
        and is not forgotten if whoever noticed it goes away again.
        """
        with self._room.connect() as connection, connection.transaction():
            connection.execute(FIRST, (now,))
            (last,) = connection.execute(LAST).fetchone() or (now,)
            if now - last > self._terms.outage_after:
                connection.execute(RECORD, (last, now, self._terms.outage_policy))
            connection.execute(BEAT, (now,))
            return _open(connection)

    def settled(self, outage: Outage, now: datetime) -> None:
        """Every hand it touched has been dealt with."""
        with self._room.connect() as connection:
            connection.execute(SETTLED, (now, outage.id))


def _open(connection: psycopg.Connection) -> tuple[Outage, ...]:
    with connection.cursor(row_factory=class_row(Outage)) as cursor:
        return tuple(cursor.execute(OPEN).fetchall())
