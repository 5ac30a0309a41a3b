"""The numbered SQL of `services/sql`, applied to a room's schema by the role that owns it.

`NNNN_pre_what.sql` runs before the code that needs it, `NNNN_post_what.sql` after the code that
needed what it removes. Names in it are unqualified: the room's schema is the search path.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from typing import Literal, NamedTuple, cast

import psycopg
from psycopg.sql import SQL, Identifier

from services.errors import DatabaseUnreachable, MigrationFailed, NotMigrated

APP_ROLE = "studledger_app"
"""The role of the application: it owns nothing and may not change the log."""

Phase = Literal["pre", "post"]
NAME = re.compile(r"(\d{4})_(pre|post)_[a-z0-9_]+\.sql")

LOCK = "select pg_advisory_xact_lock(hashtextextended('studledger.migrations', 0))"

LEDGER = """
create table if not exists migrations (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now(),
    applied_by text not null default current_user
)
"""


class Migration(NamedTuple):
    """One numbered file."""

    number: int
    phase: Phase
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """Digest of the text: an applied migration is never edited."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


class SchemaState(NamedTuple):
    """What a room's schema has and lacks, by file name in order.

    `unknown` were applied by a newer program; `edited` differ from the file they came from.
    """

    applied: tuple[str, ...]
    pending: tuple[str, ...]
    unknown: tuple[str, ...]
    edited: tuple[str, ...]

    @property
    def version(self) -> str:
        """Number of the last applied migration, `0000` where there is none."""
        return max(self.applied, default="0000")[:4]


def all_migrations() -> tuple[Migration, ...]:
    """Every migration of this program, in order of its number."""
    found = []
    for file in files("services").joinpath("sql").iterdir():
        if match := NAME.fullmatch(file.name):
            phase = cast(Phase, match[2])
            found.append(Migration(int(match[1]), phase, file.name, file.read_text("utf-8")))
    found.sort()
    numbers = [migration.number for migration in found]
    assert len(set(numbers)) == len(numbers), "two migrations have the same number"
    return tuple(found)


def migrate(owner: str, room: str, phase: Phase | None = None) -> tuple[str, ...]:
    """Apply what is pending, all or nothing, and name it; `owner` is the owner's conninfo.

    `phase` limits it to the `pre` or the `post` migrations. Several at once are fine: they queue.
    Raises MigrationFailed, DatabaseUnreachable or NotMigrated (made by a newer program).
    """
    try:
        with psycopg.connect(owner, connect_timeout=10) as connection:
            if not _due(_state(connection, room), phase):
                return ()
            connection.execute(LOCK)
            _prepare(connection, room)
            due = _due(_state(connection, room), phase)
            for migration in due:
                _apply(connection, migration)
            return tuple(migration.name for migration in due)
    except psycopg.OperationalError as failed:
        raise DatabaseUnreachable(f"the database cannot be migrated: {failed}") from None


def schema_state(conninfo: str, room: str) -> SchemaState:
    """What the room's schema has and lacks. Raises DatabaseUnreachable."""
    try:
        with psycopg.connect(conninfo, connect_timeout=10) as connection:
            return _state(connection, room)
    except psycopg.OperationalError as failed:
        raise DatabaseUnreachable(f"the database does not answer: {failed}") from None


def require_current(state: SchemaState, room: str) -> None:
    """Raise NotMigrated, saying what to do, unless the schema is this program's."""
    if state.unknown:
        raise NotMigrated(
            f"room {room!r} was migrated by a newer program (it has {state.unknown[-1]}):"
            " use that version"
        )
    if state.edited:
        raise NotMigrated(f"room {room!r} has another {state.edited[0]} than this program's")
    if state.pending:
        raise NotMigrated(
            f"room {room!r} lacks {len(state.pending)} migrations (next {state.pending[0]}):"
            " run `studledger migrate`"
        )


def _state(connection: psycopg.Connection, room: str) -> SchemaState:
    known = {migration.number: migration for migration in all_migrations()}
    ledger = SQL("{}.migrations").format(Identifier(room))
    exists = connection.execute("select to_regclass(%s)", (ledger.as_string(),)).fetchone()
    rows: list[tuple[int, str, str]] = []
    if exists is not None and exists[0] is not None:
        query = SQL("select number, name, sha256 from {} order by number").format(ledger)
        rows = connection.execute(query).fetchall()
    applied = {number for number, _, _ in rows}
    return SchemaState(
        applied=tuple(name for _, name, _ in rows),
        pending=tuple(m.name for m in known.values() if m.number not in applied),
        unknown=tuple(name for number, name, _ in rows if number not in known),
        edited=tuple(
            name for number, name, sha in rows if number in known and known[number].sha256 != sha
        ),
    )


def _due(state: SchemaState, phase: Phase | None) -> tuple[Migration, ...]:
    if state.unknown or state.edited:
        require_current(state, "of this database")
    return tuple(
        migration
        for migration in all_migrations()
        if migration.name in state.pending and phase in (None, migration.phase)
    )


def _prepare(connection: psycopg.Connection, room: str) -> None:
    """Role, schema and ledger; what is there already is left as it is."""
    if not connection.execute("select from pg_roles where rolname = %s", (APP_ROLE,)).rowcount:
        connection.execute(SQL("create role {}").format(Identifier(APP_ROLE)))
        connection.execute(
            SQL("grant {} to current_user with inherit false, set true").format(
                Identifier(APP_ROLE)
            )
        )
    schema = Identifier(room)
    connection.execute(SQL("create schema if not exists {}").format(schema))
    connection.execute(SQL("grant usage on schema {} to {}").format(schema, Identifier(APP_ROLE)))
    connection.execute(SQL("set local search_path = {}").format(schema))
    connection.execute(LEDGER)
    connection.execute(SQL("grant select on migrations to {}").format(Identifier(APP_ROLE)))


def _apply(connection: psycopg.Connection, migration: Migration) -> None:
    try:
        connection.execute(migration.sql.encode())
    except psycopg.Error as failed:
        raise MigrationFailed(
            f"{migration.name} failed and nothing was changed: {failed.diag.message_primary}"
        ) from None
    connection.execute(
        "insert into migrations (number, name, sha256) values (%s, %s, %s)",
        (migration.number, migration.name, migration.sha256),
    )
