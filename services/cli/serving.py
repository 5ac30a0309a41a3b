"""`serve`: the service over HTTP, until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from services.access import ROLES, KeyWanted, Role
from services.cli.exits import FAILURE, USAGE, Stop
from services.cli.output import note, say
from services.settings import Settings, load_settings
from services.store.room import open_room

if TYPE_CHECKING:
    from services.api.parts import Parts

HOST, PORT = "127.0.0.1", 8000
NEAR = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""Where this machine itself reaches what listens everywhere."""

GUESTS_STAY = timedelta(hours=12)

Host = Annotated[str, typer.Option(help="address to listen on")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free")]


class Guest(NamedTuple):
    """Whom an address is printed for that signs in once at the pages."""

    subject: str
    role: Role


def serve(
    host: Host = HOST,
    port: Port = PORT,
    sign_in: Annotated[
        str | None, typer.Option(metavar="ROLE", help="print an address that signs in once")
    ] = None,
) -> None:
    """Serve the room over HTTP; requests that run when it is told to stop are finished."""
    role = next((one for one in ROLES if one == sign_in and one != "player"), None)
    if sign_in is not None and role is None:
        there = ", ".join(one for one in ROLES if one != "player")
        raise Stop(f"nobody signs in once as {sign_in}; choose of {there}", USAGE)
    serve_room(load_settings(), host, port, [Guest(role, role)] if role else [])


def serve_room(settings: Settings, host: str, port: int, guests: Sequence[Guest] = ()) -> None:
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
        note(
            f"serving room {settings.room} on http://{where}:{bound}"
            " (a key for it: `studledger token create`)"
        )
        configure_logs()
        app = create_app(room, options)
        _welcome(app.state.parts, f"http://{NEAR.get(host, where)}:{bound}", guests)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=options.shutdown_seconds,
        )
        Server(config, app.state.parts.feed).run(sockets=[listening])


def _welcome(parts: Parts, url: str, guests: Sequence[Guest]) -> None:
    """Say for each of them where he signs in: an address that works once, for an hour."""
    for guest in guests:
        ends = datetime.now(UTC) + GUESTS_STAY
        wanted = KeyWanted(subject=guest.subject, role=guest.role, expires_at=ends)
        token = parts.sessions.offer(parts.keys.issue(wanted).id)
        say(f"to sign in once as {guest.role}, within the hour:")
        say(f"  {url}/sign-in/{token}")


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
