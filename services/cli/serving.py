"""`serve`: the service over HTTP, until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from typing import Annotated

import typer

from services.cli.exits import FAILURE, Stop
from services.cli.output import note
from services.settings import Settings, load_settings
from services.store.room import open_room

HOST, PORT = "127.0.0.1", 8000

Host = Annotated[str, typer.Option(help="address to listen on")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free")]


def serve(host: Host = HOST, port: Port = PORT) -> None:
    """Serve the room over HTTP; requests that run when it is told to stop are finished."""
    serve_room(load_settings(), host, port)


def serve_room(settings: Settings, host: str, port: int) -> None:
    """Serve the room of these settings until it is told to stop. Raises `Stop`."""
    # Only here: what the service is made of takes a while to load, and no other command needs it.
    import uvicorn

    from services.api.logs import configure_logs
    from services.api.server import Server
    from services.api.settings import load_api_settings
    from services.serving import create_app

    options = load_api_settings()
    with _listen(host, port) as listening, _told_to_stop(), open_room(settings) as room:
        bound = listening.getsockname()[1]
        where = f"[{host}]" if ":" in host else host
        note(f"serving room {settings.room} on http://{where}:{bound} (a key: `token create`)")
        configure_logs()
        app = create_app(room, options)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=options.shutdown_seconds,
        )
        Server(config, app.state.parts.feed).run(sockets=[listening])


@contextlib.contextmanager
def _told_to_stop() -> Iterator[None]:
    """End in order on a signal: the server passes it on once its requests are answered."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _listen(host: str, port: int) -> socket.socket:
    """The socket to listen on, taken before anything is started."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as taken:
        why = os.strerror(taken.errno) if taken.errno else "it cannot be used"
        raise Stop(f"{host} port {port}: {why}; choose another with --port", FAILURE) from None
