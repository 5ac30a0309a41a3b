"""The numbered SQL of `services/sql`, applied to a room's schema by the role that owns it.

`NNNN_pre_what.sql` runs before the code that needs it, `NNNN_post_what.sql` after the code that
needed what it removes. Names in it are unqualified: the room's schema is the search path.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Literal, NamedTuple, cast

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from services.driver_errors import first_line, in_our_words
from services.errors import MigrationFailed, NotMigrated

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


Program = tuple[Migration, ...]
"""The migrations of a program, in order of their numbers."""


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


def all_migrations() -> Program:
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


def migrate(
    owner: str, room: str, phase: Phase | None = None, program: Program | None = None
) -> tuple[str, ...]:
    """Apply what is pending, all or nothing, and name it; `owner` is the owner's conninfo.

    `phase` limits it to the `pre` or the `post` migrations, `program` are those there are.
    Several at once are fine: they queue. Raises MigrationFailed, DatabaseUnreachable, or
    NotMigrated where a newer or another program was here.
    """
    program = program or all_migrations()
    with in_our_words(), psycopg.connect(owner, connect_timeout=10) as connection:
        if not _due(connection, room, phase, program):
            return ()
        connection.execute(LOCK)
        with _all_or_nothing("preparing the schema"):
            _prepare(connection, Identifier(room))
        due = _due(connection, room, phase, program)
        for migration in due:
            with _all_or_nothing(migration.name):
                _apply(connection, migration)
        return tuple(migration.name for migration in due)


def schema_state(conninfo: str, room: str, program: Program | None = None) -> SchemaState:
    """What the room's schema has and lacks. Raises DatabaseUnreachable."""
    with in_our_words(), psycopg.connect(conninfo, connect_timeout=10) as connection:
        return _state(connection, room, program or all_migrations())


def require_current(state: SchemaState, room: str) -> None:
    """Raise NotMigrated, saying what to do, unless the schema is this program's."""
    _require_known(state, room)
    if state.pending:
        raise NotMigrated(
            f"room {room!r} lacks {len(state.pending)} migrations, first {state.pending[0]}:"
            " run `studledger migrate`"
        )


def _require_known(state: SchemaState, room: str) -> None:
    if state.unknown:
        raise NotMigrated(
            f"room {room!r} was migrated by a newer program (it has {state.unknown[-1]}):"
            " use that version"
        )
    if state.edited:
        raise NotMigrated(
            f"room {room!r} was made by another edition of {state.edited[0]} than this program's:"
            " use the program that made it, or a new room"
        )


def _state(connection: psycopg.Connection, room: str, program: Program) -> SchemaState:
    known = {migration.number: migration for migration in program}
    rows = _applied(connection, SQL("{}.migrations").format(Identifier(room)))
    applied = {number for number, _, _ in rows}
    return SchemaState(
        applied=tuple(name for _, name, _ in rows),
        pending=tuple(m.name for m in program if m.number not in applied),
        unknown=tuple(name for number, name, _ in rows if number not in known),
        edited=tuple(
            name for number, name, sha in rows if number in known and known[number].sha256 != sha
        ),
    )


def _applied(connection: psycopg.Connection, ledger: Composed) -> list[tuple[int, str, str]]:
    """Number, name and digest of what was applied, in order; nothing where no ledger is."""
    found = connection.execute("select to_regclass(%s)", (ledger.as_string(),)).fetchone()
    if found is None or found[0] is None:
        return []
    query = SQL("select number, name, sha256 from {} order by number").format(ledger)
    return connection.execute(query).fetchall()


def _due(
    connection: psycopg.Connection, room: str, phase: Phase | None, program: Program
) -> tuple[Migration, ...]:
    """What is pending of this phase. Raises NotMigrated before anything strange is built on."""
    state = _state(connection, room, program)
    _require_known(state, room)
    return tuple(
        migration
        for migration in program
        if migration.name in state.pending and phase in (None, migration.phase)
    )


def _prepare(connection: psycopg.Connection, schema: Identifier) -> None:
    """Role, schema and ledger; what is there already is left as it is."""
    role = Identifier(APP_ROLE)
    if not connection.execute("select from pg_roles where rolname = %s", (APP_ROLE,)).rowcount:
        connection.execute(SQL("create role {}").format(role))
        connection.execute(SQL("grant {} to current_user with set true").format(role))
    connection.execute(SQL("create schema if not exists {}").format(schema))
    connection.execute(SQL("grant usage on schema {} to {}").format(schema, role))
    connection.execute(SQL("set local search_path = {}").format(schema))
    connection.execute(LEDGER)
    connection.execute(SQL("grant select on migrations to {}").format(role))


def _apply(connection: psycopg.Connection, migration: Migration) -> None:
    connection.execute(migration.sql.encode())
    connection.execute(
        "insert into migrations (number, name, sha256) values (%s, %s, %s)",
        (migration.number, migration.name, migration.sha256),
    )


@contextlib.contextmanager
def _all_or_nothing(what: str) -> Iterator[None]:
    try:
        yield
    except psycopg.OperationalError:
        raise
    except psycopg.Error as failed:
        raise MigrationFailed(
            f"{what} failed and nothing was changed: {first_line(failed)}"
        ) from None
