"""Everybody who follows a room's log, and the evidence that each of them saw each event once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Queue
from threading import Event, Thread

import psycopg
from eventsourcing.persistence import Notification
from psycopg.sql import SQL, Identifier

from services.projecting import projector_of
from services.projecting.following import follower_of
from services.store.room import Room
from tests.support.faults import PATIENCE

MOVES = """
create table moves (
    id bigint generated always as identity, name text, since bigint, until bigint
);
create function note_move() returns trigger
language plpgsql security definer set search_path from current as $$
begin
    insert into moves (name, since, until) values (new.name, old.position, new.position);
    return null;
end $$;
create trigger note_move after update of position on projection_positions
    for each row when (old.position <> new.position) execute function note_move();
grant select on moves to studledger_app;
"""
"""A note, in the same commit, of which events a projection has taken in."""


class Watched:
    """A subscriber and two followers of a room; `seen` is what the subscriber was given.

    `progress` hears of everything that is seen, by whomever.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self.seen: list[Notification] = []
        self.progress = Queue[int]()

    @contextlib.contextmanager
    def running(self) -> Iterator[Watched]:
        self._note_moves()
        stopped = Event()
        with self.room.store.subscribe(gt=0) as subscription:
            threads = [
                Thread(target=self._see, args=(subscription,)),
                Thread(target=follower_of(self.room, self.progress.put).run, args=(stopped,)),
                Thread(target=follower_of(self.room, self.progress.put).run, args=(stopped,)),
            ]
            for thread in threads:
                thread.start()
            try:
                yield self
            finally:
                stopped.set()
                subscription.stop()
                for thread in threads:
                    thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in threads)

    def _see(self, subscription: Iterable[Notification]) -> None:
        for notification in subscription:
            self.seen.append(notification)
            self.progress.put(notification.id)

    def _note_moves(self) -> None:
        place = SQL("set search_path = {}").format(Identifier(self.room.settings.room))
        with psycopg.connect(self.room.database.owner, autocommit=True) as connection:
            connection.execute(place)
            connection.execute(MOVES)

    def wait_for_all(self) -> None:
        """Until everybody has seen everything there is."""
        head, projector = self.room.store.head(), projector_of(self.room)
        self._follow_until(lambda: bool(self.seen) and self.seen[-1].id >= head)
        self._follow_until(lambda: min(at.position for at in projector.status()) >= head)

    def _follow_until(self, done: Callable[[], bool]) -> None:
        """Look again whenever anybody has seen anything, and give up in the end."""
        last = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < last, "somebody sees nothing any more"
            self.progress.get(timeout=PATIENCE)

    def require_each_seen_once(self) -> None:
        """The subscriber was given the log; each projection took in ranges that leave no gap."""
        with self.room.connect() as connection:
            log = connection.execute("select notification_id from events order by 1").fetchall()
            moves = connection.execute(
                "select name, array_agg(since order by id), array_agg(until order by id)"
                " from moves group by name"
            ).fetchall()
        assert [notification.id for notification in self.seen] == [at for (at,) in log]
        assert {name for name, _, _ in moves} == {p.name for p in projector_of(self.room).status()}
        for _, since, reached in moves:
            assert [*since, self.room.store.head()] == [0, *reached]
            assert reached == sorted(set(reached))
