"""Live tables while everything under them is killed: nobody was told anything that is not so."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from domain.house_rules import Clock
from services.embedded import Server
from services.playing import PlayWanted
from services.playing.hosting import staff_of
from services.settings import Settings
from services.store.room import open_room
from tests.support.faults import require_as_rebuilt
from tests.support.under_fire import (
    FAULTS,
    Bots,
    Serving,
    record_of,
    require_as_told,
    require_conserved,
    require_finished,
    require_once,
)

SEED = 20_261_201
BETWEEN = 15
"""Actions between two faults, so that each falls into play."""

PLAY = PlayWanted(
    tables=4,
    players=4,
    game="stud8",
    hands=None,
    time_outs=0.02,
    disconnects=0.05,
    clock=Clock(turn=1, countdown=1, disconnected=1),
)


@pytest.fixture
def database() -> Iterator[Server]:
    """A PostgreSQL of this test's own: it is killed."""
    home = Path(tempfile.mkdtemp(prefix="studledger-", dir="/tmp"))
    try:
        with Server(home, tuning={"fsync": "off", "max_connections": "60"}) as database:
            yield database
    finally:
        shutil.rmtree(home)


@pytest.mark.parametrize("times", [4, pytest.param(80, id="many", marks=pytest.mark.slow)])
def test_what_bots_were_told_holds_whatever_is_killed_under_them(
    database: Server, times: int
) -> None:
    dice = random.Random(SEED)
    settings = Settings(database_url=None, owner_url=None, data_dir=database.home, room="main")
    servers = [Serving(settings), Serving(settings)]
    with staff_of(settings, PLAY.tables) as staff:
        try:
            for server in servers:
                server.listens()
            bots = Bots(PLAY, [server.address for server in servers], staff)
            bots.start()
            for turn in range(times):
                bots.go_on(dice.randrange(1, BETWEEN))
                FAULTS[turn % len(FAULTS)](database, servers)
                dice.shuffle(servers)
            bots.go_on(BETWEEN)
            played = bots.to_the_end()
        finally:
            for server in servers:
                server.kill()
    assert not [line for server in servers for line in server.unforeseen()]
    assert (played.total("errors"), played.conserved) == (0, True)
    assert played.total("retries") > 0
    with open_room(settings) as room:
        record = record_of(room, [UUID(table.table) for table in played.tables])
        require_once(record, played.total("actions"))
        require_as_told(room, record, bots.heard)
        require_finished(record)
        require_conserved(record)
        require_as_rebuilt(room)
