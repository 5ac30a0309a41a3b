"""Signing checkpoints: never one that contradicts what was signed or published before."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from psycopg import Connection

from services.log.errors import (
    Contradiction,
    LogKeyUnusable,
    NoCheckpoint,
    NothingContradicts,
)
from services.log.events import LogEpochOpened
from services.log.keys import LogKeys, append_fact
from services.log.nodes import root_at, size_of
from services.log.publishing import CheckpointFolder, Published, read_published
from services.log.sealing import LogSealer, sealer_of
from services.log.signing import SigningKey, signed
from services.proof.checkpoint import Checkpoint, origin_of, parse_checkpoint
from services.store.room import Room

LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || '.signing', 0))"
KEEP = "insert into log_checkpoints (epoch, size, root, note) values (%s, %s, %s, %s)"
COLUMNS = "select epoch, size, note, signed_at from log_checkpoints"
NEWEST = f"{COLUMNS} order by epoch desc, size desc limit 1"
OF_SIZE = f"{COLUMNS} where size = %s order by epoch desc limit 1"
COVERING = f"{COLUMNS} where epoch = %s and size > %s order by size desc limit 1"
ALL = f"{COLUMNS} order by epoch, size"
LATEST = f"{COLUMNS} order by epoch desc, size desc limit %s"
OF_TREE = f"{COLUMNS} where epoch = %s and size = %s"

NEW_EPOCH = "`studledger checkpoint new-epoch --why TEXT` goes on with a new tree and says so"


class Signed(NamedTuple):
    """A checkpoint that was signed, and when."""

    epoch: int
    size: int
    note: str
    signed_at: datetime

    @property
    def checkpoint(self) -> Checkpoint:
        """What it says."""
        return parse_checkpoint(self.note)


class Checkpoints:
    """The signed checkpoints of a room's log."""

    def __init__(self, room: Room, sealer: LogSealer | None = None) -> None:
        self._room = room
        self._sealer = sealer or sealer_of(room)
        self._name = room.settings.log_name
        self.keys = LogKeys(room.settings, room.store)
        self.folder = CheckpointFolder(room.settings.checkpoint_path, room.settings.room)

    def sign(self) -> Signed:
        """Seal what there is, sign the tree as it is then, and publish what is not published.

        The checkpoint is that of before if nothing was sealed since. Raises Contradiction,
        LogKeyUnusable or LogStopped, and then nothing is signed.
        """
        key = self.keys.signer()
        self._sealer.catch_up()
        signed_now = self._sign(key)
        self.publish()
        return signed_now

    def publish(self) -> int:
        """Add to the folder what it lacks of the current epoch; how many. Raises Contradiction."""
        epoch = self._sealer.epoch()
        there = self.folder.newest()
        with self._room.connect() as connection:
            self._require_going_on(connection, epoch, there)
        missing = [one for one in self.all() if one.epoch == epoch]
        return sum(self.folder.publish(one.checkpoint, one.note) for one in missing)

    def examine(self) -> str:
        """What was signed last, in words, having seen that the log goes on from all of it.

        Nothing is signed. Raises Contradiction or LogKeyUnusable.
        """
        if self.keys.known():
            self.keys.signer()
        published = self.folder.newest()
        with self._room.connect() as connection:
            self._require_going_on(connection, self._sealer.epoch(), published)
            last = _last(connection)
        if last is None:
            return "nothing is signed yet: `studledger checkpoint new`"
        where = f"published in {self.folder.path}" if published else "nothing is published"
        return f"{last.size} leaves are signed, {where}"

    def newest(self) -> Signed:
        """The last one that was signed. Raises NoCheckpoint."""
        return self._one(NEWEST, (), "nothing is signed yet: `studledger checkpoint new`")

    def of_size(self, size: int) -> Signed:
        """The one over so many leaves, of the last epoch that has it. Raises NoCheckpoint."""
        return self._one(OF_SIZE, (size,), f"no checkpoint of {size} leaves was signed")

    def covering(self, epoch: int, leaf: int) -> Signed:
        """The newest that has this leaf of this epoch. Raises NoCheckpoint."""
        why = f"no checkpoint has leaf {leaf} yet: `studledger checkpoint new`"
        return self._one(COVERING, (epoch, leaf), why)

    def origin(self, epoch: int) -> str:
        """The origin line of an epoch's checkpoints."""
        return origin_of(self._name, epoch)

    def all(self) -> tuple[Signed, ...]:
        """Every checkpoint there ever was, in order."""
        with self._room.connect() as connection:
            return tuple(Signed(*row) for row in connection.execute(ALL.encode()))

    def latest(self, most: int) -> tuple[Signed, ...]:
        """The last ones, the newest first."""
        with self._room.connect() as connection:
            return tuple(Signed(*row) for row in connection.execute(LATEST.encode(), (most,)))

    def of_tree(self, epoch: int, size: int) -> Signed:
        """The one over so many leaves of an epoch. Raises NoCheckpoint."""
        return self._one(OF_TREE, (epoch, size), f"no checkpoint of {size} leaves was signed")

    def new_epoch(self, why: str, last: Path | None = None) -> Signed:
        """Begin a new tree, whose first leaf names the last published checkpoint and says why.

        `last` is that checkpoint where the folder has it not. Raises NothingContradicts where the
        log can go on without: an epoch ends what auditors can follow.
        """
        self._sealer.catch_up()
        published = self._last_published(last)
        if self._goes_on(published):
            raise NothingContradicts(
                "the log goes on from all that was signed and published: no epoch is needed"
            )
        known, key = self.keys.known(), self.keys.at_hand_or_new()
        reached = published.checkpoint.epoch if published else 0
        event = LogEpochOpened(
            at=datetime.now(UTC),
            epoch=max(self._sealer.epoch(), reached) + 1,
            why=why,
            last=published.note if published else self._last_signed(),
            key=str(key.verifier),
        )
        assert known or published, "without a key or a checkpoint nothing contradicts"
        append_fact(self._room.store, event)
        return self.sign()

    def _sign(self, key: SigningKey) -> Signed:
        epoch = self._sealer.epoch()
        with self._transaction() as connection:
            connection.execute(LOCK)
            size = size_of(connection, epoch)
            self._require_going_on(connection, epoch, self.folder.newest())
            last = _last(connection)
            if last and (last.epoch, last.size) == (epoch, size):
                return last
            root = root_at(connection, epoch, size)
            checkpoint = Checkpoint(self.origin(epoch), size, root)
            note = signed(str(checkpoint), [key])
            connection.execute(KEEP, (epoch, size, root, note))
            found = _last(connection)
        assert found is not None, "it was just kept"
        return found

    def _require_going_on(
        self, connection: Connection, epoch: int, published: Published | None
    ) -> None:
        """Raise Contradiction unless the tree goes on from what was signed and published."""
        last = _last(connection)
        if last is not None:
            self._require(connection, epoch, last.checkpoint, "the last checkpoint it signed")
        if published is not None:
            self._require(connection, epoch, published.checkpoint, str(published.path))

    def _require(self, connection: Connection, epoch: int, earlier: Checkpoint, what: str) -> None:
        if earlier.log != self._name:
            raise Contradiction(
                f"{what} is of the log {earlier.log}, and this log is called {self._name}: set"
                " STUDLEDGER_LOG_ORIGIN or STUDLEDGER_CHECKPOINT_DIR"
            )
        if earlier.epoch < epoch:
            return  # The epoch's first leaf says how it ended.
        size = size_of(connection, epoch)
        if earlier.epoch > epoch or earlier.size > size:
            raise Contradiction(
                f"{what} is ahead of the database: it has {earlier.size} leaves in epoch"
                f" {earlier.epoch}, the database {size} in epoch {epoch}. Was an older backup"
                f" restored? Nothing is signed; {NEW_EPOCH}"
            )
        if root_at(connection, epoch, earlier.size) != earlier.root:
            raise Contradiction(
                f"the database contradicts {what}: its first {earlier.size} leaves of epoch"
                f" {epoch} are others than those that were signed. Nothing is signed;"
                f" look at `studledger verify --all` before {NEW_EPOCH}"
            )

    def _goes_on(self, published: Published | None) -> bool:
        try:
            self.keys.signer()
            with self._room.connect() as connection:
                self._require_going_on(connection, self._sealer.epoch(), published)
        except (Contradiction, LogKeyUnusable):
            return False
        return True

    def _last_published(self, last: Path | None) -> Published | None:
        there = self.folder.newest()
        if last is None:
            return there
        given = read_published(last)
        return max(filter(None, (there, given)), key=_reach)

    def _last_signed(self) -> str | None:
        with contextlib.suppress(NoCheckpoint):
            return self.newest().note
        return None

    def _one(self, query: str, values: tuple[int, ...], missing: str) -> Signed:
        with self._room.connect() as connection:
            row = connection.execute(query.encode(), values).fetchone()
        if row is None:
            raise NoCheckpoint(missing)
        return Signed(*row)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._room.connect() as connection, connection.transaction():
            yield connection


def _last(connection: Connection) -> Signed | None:
    row = connection.execute(NEWEST.encode()).fetchone()
    return None if row is None else Signed(*row)


def _reach(published: Published) -> tuple[int, int]:
    return published.checkpoint.epoch, published.checkpoint.size
