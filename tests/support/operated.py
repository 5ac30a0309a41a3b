"""A room whose database is an operator's: named by URLs, with his limits, not ours to start."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import count
from urllib.parse import quote

from fastapi.testclient import TestClient
from psycopg.conninfo import conninfo_to_dict

from services.demo.storing import store_demo
from services.embedded import Server
from services.projecting import projector_of
from services.serving import create_app
from services.settings import Settings
from services.store.room import open_room
from tests.support.service import QUIET, Served

ROOMS = count(1)


@contextlib.contextmanager
def operated(server: Server, options: str = "") -> Iterator[Served]:
    """A fresh room with the demonstration's arranged hands, served from a URL with options."""
    ours = Settings(
        database_url=None, owner_url=None, data_dir=server.home, room=f"operated{next(ROOMS)}"
    )
    with open_room(ours) as room:
        demo = store_demo(room, 6)
        projector_of(room).catch_up()
        app, owner = url(room.database.app, options), url(room.database.owner)
    with open_room(Settings(**vars(ours) | {"database_url": app, "owner_url": owner})) as room:
        service = create_app(room, QUIET)
        with TestClient(service) as client:
            yield Served(room, service, client, demo)


def url(conninfo: str, options: str = "") -> str:
    """The same database as an operator would name it."""
    place = conninfo_to_dict(conninfo) | {"options": options}
    user, database = place.pop("user"), place.pop("dbname")
    asked = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in place.items())
    return f"postgresql://{user}@/{database}?{asked}"
