"""The service behind a real socket, and those who follow its feed."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from itertools import islice
from threading import Thread
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import uvicorn

from domain import events as e
from services.api.server import Server
from services.demo.storing import DemoStored, store_demo
from services.embedded import Server as Database
from services.feed.ring import Ring
from services.feed.shown import FEED_TYPES
from services.serving import Service, create_app
from services.settings import Settings
from services.store.port import Recorded
from services.store.room import open_room
from tests.support.faults import PATIENCE, parts_of, until
from tests.support.service import QUIET, Served


class Told(NamedTuple):
    """One event of a stream; what only names a position has no data."""

    id: int
    type: str | None
    data: dict[str, Any] | None
    raw: str


class Follower:
    """One request for the feed, read event by event. Comments are passed over."""

    def __init__(self, port: int, headers: dict[str, str], query: str = "") -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.request("GET", f"/v1/feed?{query}", headers=headers)
        self._response = self._connection.getresponse()
        assert self._response.status == 200, self._response.read()
        self.begins = next(self._events()).id

    def _events(self) -> Iterator[Told]:
        fields: dict[str, str] = {}
        while line := self._response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "id" in fields:
                yield _told(fields)
                fields = {}

    def __iter__(self) -> Iterator[Told]:
        return self._events()

    def take(self, count: int) -> list[Told]:
        """The next events; fewer only if the stream ends before."""
        return list(islice(self._events(), count))

    def close(self) -> None:
        """Go away without a word."""
        self._response.close()
        self._connection.close()

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _told(fields: dict[str, str]) -> Told:
    raw = fields.get("data", "")
    return Told(int(fields["id"]), fields.get("event"), json.loads(raw) if raw else None, raw)


def refusal(port: int, headers: dict[str, str], query: str) -> dict[str, Any]:
    """The problem with which a request for the feed is answered."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", f"/v1/feed?{query}", headers=headers)
        problem: dict[str, Any] = json.loads(connection.getresponse().read())
        return problem


@contextlib.contextmanager
def listening(app: Service, seconds: int = 1, *, narrow: bool = False) -> Iterator[int]:
    """The app on a port of its own; it is told to stop in the end and must.

    If it is `narrow`, what is not read waits in the service soon, and not in the kernel.
    """
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=seconds
    )
    server = Server(config, app.state.parts.feed)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if narrow:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32 << 10)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            until(lambda: server.started, "the service to start")
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


class Live(NamedTuple):
    """A served room, its port, and who is to be sent home in the end."""

    service: Served
    port: int
    leaving: contextlib.ExitStack

    def follow(self, query: str = "", **headers: str) -> Follower:
        return self.follow_with(self.service.headers("auditor") | headers, query)

    def follow_with(self, headers: dict[str, str], query: str = "") -> Follower:
        return self.leaving.enter_context(Follower(self.port, headers, query))

    def log(self, after: int = 0) -> list[Recorded]:
        """What the feed is to hold."""
        page = self.service.room.store.page(after, 100_000)
        return [fact for fact in page if fact.type in FEED_TYPES]

    def tell(self, events: Sequence[e.HandEvent]) -> UUID:
        """Append a hand in parts, as it is played."""
        hand = uuid4()
        for append in parts_of(hand, events):
            self.service.room.store.append([append])
        return hand


@contextlib.contextmanager
def live(
    server: Database, name: str, ring: Ring | None = None, hands: int = 6, *, narrow: bool = False
) -> Iterator[Live]:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room=name)
    with open_room(settings) as room:
        demo = store_demo(room, hands) if hands else DemoStored()
        app = create_app(room, QUIET)
        if ring is not None:
            app.state.parts.feed.ring = ring
        with listening(app, 1, narrow=narrow) as port, contextlib.ExitStack() as leaving:
            yield Live(Served(room, app, None, demo), port, leaving)  # type: ignore[arg-type]


def positions(told: list[Recorded]) -> list[int]:
    return [fact.position for fact in told]
