"""Connections: to which database, in which role, and how long they may wait."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from services import data_directory
from services.migrations import APP_ROLE
from services.settings import Settings

Pool = ConnectionPool[psycopg.Connection]

# Nothing waits for ever: appends take milliseconds, pages of a rebuild seconds.
LIMITS = {
    "lock_timeout": "10s",
    "statement_timeout": "120s",
    "idle_in_transaction_session_timeout": "120s",
}

# The pool's own remarks on a lost database; whoever asked it for a connection says it better.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


class Database(NamedTuple):
    """How to connect: `app` may read and append, `owner` owns the tables."""

    app: str
    owner: str
    embedded: bool

    def in_room(self, room: str) -> str:
        """Conninfo of the application's role with the room's schema as search path."""
        given = str(conninfo_to_dict(self.app).get("options") or "")
        ours = {"search_path": room, "role": APP_ROLE, "timezone": "UTC", **LIMITS}
        options = " ".join(f"-c {name}={value}" for name, value in ours.items())
        return make_conninfo(
            self.app,
            options=f"{given} {options}".strip(),
            application_name="studledger",
            connect_timeout=10,
        )


@contextlib.contextmanager
def database_of(settings: Settings) -> Iterator[Database]:
    """The database these settings mean; without a URL our own, running while this is entered."""
    if settings.database_url is not None:
        app = settings.database_url.get_secret_value()
        owner = settings.owner_url.get_secret_value() if settings.owner_url else app
        yield Database(app=app, owner=owner, embedded=False)
        return
    data_directory.require_wheel()
    from services import embedded  # Only here: it needs what only Unix has.

    with embedded.Server(settings.data_dir) as server:
        yield Database(
            app=server.conninfo(APP_ROLE),
            owner=server.conninfo(embedded.OWNER_ROLE),
            embedded=True,
        )


@contextlib.contextmanager
def pool_of(database: Database, room: str) -> Iterator[Pool]:
    """Connections in autocommit mode, as the application's role, in the room's schema."""
    pool = ConnectionPool(
        database.in_room(room),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=8,
        timeout=5,
        open=False,
    )
    with pool:
        yield pool
