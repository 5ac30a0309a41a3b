"""One room opened: its database running, its tables current, its parts at hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

import psycopg

from domain.schedules import consulting_everywhere
from services import migrations
from services.driver_errors import in_our_words
from services.errors import DatabaseUnreachable, NotMigrated
from services.settings import Settings
from services.store.database import Database, Pool, database_of, pool_of
from services.store.hand_secrets import HandSecrets, Sealer
from services.store.library import RoomApplication, RoomRecorder
from services.store.players import Players
from services.store.schedules import Schedules
from services.store.texts import Quarantine, Texts


class Room(NamedTuple):
    """Everything that is kept of one room. It is open as long as `open_room` is entered.

    `store` is the log, `application` the eventsourcing library's application on it. `sealer` has
    the room's key, `secrets` are what it sealed of the hands. `schedules` are those a hand may
    name, in every thread as long as the room is open.
    """

    settings: Settings
    database: Database
    pool: Pool
    store: RoomRecorder
    application: RoomApplication
    players: Players
    texts: Texts
    quarantine: Quarantine
    sealer: Sealer
    secrets: HandSecrets
    schedules: Schedules

    @contextlib.contextmanager
    def connect(self) -> Iterator[psycopg.Connection]:
        """A connection of the application's role, autocommitting, in the room's schema."""
        with in_our_words(), self.pool.connection() as connection:
            yield connection


@contextlib.contextmanager
def open_room(settings: Settings) -> Iterator[Room]:
    """Open the room these settings name. Raises DatabaseUnreachable or NotMigrated.

    The embedded database is migrated on the way; any other one only by `studledger migrate`.
    """
    with database_of(settings) as database:
        if database.embedded:
            migrations.migrate(database.owner, settings.room)
        else:
            _require_current(database, settings.room)
        with pool_of(database, settings.room) as pool:
            room = _room(settings, database, pool)
            room.schedules.look()
            with consulting_everywhere(room.schedules):
                yield room


def _require_current(database: Database, room: str) -> None:
    """Look through the application's own eyes. Raises NotMigrated, saying what to do."""
    try:
        state = migrations.schema_state(database.in_room(room), room)
    except DatabaseUnreachable as refused:
        if migrations.APP_ROLE not in str(refused):
            raise
        raise NotMigrated(
            f"{refused}. `studledger migrate` makes the role {migrations.APP_ROLE}; the login of"
            " STUDLEDGER_DATABASE_URL must be a member of it"
        ) from None
    migrations.require_current(state, room)


def _room(settings: Settings, database: Database, pool: Pool) -> Room:
    sealer = Sealer(settings.key_path, settings.room)
    store = RoomRecorder(pool, sealer, database.in_room(settings.room), settings.room)
    return Room(
        settings=settings,
        database=database,
        pool=pool,
        store=store,
        application=RoomApplication(store),
        players=Players(pool),
        texts=Texts(pool),
        quarantine=Quarantine(pool),
        sealer=sealer,
        secrets=HandSecrets(pool, sealer),
        schedules=Schedules(pool),
    )
