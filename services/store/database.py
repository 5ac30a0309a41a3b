"""Connections: to which database, in which role, and how long they may wait."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping
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

WAIT = 5.0
"""Seconds until who asks for a connection is told that there is none; as long a lost one is sought
before it is given up, to be sought at once when it is asked for again."""

# The pool's own remarks on a lost database; whoever asked it for a connection says it better.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


class Database(NamedTuple):
    """How to connect: `app` may read and append, `owner` owns the tables.

    `ensure_running` starts the embedded one again if it is gone, says whether it was, and raises
    DatabaseUnreachable if it stays away; None where the database is somebody else's to run.
    """

    app: str
    owner: str
    ensure_running: Callable[[], bool] | None

    @property
    def embedded(self) -> bool:
        """Whether it is our own, running as long as somebody needs it."""
        return self.ensure_running is not None

    def in_room(self, room: str) -> str:
        """Conninfo of the application's role with the room's schema as search path.

        The URL's own options may set other limits, but not another place.
        """
        given = str(conninfo_to_dict(self.app).get("options") or "")
        place = {"search_path": room, "role": APP_ROLE, "timezone": "UTC"}
        return make_conninfo(
            self.app,
            options=" ".join(filter(None, (_options(LIMITS), given, _options(place)))),
            application_name="studledger",
            connect_timeout=10,
        )


def _options(settings: Mapping[str, str]) -> str:
    return " ".join(f"-c {name}={value}" for name, value in settings.items())


@contextlib.contextmanager
def database_of(settings: Settings) -> Iterator[Database]:
    """The database these settings mean; without a URL our own, running while this is entered."""
    if settings.database_url is not None:
        app = settings.database_url.get_secret_value()
        owner = settings.owner_url.get_secret_value() if settings.owner_url else app
        yield Database(app=app, owner=owner, ensure_running=None)
        return
    data_directory.require_wheel()
    from services import embedded  # Only here: it needs what only Unix has.

    with embedded.Server(settings.data_dir) as server:
        yield Database(
            app=server.conninfo(APP_ROLE),
            owner=server.conninfo(embedded.OWNER_ROLE),
            ensure_running=server.ensure_running,
        )


@contextlib.contextmanager
def pool_of(database: Database, room: str) -> Iterator[Pool]:
    """Connections in autocommit mode, as the application's role, in the room's schema."""

    def still_there(connection: psycopg.Connection) -> None:
        """Raise if the server has hung up: then it has, most likely, on all who were idle."""
        try:
            _hear(connection)
        except psycopg.OperationalError:
            pool.check()
            raise

    pool = ConnectionPool(
        database.in_room(room),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=8,
        timeout=WAIT,
        reconnect_timeout=WAIT,
        check=still_there,
        open=False,
    )
    with pool:
        yield pool


def _hear(connection: psycopg.Connection) -> None:
    """Take in what the server said unasked, without waiting. Raises OperationalError at its end.

    Microseconds, where a question to the server would be a round trip. A server that goes says
    so before it hangs up: the second look finds the end.
    """
    connection.pgconn.consume_input()
    connection.pgconn.consume_input()
