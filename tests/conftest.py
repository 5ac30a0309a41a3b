"""Fixtures everybody uses: a private PostgreSQL for the whole run, a fresh room for each test."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog

from services.embedded import Server
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.faults import until

ROOMS = itertools.count(1)
MEMORY = Path("/dev/shm")
ENOUGH = 8 << 30
"""Bytes: what the databases of four workers need many times over."""

THROWN_AWAY = {
    "fsync": "off",
    "autovacuum": "off",
    "full_page_writes": "off",
    "max_connections": "100",
}
"""Of a database that is not kept: what only matters to those that are is left undone."""

# Cyclic garbage is looked for among all that was ever imported and collected: seldom is enough.
gc.set_threshold(50_000, 20, 50)

# Every process a test starts would compile what it imports, and be twice as long in starting. This
# is read before the first worker is started.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What services log is looked at where a test captures it, and is never among what is answered.
structlog.configure(processors=[], logger_factory=structlog.ReturnLoggerFactory())


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A running private PostgreSQL, in memory if there is much. A socket's path must be short."""
    home = Path(tempfile.mkdtemp(prefix="studledger-", dir=_quickest()))
    try:
        with Server(home, tuning=THROWN_AWAY) as server:
            yield server
            _drop(server)
    finally:
        shutil.rmtree(home)


def _quickest() -> Path:
    """Where many small files are made and removed fastest."""
    roomy = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH
    return MEMORY if roomy else Path("/tmp")


def _drop(server: Server) -> None:
    """Stop the server without a last checkpoint: nobody reads its data again."""
    noted = server.pgdata / "postmaster.pid"
    os.kill(int(noted.read_text().split()[0]), signal.SIGQUIT)
    until(lambda: not noted.exists(), "the server to be gone")


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
