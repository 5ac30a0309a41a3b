"""What is kept beside the log of posted hands: their senders' names for them, and lines aside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from psycopg.rows import class_row

from domain.discreet import Discreet
from domain.events import encode
from services.driver_errors import in_our_words
from services.store.database import Pool
from services.witness.lines import Posted

NAMED = "select name, hand from posted_names where sender = %s and name = any(%s)"
NAME = (
    "insert into posted_names (sender, name, hand)"
    " select %s, n.name, n.hand from unnest(%s::text[], %s::uuid[]) as n (name, hand)"
    " on conflict do nothing"
)
OURS = "select distinct site from tables where site = any(%s)"
REASONS = (
    "select distinct on (hand) hand, reason from posted_aside"
    " where hand = any(%s) and released_at is null order by hand, id"
)
KEEP = (
    "insert into posted_aside (hand, n, sha256, sender, event, reason)"
    " values (%s, %s, %s, %s, %s, %s) on conflict do nothing"
)
SUSPENDED = (
    "select hand, min(kept_at) as since, count(*) as lines,"
    " (array_agg(n order by id))[1] as n, (array_agg(reason order by id))[1] as reason,"
    " (array_agg(event order by id))[1] as event"
    " from posted_aside where released_at is null group by hand order by min(id)"
)
HELD = (
    "select id, n, sender, event from posted_aside"
    " where hand = %s and released_at is null order by id"
)
RELEASE = "update posted_aside set released_at = now(), released_by = %s where id = any(%s)"


class Suspended(Discreet, frozen=True, kw_only=True):
    """A hand that waits for somebody: its first line that could not be applied, and why not.

    `lines` is how many are kept aside; `type` is the kind of the first, which is not shown: there
    may be cards in it.
    """

    hand: UUID
    n: int
    type: str
    reason: str
    lines: int
    since: datetime


class _Row(msgspec.Struct):
    hand: UUID
    n: int
    reason: str
    lines: int
    since: datetime
    event: bytes


class Held(Discreet, frozen=True, kw_only=True):
    """A line kept aside."""

    id: int
    n: int
    sender: UUID
    event: bytes


class _Tagged(msgspec.Struct):
    type: str


_type_of = msgspec.json.Decoder(_Tagged).decode


class Aside:
    """Names and lines of a room's posted hands."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def named(self, sender: UUID, names: Collection[str]) -> dict[str, UUID]:
        """The hand each of a sender's names stands for, where it does."""
        with in_our_words(), self._pool.connection() as connection:
            return dict(connection.execute(NAMED, (sender, list(names))).fetchall())

    def name(self, sender: UUID, hands: Mapping[str, UUID]) -> dict[str, UUID]:
        """Let each name stand for its hand, unless it stands for one already; for which it does."""
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(NAME, (sender, list(hands), list(hands.values())))
        return self.named(sender, hands)

    def ours(self, sites: Collection[str]) -> frozenset[str]:
        """Those of the sites whose tables are in this room: their hands are dealt here."""
        with in_our_words(), self._pool.connection() as connection:
            return frozenset(site for (site,) in connection.execute(OURS, (list(sites),)))

    def reasons(self, hands: Collection[UUID]) -> dict[UUID, str]:
        """Why each of the hands is suspended; those that are not are left out."""
        with in_our_words(), self._pool.connection() as connection:
            return dict(connection.execute(REASONS, (list(hands),)).fetchall())

    def keep(self, hand: UUID, sender: UUID, lines: Sequence[tuple[Posted, str]]) -> None:
        """Keep lines aside; one that is there already stays as it is."""
        rows = [
            (hand, line.n, line.sha256, sender, encode(line.event), reason)
            for line, reason in lines
        ]
        with in_our_words(), self._pool.connection() as connection, connection.transaction():
            connection.cursor().executemany(KEEP, rows)

    def suspended(self) -> tuple[Suspended, ...]:
        """Every hand that waits, the one that waits longest first."""
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(_Row)) as cursor,
        ):
            return tuple(map(_told, cursor.execute(SUSPENDED)))

    def held(self, hand: UUID) -> tuple[Held, ...]:
        """The lines of a hand that are kept aside, in the order they came."""
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(Held)) as cursor,
        ):
            return tuple(cursor.execute(HELD, (hand,)))

    def release(self, lines: Sequence[int], by: UUID) -> None:
        """Let the hand go on without these lines; they stay as evidence."""
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(RELEASE, (by, list(lines)))


def _told(row: _Row) -> Suspended:
    return Suspended(
        hand=row.hand,
        n=row.n,
        type=_type_of(row.event).type,
        reason=row.reason,
        lines=row.lines,
        since=row.since,
    )
