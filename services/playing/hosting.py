"""What a play on this machine needs: dealers' keys, and perhaps the service itself."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import IO

from services.access import Keys, KeyWanted, Role
from services.playing.asking import Unwelcome
from services.playing.running import Staff
from services.settings import PREFIX, Settings
from services.store.room import open_room

LONGEST_PLAY = timedelta(days=7)
SERVE = (sys.executable, "-c", "from services.cli.main import main; main()", "serve", "--port", "0")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
NO_LIMIT = {f"{PREFIX}RATE_PER_KEY": "1000000/second"}


@contextlib.contextmanager
def staff_of(settings: Settings, tables: int, given: Staff | None = None) -> Iterator[Staff]:
    """The keys that are given; else a floor's and one for each table's dealer, until it is over."""
    if given is not None:
        yield given
        return
    with open_room(settings) as room, contextlib.ExitStack() as ending:
        keys, ends = Keys(room.pool, room.store), datetime.now(UTC) + LONGEST_PLAY

        def made(role: Role, subject: str) -> str:
            issued = keys.issue(KeyWanted(subject=subject, role=role, expires_at=ends))
            ending.callback(keys.revoke, issued.id)
            return issued.key

        dealers = tuple(made("dealer", f"bots' dealer {n}") for n in range(1, tables + 1))
        yield Staff(floor=made("floor", "bots' floor"), dealers=dealers)


@contextlib.contextmanager
def hosted(settings: Settings, urls: Sequence[str], *, serve: bool) -> Iterator[Sequence[str]]:
    """Where the service is: at these addresses, or run here as long as this is entered."""
    if not serve:
        yield urls
        return
    where = {f"{PREFIX}ROOM": settings.room, f"{PREFIX}DATA_DIR": str(settings.data_dir)}
    process = subprocess.Popen(
        SERVE, env=NO_LIMIT | os.environ | where, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        address = _address(process.stderr.readline())
        # It goes on telling what it does, and would wait for somebody to read that.
        Thread(target=_read_on, args=(process.stderr,), daemon=True).start()
        yield [address]
    finally:
        process.terminate()
        process.wait()


def _address(said: str) -> str:
    """Where it listens, by its first words. Raises `Unwelcome`."""
    found = ADDRESS.search(said)
    if found is None:
        raise Unwelcome(f"the service did not start: {said.strip() or 'it said nothing'}")
    return found[0]


def _read_on(said: IO[str]) -> None:
    with said:
        deque(said, 0)
