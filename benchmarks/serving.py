"""The service in a process of its own, as whoever asks it has it."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection

import uvicorn

from benchmarks.stock_store import StockStore
from services.access import Keys, KeyWanted, Role
from services.api.logs import configure_logs
from services.api.server import Server
from services.api.settings import ApiSettings
from services.serving import create_app
from services.settings import Settings
from services.store.room import Room, open_room
from services.store.stock import stock_recorder

PROCESSES = multiprocessing.get_context("spawn")
NO_LIMIT = ApiSettings(rate_per_key="1000000/second", checkpoint_seconds=0)


@contextlib.contextmanager
def served(settings: Settings, *, stock: bool = False, alone: bool = False) -> Iterator[str]:
    """Its address. On the library's recorder if `stock`; `alone`, nothing goes on beside it."""
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=_serve, args=(settings, stock, alone, there), daemon=True)
    process.start()
    there.close()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


def key_of(room: Room, role: Role) -> str:
    """A new key."""
    ends = datetime.now(UTC) + timedelta(days=1)
    wanted = KeyWanted(subject="benchmark", role=role, expires_at=ends)
    return Keys(room.pool, room.store).issue(wanted).key


def _serve(settings: Settings, stock: bool, alone: bool, told: Connection) -> None:
    configure_logs(logging.WARNING)
    with open_room(settings) as room, contextlib.ExitStack() as opened:
        if stock:
            recorder = opened.enter_context(stock_recorder(room))
            room = room._replace(store=StockStore(room, recorder))  # type: ignore[arg-type]
        app = create_app(room, NO_LIMIT)
        config = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off" if alone else "on"
        )
        with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
            told.send(listening.getsockname()[1])
            Server(config, app.state.parts.feed).run(sockets=[listening])
