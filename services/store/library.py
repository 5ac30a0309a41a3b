"""The eventsourcing library's interfaces over our log: mapper, recorder, subscription, application.

Our recorder and the library's own pass the same tests. Ours appends in one round trip under an
advisory lock; the library's locks the table. All writers of a room must be of one kind.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from threading import Event, Thread
from time import monotonic
from typing import Any, cast
from uuid import UUID

import msgspec
import psycopg
from eventsourcing.application import Application
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    JSONTranscoder,
    ListenNotifySubscription,
    Mapper,
    MapperDeserialisationError,
    Notification,
    StoredEvent,
)

from domain.events import HandEvent, decode, encode, tag_of
from services.errors import DatabaseBusy, DatabaseUnreachable, NotMigrated, StaleStream
from services.store.database import Pool
from services.store.hand_secrets import Sealer
from services.store.port import Append, Fact
from services.store.postgres import PostgresEventStore

WRITER = "library"
"""The actor of an append that names none."""

ENVELOPE = ("actor", "command_id", "request_id", "causation")

AGAIN = 0.2
"""Seconds until a broken listening connection is made anew."""

_log = logging.getLogger(__name__)


class HandFact(msgspec.Struct, frozen=True):
    """One fact of a hand as the library passes it around; `state` is what is or was stored."""

    originator_id: UUID
    originator_version: int
    event: HandEvent
    state: bytes


def hand_fact(hand: UUID, n: int, event: HandEvent) -> HandFact:
    """The n-th fact of a hand, encoded once."""
    return HandFact(hand, n, event, encode(event))


class TagMapper(Mapper[UUID]):
    """Stores an event under its tag, as exactly the bytes it came with, however old they are."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A `HandFact` as the library's record."""
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=tag_of(domain_event.event),
            state=domain_event.state,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> HandFact:
        """The fact of a record. Raises MapperDeserialisationError, without the record's content."""
        hand, n = stored_event.originator_id, stored_event.originator_version
        try:
            event = decode(stored_event.state)
        except msgspec.MsgspecError:
            raise MapperDeserialisationError(
                f"fact {n} of hand {hand} is no {stored_event.topic} this program knows"
            ) from None
        return HandFact(UUID(str(hand)), n, event, stored_event.state)


class RoomRecorder(PostgresEventStore, ApplicationRecorder):
    """The room's log as one of the library's recorders: its interface, our statements.

    What the library has no word for (a batch judged stream by stream, the envelope) is in the
    verbs of the port.
    """

    def __init__(self, pool: Pool, sealer: Sealer, conninfo: str, room: str) -> None:
        super().__init__(pool, sealer)
        self.conninfo = conninfo
        self.channel = f"studledger_{room}"

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int]:
        """Store all or nothing; `kwargs` may name actor, command_id, request_id, causation.

        Raises IntegrityError if a stream is not as long as the first event's version says.
        """
        batch = [_append(list(own), kwargs) for _, own in groupby(stored_events, _stream)]
        try:
            answers = self.append_together(batch)
        except StaleStream as stale:
            raise IntegrityError(str(stale)) from None
        return [position for answer in answers for position in answer.positions]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Facts of one stream, between two versions, in either order."""
        found = [
            StoredEvent(fact.stream, fact.n, fact.type, fact.state)
            for fact in self.load(UUID(str(originator_id)))
            if (gt is None or fact.n > gt) and (lte is None or fact.n <= lte)
        ]
        return (found[::-1] if desc else found)[:limit]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Facts of the whole log in order, between two positions, of some types."""
        after = (start or 0) - (1 if start and inclusive_of_start else 0)
        return [
            Notification(fact.stream, fact.n, fact.type, fact.state, fact.position)
            for fact in self.page(after, limit, stop=stop, types=topics)
        ]

    def max_notification_id(self) -> int | None:
        """The last position; None while the log is empty."""
        return self.head() or None

    @property
    def closed(self) -> bool:
        """Whether the room was closed, so that nothing can be read any more."""
        return self._pool.closed

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> RoomSubscription:
        """Facts after a position as they come, each once and in order, until it is stopped."""
        return RoomSubscription(self, gt, topics)


class RoomSubscription(ListenNotifySubscription[RoomRecorder]):
    """Follows the log. A NOTIFY is only a hint: what it missed a look every second finds.

    A broken listening connection is made anew, and where the log itself cannot be read for a
    while, because its server is restarted, the subscription goes on where it was.
    """

    def __init__(self, recorder: RoomRecorder, gt: int | None, topics: Sequence[str]) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._stopped = Event()
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def stop(self) -> None:
        """End the iteration."""
        super().stop()
        self._stopped.set()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._listener.join()

    def _pull(self) -> None:
        """Take in what there is; if the database is away, the next look tries again."""
        try:
            super()._pull()
        except NotMigrated:
            raise
        except (DatabaseUnreachable, DatabaseBusy) as trouble:
            if self._recorder.closed:
                raise
            _log.warning("subscription interrupted: %s", trouble)

    def _listen(self) -> None:
        while not self._stopped.is_set():
            with suppress(psycopg.Error):
                self._hear()
            self._has_been_notified.set()
            self._stopped.wait(AGAIN)

    def _hear(self) -> None:
        """Pass hints on until the connection breaks or the subscription is stopped."""
        channel = self._recorder.channel.encode()
        with psycopg.connect(self._recorder.conninfo, autocommit=True) as connection:
            connection.execute(b"listen " + channel)
            looked = 0.0
            while not self._stopped.is_set():
                # Short waits, so that stopping is prompt.
                hints = list(connection.notifies(timeout=0.1, stop_after=1))
                if hints or monotonic() - looked > 1:
                    self._has_been_notified.set()
                    looked = monotonic()


class RoomApplication(Application[UUID]):
    """The library's application on a given recorder: `events.put`, `repository.get`."""

    name = "studledger_room"

    def __init__(self, recorder: ApplicationRecorder) -> None:
        self._given = recorder
        # The library's factory only puts the parts together; it must not make a store of its own.
        super().__init__({"STUDLEDGER_ROOM_PERSISTENCE_MODULE": "eventsourcing.popo"})

    def construct_mapper(self) -> TagMapper:
        """Our tags and bytes instead of class paths and dictionaries."""
        return TagMapper()

    def construct_recorder(self) -> ApplicationRecorder:
        """The recorder this application was given."""
        return self._given

    def events_of(self, hand: UUID) -> tuple[HandEvent, ...]:
        """The events of one hand in order; none if there is no such hand."""
        facts = cast(Iterator[HandFact], self.events.get(hand))
        return tuple(fact.event for fact in facts)


def _stream(event: StoredEvent) -> UUID:
    return UUID(str(event.originator_id))


def _append(events: list[StoredEvent], envelope: dict[str, Any]) -> Append:
    """Consecutive records of one stream, with what the caller says about them."""
    first = events[0].originator_version
    if [event.originator_version for event in events] != [*range(first, first + len(events))]:
        raise IntegrityError("the versions of a stream's events do not follow each other")
    known = {key: envelope[key] for key in ENVELOPE if key in envelope}
    return Append(
        stream=_stream(events[0]),
        expected=first - 1,
        facts=tuple(Fact(event.topic, event.state) for event in events),
        **{"actor": WRITER, **known},
    )
