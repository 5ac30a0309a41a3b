"""Databases to measure in: private, temporary, gone afterwards."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from services.settings import Settings
from services.store.room import Room, open_room

MARGIN = 2 << 30  # Bytes left free for everybody else on the machine.
BYTES_OF_A_HAND = 40_000  # Its events, indexes, read models and the write-ahead log of them.


HOME: Path | None = None
"""A data directory for all measurements; without one each makes its own and removes it."""

NAMES = (f"bench{number}" for number in count(1))


class NoSpace(Exception):
    """Too little disk is free for this measurement."""


@contextlib.contextmanager
def scratch(hands: int = 0) -> Iterator[Path]:
    """A data directory for so many hands. Raises NoSpace before anything is written."""
    if HOME is not None:
        require_free(HOME, hands)
        yield HOME
        return
    # A short name: the path of a socket may not be long.
    home = Path(tempfile.mkdtemp(prefix="studledger-bench-"))
    try:
        require_free(home, hands)
        yield home
    finally:
        shutil.rmtree(home)


def require_free(home: Path, hands: int) -> None:
    """Look before a large measurement fills the disk. Raises NoSpace."""
    need, free = hands * BYTES_OF_A_HAND + MARGIN, shutil.disk_usage(home).free
    if free < need:
        raise NoSpace(f"{hands} hands need {need >> 20} MiB in {home}; {free >> 20} are free")


def settings(home: Path, room: str) -> Settings:
    """Settings of a room in that directory, whatever the environment says."""
    return Settings(database_url=None, owner_url=None, key_file=None, data_dir=home, room=room)


@contextlib.contextmanager
def scratch_rooms(number: int, hands: int) -> Iterator[tuple[Room, ...]]:
    """Empty rooms of one database, for sides that must not share tables, and so many hands."""
    with scratch(hands) as home, contextlib.ExitStack() as opened:
        names = islice(NAMES, number)
        yield tuple(opened.enter_context(open_room(settings(home, name))) for name in names)
