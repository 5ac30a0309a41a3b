"""A random secret per hand, stored only sealed: AES-GCM under a key that is not in the database."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import psycopg
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.driver_errors import in_our_words
from services.errors import WrongKey
from services.store.database import Pool

SECRET_BYTES = 32
KEY_BYTES = 32
NONCE_BYTES = 12  # What AES-GCM is specified with.

KEEP = "insert into hand_secrets (hand, key_id, sealed) values (%s, %s, %s) on conflict do nothing"
SEALED_BY = "select key_id from hand_secrets limit 1"
READ = "select key_id, sealed from hand_secrets where hand = %s"


class Sealer:
    """Seals and opens secrets of one room's hands. The key is read, or made, at first use."""

    def __init__(self, key_path: Path, room: str) -> None:
        self._key_path = key_path
        self._room = room
        self._key: bytes | None = None
        self._is_the_rooms = False

    @property
    def key_id(self) -> str:
        """Which key this is, without telling it: the start of its digest."""
        return hashlib.sha256(b"studledger key " + self._read_key()).hexdigest()[:16]

    def keep_new(self, connection: psycopg.Connection, hands: Sequence[UUID]) -> None:
        """Make each hand a random secret and store it sealed; a hand that has one keeps it.

        Raises WrongKey where the room's secrets are sealed with another key than the file's.
        """
        if not hands:
            return
        self.require_the_rooms_key(connection)
        rows = [
            (hand, self.key_id, self.seal(hand, secrets.token_bytes(SECRET_BYTES)))
            for hand in hands
        ]
        with connection.cursor() as cursor:
            cursor.executemany(KEEP, rows)

    def require_the_rooms_key(self, connection: psycopg.Connection) -> bool:
        """Whether the room has secrets, of which the key file holds the key. Raises WrongKey.

        A lost key is never replaced in silence: what it sealed could not be opened any more.
        """
        if self._is_the_rooms:
            return True
        sealed_by = connection.execute(SEALED_BY).fetchone()
        if sealed_by is None:
            return False
        if not self._key_path.exists():
            raise WrongKey(
                f"there is no key file {self._key_path}, but this room's hand secrets were sealed"
                f" with key {sealed_by[0]}: put the file back, or set STUDLEDGER_KEY_FILE to it"
            )
        self._require(sealed_by[0])
        self._is_the_rooms = True
        return True

    def seal(self, hand: UUID, secret: bytes) -> bytes:
        """Nonce and ciphertext, bound to room and hand: a row moved elsewhere does not open."""
        return self.seal_as("secret", str(hand), secret)

    def open(self, hand: UUID, key_id: str, sealed: bytes) -> bytes:
        """The secret. Raises WrongKey if it was sealed with another key or changed since."""
        return self.open_as("secret", str(hand), key_id, sealed)

    def seal_as(self, kind: str, owner: str, content: bytes) -> bytes:
        """Nonce and ciphertext of one kind of content, bound to kind, room and `owner`."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        bound_to = self._bound_to(kind, owner)
        return nonce + AESGCM(self._read_key()).encrypt(nonce, content, bound_to)

    def open_as(self, kind: str, owner: str, key_id: str, sealed: bytes) -> bytes:
        """What was sealed. Raises WrongKey if by another key, or changed, or moved here."""
        self._require(key_id)
        nonce, ciphertext = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return AESGCM(self._read_key()).decrypt(nonce, ciphertext, self._bound_to(kind, owner))
        except InvalidTag:
            raise WrongKey(f"the hand's sealed {kind} was changed in the database") from None

    def _require(self, key_id: str) -> None:
        if key_id != self.key_id:
            raise WrongKey(
                f"hand secrets were sealed with key {key_id}, but {self._key_path} holds"
                f" {self.key_id}: set STUDLEDGER_KEY_FILE to the file that was used"
            )

    def _bound_to(self, kind: str, owner: str) -> bytes:
        return f"studledger hand {kind} {self._room} {owner}".encode()

    def _read_key(self) -> bytes:
        if self._key is None:
            self._key = read_or_make_key(self._key_path)
        return self._key


class HandSecrets:
    """The sealed secrets of a room, opened on request."""

    def __init__(self, pool: Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer

    def key_of_the_room(self) -> str | None:
        """The id of the key that sealed the room's secrets; None before the first. Raises WrongKey.

        That is also where the key file is missing, unreadable or another one.
        """
        with in_our_words(), self._pool.connection() as connection:
            there = self._sealer.require_the_rooms_key(connection)
        return self._sealer.key_id if there else None

    def of(self, hand: UUID) -> bytes | None:
        """The 32 secret bytes of a hand; None if it has none. Raises WrongKey."""
        with in_our_words(), self._pool.connection() as connection:
            row = connection.execute(READ, (hand,)).fetchone()
        return None if row is None else self._sealer.open(hand, row[0], bytes(row[1]))


def read_or_make_key(path: Path) -> bytes:
    """The key in the file; a new random one, readable by its owner only, if there is no file.

    Raises WrongKey if the file cannot be read, written or understood.
    """
    try:
        if not path.exists():
            _make_key(path)
        key = bytes.fromhex(path.read_text("ascii").strip())
    except OSError as refused:
        raise WrongKey(f"the key file {path} cannot be used: {refused.strerror}") from None
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise WrongKey(f"the key file {path} does not hold {KEY_BYTES} bytes in hexadecimal")
    return key


def _make_key(path: Path) -> None:
    """Write a new key beside its place and link it there: whoever is first wins, whole."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(prefix=".key.", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_bytes(KEY_BYTES).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(scratch, path)
    finally:
        Path(scratch).unlink()
