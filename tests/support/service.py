"""A room with the demonstration's hands, served in process, and keys to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from fastapi.testclient import TestClient

from domain import events as e
from services.access import Keys, KeyWanted, Role
from services.api.settings import ApiSettings
from services.demo.storing import DemoStored, store_demo
from services.embedded import Server
from services.projecting import projector_of
from services.serving import Service, create_app
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import Room, open_room

QUIET = ApiSettings(rate_per_key="1000000/minute", rate_of_failures="1000000/minute")


class Served(NamedTuple):
    """A room, the app on top of it, a client without a key, and what is in the room."""

    room: Room
    app: Service
    client: TestClient
    demo: DemoStored

    def key(self, role: Role, player: UUID | None = None, subject: str | None = None) -> str:
        """A new key."""
        wanted = KeyWanted(
            subject=subject or f"{role} {uuid4()}",
            role=role,
            player=player,
            expires_at=datetime.now(UTC) + timedelta(hours=1),
        )
        return Keys(self.room.pool, self.room.store).issue(wanted).key

    def headers(self, role: Role, player: UUID | None = None) -> dict[str, str]:
        """What a request with a new key of this role carries."""
        return {"Authorization": f"Bearer {self.key(role, player)}"}

    @property
    def hand(self) -> UUID:
        """The first arranged hand: three pots' worth of everything."""
        return self.demo.arranged[0].hand

    def events(self, hand: UUID) -> tuple[e.HandEvent, ...]:
        """What is stored of a hand."""
        return tuple(e.decode(fact.state) for fact in self.room.store.load(hand))

    def started(self, hand: UUID) -> e.HandStarted:
        """How a hand began."""
        first = self.events(hand)[0]
        assert isinstance(first, e.HandStarted)
        return first

    def store(self, events: tuple[e.HandEvent, ...]) -> UUID:
        """A hand of these events, under a new id."""
        hand = uuid4()
        append = Append(stream=hand, expected=0, facts=facts(events), actor="test", secret=True)
        assert self.room.store.append([append])[0].status == "ok"
        projector_of(self.room).catch_up()
        return hand


@contextlib.contextmanager
def served(
    server: Server,
    hands: int = 40,
    options: ApiSettings = QUIET,
    before: Callable[[Room], object] = lambda room: None,
) -> Iterator[Served]:
    """A fresh room with `hands` hands of the demonstration, served.

    What happens in it on a simulated day happens `before`: the service keeps the clocks of hands
    by its own time.
    """
    settings = Settings(
        database_url=None, owner_url=None, data_dir=server.home, room=f"api{uuid4().hex[:16]}"
    )
    with open_room(settings) as room:
        demo = store_demo(room, hands)
        before(room)
        projector_of(room).catch_up()
        app = create_app(room, options)
        with TestClient(app) as client:
            yield Served(room, app, client, demo)
