"""A room's backup and its restoration, by PostgreSQL's own programs: its schema, and no key.

Keys are in files beside the database and are backed up apart: whoever has a backup and the key of
the hands' secrets can open cards.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from services import data_directory, migrations
from services.diagnosis import Check, diagnose
from services.driver_errors import in_our_words
from services.errors import DatabaseUnreachable, ServiceError
from services.settings import Settings
from services.store.database import database_of
from services.writers.files import appearing_whole

SCHEMA = re.compile(r"^\d+; \d+ \d+ SCHEMA - (\S+)", re.MULTILINE)
VARIABLES = {"dbname": "PGDATABASE"}
"""Environment variables of connection parameters, where they are not `PG` and the name."""

MOST_SAID = 600


class BackupUnusable(ServiceError):
    """This cannot be backed up or restored; the text says why and that nothing was changed."""


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that was made, and the files it is worth nothing without."""

    room: str
    file: str
    bytes: int
    events: int
    keys: tuple[str, ...]
    checkpoints: str


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that was restored, and what was looked at then: keys, books, published log."""

    room: str
    events: int
    checks: tuple[Check, ...]


def back_up(settings: Settings, target: Path) -> BackedUp:
    """Write the room as it is at one moment into a file, while the service may go on.

    Raises BackupUnusable where there is no such room, DatabaseUnreachable.
    """
    with database_of(settings) as database:
        events = _events(database.owner, settings.room)
        if events is None:
            raise BackupUnusable(f"there is no room {settings.room} to back up")
        how = ("--format=custom", "--no-owner", f"--schema={settings.room}")
        with appearing_whole(target) as out:
            _run(settings, "pg_dump", how, database.owner, stdout=out.fileno())
    return BackedUp(
        room=settings.room,
        file=str(target),
        bytes=target.stat().st_size,
        events=events,
        keys=tuple(map(str, _key_files(settings))),
        checkpoints=str(settings.checkpoint_path),
    )


def restore(settings: Settings, source: Path) -> Restored:
    """Put a backup into a room that has no events yet, and look whether all fits together.

    Raises BackupUnusable for a file that is none, another room's, or a room in use.
    """
    _require_of_room(settings, source)
    with database_of(settings) as database:
        migrations.migrate(database.owner, settings.room)  # Which makes the application's role.
        if there := _events(database.owner, settings.room):
            raise BackupUnusable(
                f"room {settings.room} has {there} events: a backup is restored into an empty one"
                " only, in another STUDLEDGER_DATA_DIR or database"
            )
        _drop(database.owner, settings.room)
        how = ("--single-transaction", "--exit-on-error", "--no-owner", "--dbname=")
        _run(settings, "pg_restore", (*how, str(source)), database.owner)
        events = _events(database.owner, settings.room)
        checks = diagnose(settings)
    return Restored(room=settings.room, events=events or 0, checks=checks)


def _require_of_room(settings: Settings, source: Path) -> None:
    if not source.is_file():
        raise BackupUnusable(f"there is no file {source}")
    listed = _run(settings, "pg_restore", ("--list", str(source)), None)
    rooms = SCHEMA.findall(listed)
    if rooms != [settings.room]:
        named = rooms[0] if rooms else "no room"
        raise BackupUnusable(
            f"{source} holds {named}, and this is room {settings.room}: set STUDLEDGER_ROOM; a"
            " room's secrets open under its own name only"
        )


def _events(owner: str, room: str) -> int | None:
    """How many events the room has; None where there is no such room."""
    with in_our_words(), psycopg.connect(owner, connect_timeout=10) as connection:
        found = connection.execute("select to_regclass(%s)", (f"{room}.events",)).fetchone()
        if found is None or found[0] is None:
            return None
        query = SQL("select count(*) from {}.events").format(Identifier(room))
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _drop(owner: str, room: str) -> None:
    with in_our_words(), psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(SQL("drop schema {} cascade").format(Identifier(room)))


def _key_files(settings: Settings) -> tuple[Path, ...]:
    """The files with keys that there are."""
    return tuple(path for path in (settings.key_path, settings.log_key_path) if path.exists())


def _run(
    settings: Settings,
    program: str,
    arguments: Sequence[str],
    conninfo: str | None,
    stdout: int = subprocess.PIPE,
) -> str:
    """What one of PostgreSQL's programs prints. Raises BackupUnusable in its own words."""
    done = subprocess.run(
        [_found(settings, program), *arguments],
        env={**os.environ, **_environment(conninfo)},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-MOST_SAID:]
        raise BackupUnusable(f"{program} failed, and nothing of it is kept: {said}")
    return (done.stdout or b"").decode(errors="replace")


def _found(settings: Settings, program: str) -> str:
    """The program that comes with the embedded database, else one that is installed here."""
    try:
        data_directory.require_wheel()
    except DatabaseUnreachable:
        found = shutil.which(program)
        if found is None:
            raise BackupUnusable(f"there is no {program} here: install PostgreSQL's") from None
        return found
    return str(data_directory.programs(settings.data_dir, None) / "bin" / program)


def _environment(conninfo: str | None) -> dict[str, str]:
    """The connection as variables: arguments, with a password in them, are seen by everybody."""
    given = {} if conninfo is None else conninfo_to_dict(conninfo)
    return {VARIABLES.get(name, f"PG{name.upper()}"): str(value) for name, value in given.items()}
