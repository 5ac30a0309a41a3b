"""Who is signed in: random tokens, kept as digests, each belonging to a key and ending with it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec
from psycopg.rows import class_row

from services.access.events import SignedIn, SignedOut, key_stream
from services.access.keys import COLUMNS, SECRET_BYTES, BadKey, Holder
from services.access.recording import Entry, record
from services.driver_errors import in_our_words
from services.store.database import Pool
from services.store.port import EventStore

SEEN_EVERY = timedelta(minutes=1)
"""A session in constant use costs one write a minute, not one a page."""

ADDRESS_LASTS = timedelta(hours=1)

BEGIN = (
    "insert into sessions (sha256, key, begun_at, seen_at, ends_at)"
    " values (%(digest)s, %(key)s, %(now)s, %(now)s, %(ends)s)"
)
FIND = (
    f"select {COLUMNS}, n.seen_at, n.ends_at from sessions n join api_keys k on k.id = n.key"
    " join subjects s on s.id = k.subject where n.sha256 = %s"
)
HOLDER = f"select {COLUMNS} from api_keys k join subjects s on s.id = k.subject where k.id = %s"
SEEN = "update sessions set seen_at = %s where sha256 = %s"
END = (
    "delete from sessions n using api_keys k where n.sha256 = %s and k.id = n.key"
    " returning k.subject, k.id"
)
FORGET = "delete from sessions where ends_at < %(now)s or seen_at < %(idle)s"
OFFER = "insert into sign_in_addresses (sha256, key, ends_at) values (%s, %s, %s)"
TAKE = "delete from sign_in_addresses where sha256 = %s returning key, ends_at"


class Lasting(msgspec.Struct, frozen=True):
    """How long somebody stays signed in: without asking for a page, and at all."""

    idle: timedelta = timedelta(hours=1)
    longest: timedelta = timedelta(hours=12)


class Session(msgspec.Struct, frozen=True):
    """Somebody who is signed in, and what his forms carry to show that they are his."""

    holder: Holder
    csrf: str


class _OnFile(Holder, frozen=True, kw_only=True):
    seen_at: datetime
    ends_at: datetime


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


class Sessions:
    """The sessions of a room. Every one was begun with a key, and ends with it if not before."""

    def __init__(
        self,
        pool: Pool,
        store: EventStore,
        lasting: Lasting,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._pool = pool
        self._store = store
        self._lasting = lasting
        self._now = now

    def begin(self, holder: Holder, by: Literal["key", "address"] = "key") -> str:
        """The token of a new session, which is on record before it opens anything.

        Sessions that are over are forgotten meanwhile.
        """
        now, token = self._now(), secrets.token_urlsafe(SECRET_BYTES)
        self._record(SignedIn(at=now, actor=str(holder.subject), key=holder.id, by=by))
        ends = min(now + self._lasting.longest, holder.expires_at)
        begun = {"digest": _digest(token), "key": holder.id, "now": now, "ends": ends}
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(FORGET, {"now": now, "idle": now - self._lasting.idle})
            connection.execute(BEGIN, begun)
        return token

    def of(self, token: str) -> Session:
        """Who is signed in with a token, and note that he was here. Raises BadKey."""
        now, digest = self._now(), _digest(token)
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(_OnFile)) as cursor,
        ):
            found = cursor.execute(FIND, (digest,)).fetchone()
            if found is None or found.ends_at <= now or now - found.seen_at > self._lasting.idle:
                raise BadKey("nobody is signed in any more: sign in again")
            _still_good(found, now)
            if now - found.seen_at > SEEN_EVERY:
                cursor.execute(SEEN, (now, digest))
        return Session(found, csrf_of(token))

    def end(self, token: str) -> None:
        """Sign out: the token opens nothing from now on. One that opened nothing is no matter."""
        with in_our_words(), self._pool.connection() as connection:
            ended = connection.execute(END, (_digest(token),)).fetchone()
        if ended is not None:
            subject, key = ended
            self._record(SignedOut(at=self._now(), actor=str(subject), key=key))

    def offer(self, key: str) -> str:
        """A token that signs in once, within the hour, as the holder of this key id."""
        token = secrets.token_urlsafe(SECRET_BYTES)
        with in_our_words(), self._pool.connection() as connection:
            connection.execute(OFFER, (_digest(token), key, self._now() + ADDRESS_LASTS))
        return token

    def taken(self, token: str) -> Holder:
        """Whose the token of `offer` is; it is used up with that. Raises BadKey."""
        now = self._now()
        with (
            in_our_words(),
            self._pool.connection() as connection,
            connection.cursor(row_factory=class_row(Holder)) as cursor,
        ):
            row = connection.execute(TAKE, (_digest(token),)).fetchone()
            if row is None or row[1] <= now:
                raise BadKey("this address signed somebody in already, or is too old")
            holder = cursor.execute(HOLDER.encode(), (row[0],)).fetchone()
        assert holder is not None, "an address belongs to a key"
        _still_good(holder, now)
        return holder

    def _record(self, event: SignedIn | SignedOut) -> None:
        record(self._store, [Entry(stream=key_stream(event.key), event=event)])


def csrf_of(token: str) -> str:
    """What the forms of a session carry: it follows from the token and does not tell it."""
    return _text(hmac.digest(token.encode(), b"studledger form", "sha256"))


def _still_good(holder: Holder, now: datetime) -> None:
    if holder.revoked_at is not None or holder.expires_at <= now:
        raise BadKey("the key this session began with opens nothing any more")


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _text(digest: bytes) -> str:
    return urlsafe_b64encode(digest).decode().rstrip("=")
