"""The bundles of a room in sequence: each manifest has a number and names the one before."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime

from psycopg import Connection

from services.bundles.contents import InSequence
from services.log.checkpoints import Signed
from services.store.room import Room

LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || '.bundles', 0))"
LAST = "select number, manifest from log_bundles order by number desc limit 1"
KEEP = "insert into log_bundles (number, manifest, epoch, size) values (%s, %s, %s, %s)"
SIZES = """
select distinct size from (
    (select size from log_bundles where epoch = %(epoch)s and size < %(size)s
      order by size desc limit %(most)s)
    union all
    (select size from log_checkpoints where epoch = %(epoch)s and size < %(size)s
      order by size desc limit %(most)s)) as earlier
 order by size
"""
MOST_EARLIER = 64


class NextBundle:
    """The place of a bundle in the sequence: nobody else gets it while it is held."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.execute(LOCK)
        row = connection.execute(LAST).fetchone()
        number, previous = (0, None) if row is None else (int(row[0]), bytes(row[1]).hex())
        self.sequence = InSequence(number=number + 1, previous=previous, made_at=datetime.now(UTC))

    def keep(self, manifest: bytes, signed: Signed) -> None:
        """Put on record which manifest it got."""
        digest = hashlib.sha256(manifest).digest()
        row = (self.sequence.number, digest, signed.epoch, signed.size)
        self._connection.execute(KEEP, row)


@contextlib.contextmanager
def next_bundle(room: Room) -> Iterator[NextBundle]:
    """The next place in the sequence; it stays free if the bundle does not come about."""
    with room.connect() as connection, connection.transaction():
        yield NextBundle(connection)


def earlier_sizes(connection: Connection, signed: Signed) -> list[int]:
    """The sizes of trees an auditor may hold a checkpoint of: the newest, and those of bundles."""
    wanted = {"epoch": signed.epoch, "size": signed.size, "most": MOST_EARLIER}
    return [int(row[0]) for row in connection.execute(SIZES.encode(), wanted)]
