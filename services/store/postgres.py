"""The event store on PostgreSQL: one round trip for any batch, through `append_events`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from psycopg import Cursor

from services.driver_errors import in_our_words
from services.errors import StaleStream
from services.store.columns import Bigints, Byteas, Texts, Uuids
from services.store.database import Pool
from services.store.grouping import GroupCommit
from services.store.hand_secrets import Sealer
from services.store.port import Append, Appended, Known, Recorded, check_batch
from services.store.texts import keep

T = TypeVar("T")

COLUMNS = (
    "select notification_id, originator_id, originator_version, topic, state,"
    " recorded_at, actor, request_id, causation, command_id from events"
)
LOAD = f"{COLUMNS} where originator_id = %s order by originator_version"
LOAD_PART = (
    f"{COLUMNS} where originator_id = %s and originator_version > %s"
    " order by originator_version limit %s"
)
LOAD_MANY = f"{COLUMNS} where originator_id = any(%s) order by originator_id, originator_version"
STATES = "select state from events where originator_id = %s order by originator_version"
# What the command has become is looked up once, and mostly nothing is found: a column of nulls.
STATES_FOR = (
    "select state, ("
    "  select array[case c.originator_id when %(stream)s then 1 else 0 end,"
    "               c.first_version, c.last_version]"
    "    from commands c"
    "   where c.originator_id in (%(stream)s, %(aside)s) and c.command_id = %(command)s"
    "   order by c.originator_id = %(stream)s desc limit 1)"
    " from events where originator_id = %(stream)s and originator_version > %(after)s"
    " order by originator_version"
)
PAGE = f"{COLUMNS} where notification_id > %s{{}} order by notification_id limit %s"
HEAD = "select coalesce(max(notification_id), 0) from events"
EXISTING = (
    "select s.id from unnest(%s::uuid[]) as s (id)"
    " where exists (select from events e where e.originator_id = s.id)"
)
# Columns travel in binary: nothing to escape. Those that may hold nulls cannot, but are mostly null
# altogether, which is the same: a column without values.
APPEND = (
    "select status, version, positions from append_events("
    "%b::uuid[], %b::bigint[], %s::uuid[], %b::text[], %s::text[], %s::text[],"
    " %b::bigint[], %b::bigint[], %b::text[], %b::bytea[])"
)


def _recorded(_: Cursor[Any]) -> Callable[[Sequence[Any]], Recorded]:
    return lambda row: Recorded(*row)


class PostgresEventStore:
    """A room's log in its schema. The pool's connections are the application role's."""

    def __init__(self, pool: Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer
        self._group_commit = GroupCommit(self._append_all)

    def load(self, stream: UUID) -> tuple[Recorded, ...]:
        """The facts of one stream in order; empty if there is no such stream."""
        return tuple(self._read(LOAD, (stream,)))

    def load_part(self, stream: UUID, after: int, limit: int) -> tuple[Recorded, ...]:
        """The next facts of one stream after its fact number `after`, in order."""
        return tuple(self._read(LOAD_PART, (stream, after, limit)))

    def states(self, stream: UUID) -> list[bytes]:
        """The bytes of one stream's facts in order, without their envelope: what deciding needs."""
        with in_our_words(), self._pool.connection() as connection:
            found = connection.execute(STATES, (stream,), prepare=True, binary=True)
            return [state for (state,) in found.fetchall()]

    def states_for(
        self, stream: UUID, command_id: UUID | None, aside: UUID, *, after: int = 0
    ) -> tuple[list[bytes], Known | None]:
        """As `states`, and what this command has become: of the stream, else of the one `aside`."""
        asked = {"stream": stream, "command": command_id, "aside": aside, "after": after}
        with in_our_words(), self._pool.connection() as connection:
            rows = connection.execute(STATES_FOR, asked, prepare=True, binary=True).fetchall()
        found = rows[0][1] if rows else None
        known = found and Known(stream if found[0] else aside, found[1], found[2])
        return [state for state, _ in rows], known

    def load_many(self, streams: Collection[UUID]) -> dict[UUID, tuple[Recorded, ...]]:
        """The facts of each stream that exists."""
        rows = self._read(LOAD_MANY, (list(streams),))
        return {stream: tuple(own) for stream, own in groupby(rows, lambda row: row.stream)}

    def page(
        self,
        after: int,
        limit: int,
        *,
        stop: int | None = None,
        types: Sequence[str] = (),
        streams: Collection[UUID] = (),
    ) -> Sequence[Recorded]:
        """The next facts of the whole log after a position, in order.

        `stop` is the last position wanted; `types` are the tags and `streams` the streams wanted,
        all if none is named.
        """
        wanted: dict[str, object] = {}
        if stop is not None:
            wanted[" and notification_id <= %s"] = stop
        if types:
            wanted[" and topic = any(%s)"] = list(types)
        if streams:
            wanted[" and originator_id = any(%s)"] = list(streams)
        return self._read(PAGE.format("".join(wanted)), (after, *wanted.values(), limit))

    def existing(self, streams: Collection[UUID]) -> frozenset[UUID]:
        """Those of the streams that have facts."""
        with in_our_words(), self._pool.connection() as connection:
            return frozenset(found for (found,) in connection.execute(EXISTING, (list(streams),)))

    def head(self) -> int:
        """The last position of the log; 0 while it is empty."""
        with in_our_words(), self._pool.connection() as connection:
            row = connection.execute(HEAD).fetchone()
        assert row is not None
        return int(row[0])

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the batch in one commit, each stream judged by itself, answers in its order.

        What other threads append meanwhile may go into the same commit.
        """
        check_batch(batch)
        return self._group_commit.append(batch) if batch else ()

    def _append_all(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        with in_our_words(), self._pool.connection() as connection:
            if not any(append.texts or append.secret for append in batch):
                return _append(connection, batch)  # One statement commits by itself.
            with connection.transaction():
                return self._append(connection, batch)

    def append_together(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Store the whole batch or nothing of it. Raises StaleStream if any of it is stale."""
        check_batch(batch)
        with in_our_words(), self._pool.connection() as connection, connection.transaction():
            answers = self._append(connection, batch)
            stale = [answer.stream for answer in answers if answer.status == "stale"]
            if stale:
                raise StaleStream(f"somebody else was faster at stream {stale[0]}: load it again")
        return answers

    def _append(
        self, connection: psycopg.Connection, batch: Sequence[Append]
    ) -> tuple[Appended, ...]:
        """Events first, then what is stored beside those that were stored."""
        answers = _append(connection, batch)
        stored = [append for append, answer in zip(batch, answers, strict=True) if _new(answer)]
        keep(connection, [(append.stream, text) for append in stored for text in append.texts])
        self._sealer.keep_new(connection, [append.stream for append in stored if append.secret])
        return answers

    def _read(self, query: str, parameters: Sequence[object]) -> list[Recorded]:
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(binary=True, row_factory=_recorded) as cursor,
        ):
            return cursor.execute(query, parameters, prepare=True).fetchall()


def _new(answer: Appended) -> bool:
    return answer.status == "ok"


def _append(connection: psycopg.Connection, batch: Sequence[Append]) -> tuple[Appended, ...]:
    """Call the append function: the batch as columns, per stream and then per fact."""
    facts = [fact for append in batch for fact in append.facts]
    versions = [
        version
        for append in batch
        for version in range(append.expected + 1, append.expected + 1 + len(append.facts))
    ]
    with connection.cursor(binary=True) as cursor:
        cursor.execute(
            APPEND,
            (
                Uuids([append.stream for append in batch]),
                Bigints([append.expected for append in batch]),
                _or_null([append.command_id for append in batch]),
                Texts([append.actor for append in batch]),
                _or_null([append.request_id for append in batch]),
                _or_null([append.causation for append in batch]),
                Bigints([hand for hand, append in enumerate(batch, 1) for _ in append.facts]),
                Bigints(versions),
                Texts([fact.type for fact in facts]),
                Byteas([fact.state for fact in facts]),
            ),
            prepare=True,
        )
        rows = cursor.fetchall()
    return tuple(
        Appended(append.stream, status, version, tuple(positions))
        for append, (status, version, positions) in zip(batch, rows, strict=True)
    )


def _or_null(values: list[T | None]) -> list[T | None] | None:
    return None if values.count(None) == len(values) else values
