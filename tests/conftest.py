"""Fixtures everybody uses: a private PostgreSQL for the whole run, a fresh room for each test."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.embedded import Server
from services.settings import Settings
from services.store.room import Room, open_room

ROOMS = itertools.count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A running private PostgreSQL. Its data directory is short: a socket's path must be."""
    home = Path(tempfile.mkdtemp(prefix="studledger-", dir="/tmp"))
    try:
        with Server(home, tuning={"fsync": "off", "max_connections": "100"}) as server:
            yield server
    finally:
        shutil.rmtree(home)


@pytest.fixture
def settings(server: Server) -> Settings:
    """Settings of a room nobody has used yet, whatever the environment says."""
    return fresh_settings(server)


@pytest.fixture
def room(settings: Settings) -> Iterator[Room]:
    """A fresh room with its tables, opened."""
    with open_room(settings) as room:
        yield room


@pytest.fixture
def another(server: Server) -> Iterator[Callable[[], Room]]:
    """Further fresh rooms in the same database."""
    with contextlib.ExitStack() as opened:
        yield lambda: opened.enter_context(open_room(fresh_settings(server)))


def fresh_settings(server: Server) -> Settings:
    return Settings(
        database_url=None, owner_url=None, data_dir=server.home, room=f"room{next(ROOMS)}"
    )
