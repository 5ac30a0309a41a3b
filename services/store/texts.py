"""Original texts, and the quarantine of those that could not be taken in. Both may be erased."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
import psycopg
from psycopg.rows import class_row

from services.driver_errors import in_our_words
from services.store.database import Pool
from services.store.port import Text

KEEP = (
    "insert into texts (hand, sha256, format, file, line, body)"
    " values (%s, %s, %s, %s, %s, %s) on conflict do nothing"
)
OF_HAND = (
    "select body, format, file, line from texts where hand = %s and erased_at is null"
    " order by kept_at, sha256"
)
HOLDERS = "select sha256, hand from texts where sha256 = any(%s)"

PUT = (
    "insert into quarantine (sha256, file, line, reader, reason, body)"
    " values (%s, %s, %s, %s, %s, %s) on conflict (sha256, file, line)"
    " do update set reader = excluded.reader, reason = excluded.reason, quarantined_at = now()"
)
HELD = (
    "select id, file, line, reader, reason, body, quarantined_at from quarantine"
    " where id > %s order by id limit %s"
)
RELEASE = "delete from quarantine where id = any(%s)"


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be taken in: where it stood, what read it, and why not."""

    file: str
    line: int
    reader: str
    reason: str
    body: bytes


class Quarantined(Rejected, frozen=True, kw_only=True):
    """A record in quarantine."""

    id: int
    quarantined_at: datetime


def digest(body: bytes) -> bytes:
    """What a text is known by: its sha256."""
    return hashlib.sha256(body).digest()


def keep(connection: psycopg.Connection, witnesses: Sequence[tuple[UUID, Text]]) -> None:
    """Store each text as a witness of its hand; one that is there already stays as it is."""
    rows = [
        (hand, digest(text.body), text.format, text.file, text.line, text.body)
        for hand, text in witnesses
    ]
    with connection.cursor() as cursor:
        cursor.executemany(KEEP, rows)


class Texts:
    """The original texts of a room's hands."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def of(self, hand: UUID) -> tuple[Text, ...]:
        """Every text that tells of the hand and is not erased, the first one first."""
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(Text)) as cursor,
        ):
            return tuple(cursor.execute(OF_HAND, (hand,)))

    def add(self, hand: UUID, *texts: Text) -> None:
        """Keep further witnesses of a hand that is stored already."""
        with in_our_words(), self._pool.connection() as connection, connection.transaction():
            keep(connection, [(hand, text) for text in texts])

    def holders(self, bodies: Collection[bytes]) -> dict[bytes, UUID]:
        """The hand each of these texts is known to tell of, by the text's sha256."""
        digests = [digest(body) for body in bodies]
        with in_our_words(), self._pool.connection() as connection:
            return {bytes(sha): hand for sha, hand in connection.execute(HOLDERS, (digests,))}


class Quarantine:
    """What imports had to leave out, until it is looked at or tried again."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def put(self, rejected: Sequence[Rejected]) -> None:
        """Keep records that could not be taken in; the same one again only renews the reason."""
        rows = [
            (digest(one.body), one.file, one.line, one.reader, one.reason, one.body)
            for one in rejected
        ]
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.transaction(),
            connection.cursor() as cursor,
        ):
            cursor.executemany(PUT, rows)

    def page(self, after: int = 0, limit: int = 500) -> tuple[Quarantined, ...]:
        """The next records in quarantine after an id."""
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(Quarantined)) as cursor,
        ):
            return tuple(cursor.execute(HELD, (after, limit)))

    def release(self, ids: Sequence[int]) -> None:
        """Forget records, because they have been taken in or dismissed."""
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(RELEASE, (list(ids),))
