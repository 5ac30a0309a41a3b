"""API keys: random, shown once, stored as a digest; each belongs to a subject and ends."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from psycopg.rows import class_row

from services.access.events import COMMAND_LINE, KeyIssued, KeyRevoked, key_stream
from services.access.recording import Entry, record
from services.access.roles import Role
from services.driver_errors import in_our_words
from services.errors import ServiceError
from services.store.database import Pool
from services.store.port import EventStore

SECRET_BYTES = 32
KEY_ID = re.compile(r"[0-9a-f]{16}")
SHAPE = re.compile(r"slk_(?P<id>[0-9a-f]{16})_(?P<secret>[A-Za-z0-9_-]{43})")
LAST_USED_EVERY = timedelta(minutes=1)
"""A key in constant use costs one write a minute, not one a request."""

COLUMNS = (
    "k.id, k.subject, s.name, k.role, k.player, k.issued_at, k.expires_at, k.revoked_at,"
    " k.last_used_at"
)
FIND = (
    f"select {COLUMNS}, k.sha256 from api_keys k join subjects s on s.id = k.subject"
    " where k.id = %s"
)
LIST = (
    f"select {COLUMNS} from api_keys k join subjects s on s.id = k.subject"
    " order by s.name, k.issued_at, k.id"
)
SUBJECT = (
    "insert into subjects (name) values (%s)"
    " on conflict (name) do update set name = excluded.name returning id"
)
ISSUE = (
    "insert into api_keys (id, subject, role, player, sha256, expires_at)"
    " values (%s, %s, %s, %s, %s, %s)"
)
USED = "update api_keys set last_used_at = %s where id = %s"
REVOKE = "update api_keys set revoked_at = %s where id = %s"


class BadKey(ServiceError):
    """This is no key, or none that opens anything any more."""


class UnknownKey(ServiceError):
    """There is no key of this id."""


class KeyWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A key to be made; `player` exactly for the role player."""

    subject: str
    role: Role
    expires_at: datetime
    player: UUID | None = None


class IssuedKey(msgspec.Struct, frozen=True, kw_only=True):
    """A new key. `key` is what its holder sends; nobody can be told it again."""

    id: str
    key: str
    subject: UUID


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is on file, and whose it is."""

    id: str
    subject: UUID
    name: str
    role: Role
    player: UUID | None
    issued_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None


class _OnFile(Holder, frozen=True, kw_only=True):
    sha256: bytes


class Keys:
    """The keys of a room."""

    def __init__(self, pool: Pool, store: EventStore) -> None:
        self._pool = pool
        self._store = store

    def issue(self, wanted: KeyWanted, *, actor: str = COMMAND_LINE) -> IssuedKey:
        """Make a key; its issue is on record before it opens anything."""
        assert (wanted.role == "player") == (wanted.player is not None)
        key_id = secrets.token_hex(8)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        subject = self.subject(wanted.subject)
        event = KeyIssued(
            at=datetime.now(UTC),
            actor=actor,
            key=key_id,
            subject=subject,
            role=wanted.role,
            player=wanted.player,
            expires_at=wanted.expires_at,
        )
        record(self._store, [Entry(stream=key_stream(key_id), event=event)])
        values = (key_id, subject, wanted.role, wanted.player, _digest(secret), wanted.expires_at)
        self._write(ISSUE, values)
        return IssuedKey(id=key_id, key=f"slk_{key_id}_{secret}", subject=subject)

    def subject(self, name: str) -> UUID:
        """The id of the person or program of this name, a new one if nobody had it."""
        with in_our_words(), self._pool.connection() as connection:
            row = connection.execute(SUBJECT, (name,)).fetchone()
        assert row is not None
        return UUID(str(row[0]))

    def all(self) -> tuple[Holder, ...]:
        """Every key there ever was, by subject."""
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(Holder)) as cursor,
        ):
            return tuple(cursor.execute(LIST))

    def revoke(self, key_id: str, *, actor: str = COMMAND_LINE) -> Holder:
        """End a key now; a revoked one stays as it is. Raises UnknownKey."""
        found = self._find(key_id) if KEY_ID.fullmatch(key_id) else None
        if found is None:
            raise UnknownKey(f"there is no key {key_id}: `studledger token list` names them")
        if found.revoked_at is None:
            now = datetime.now(UTC)
            event = KeyRevoked(at=now, actor=actor, key=key_id)
            record(self._store, [Entry(stream=key_stream(key_id), event=event)])
            self._write(REVOKE, (now, key_id))
        return found

    def holder(self, key: str) -> Holder:
        """Whose key this is, and note that it was used. Raises BadKey."""
        shape = SHAPE.fullmatch(key)
        found = self._find(shape["id"]) if shape else None
        if (
            not shape
            or not found
            or not hmac.compare_digest(found.sha256, _digest(shape["secret"]))
        ):
            raise BadKey("there is no such key")
        now = datetime.now(UTC)
        if found.revoked_at is not None:
            raise BadKey(f"this key was revoked on {found.revoked_at:%Y-%m-%d}")
        if found.expires_at <= now:
            raise BadKey(f"this key expired on {found.expires_at:%Y-%m-%d}")
        if found.last_used_at is None or now - found.last_used_at > LAST_USED_EVERY:
            self._write(USED, (now, found.id))
        return found

    def _find(self, key_id: str) -> _OnFile | None:
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(_OnFile)) as cursor,
        ):
            return cursor.execute(FIND, (key_id,)).fetchone()

    def _write(self, query: str, values: tuple[Any, ...]) -> None:
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(query.encode(), values)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
