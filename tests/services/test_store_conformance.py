"""Our recorder and the eventsourcing library's own do the same on the same table."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    MapperDeserialisationError,
    Notification,
    StoredEvent,
)

from domain.events import BringInPosted, Checked, HandEvent
from services.store.library import (
    HandFact,
    RoomApplication,
    TagMapper,
    hand_fact,
)
from services.store.room import Room
from services.store.stock import stock_recorder

WRITERS = 8
HANDS_EACH = 12
APPENDS_PER_HAND = 3
FACTS_PER_APPEND = 6


@pytest.fixture(params=["ours", "stock"])
def recorder(request: pytest.FixtureRequest, room: Room) -> Iterator[ApplicationRecorder]:
    if request.param == "ours":
        yield room.store
    else:
        with stock_recorder(room) as stock:
            yield stock


def stored(hand: UUID, first: int, *words: str) -> list[StoredEvent]:
    return [StoredEvent(hand, n, "noted.v1", word.encode()) for n, word in enumerate(words, first)]


def write_hands(recorder: ApplicationRecorder) -> list[int]:
    """Play some hands into the log, a few facts at a time; their positions."""
    positions: list[int] = []
    for _ in range(HANDS_EACH):
        hand = uuid4()
        for turn in range(APPENDS_PER_HAND):
            words = (f"{turn} {n}" for n in range(FACTS_PER_APPEND))
            given = recorder.insert_events(stored(hand, turn * FACTS_PER_APPEND + 1, *words))
            assert given is not None
            positions += given
    return positions


def follow(recorder: ApplicationRecorder, seen: list[Notification], until: int) -> None:
    with recorder.subscribe(gt=0) as subscription:
        for notification in subscription:
            seen.append(notification)
            if len(seen) == until:
                break


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ({"start": None, "limit": 10}, [1, 2, 3, 4]),
        ({"start": 2, "limit": 10}, [2, 3, 4]),
        ({"start": 2, "limit": 10, "inclusive_of_start": False}, [3, 4]),
        ({"start": None, "limit": 2}, [1, 2]),
        ({"start": 2, "limit": 10, "stop": 3}, [2, 3]),
        ({"start": None, "limit": 10, "topics": ["type0.v1"]}, [2, 4]),
        ({"start": 3, "limit": 10, "stop": 4, "topics": ["type1.v1"]}, [3]),
        ({"start": 5, "limit": 10}, []),
    ],
)
def test_the_log_is_selected_between_positions_and_by_type(
    recorder: ApplicationRecorder, asked: dict[str, Any], answered: list[int]
) -> None:
    hand = uuid4()
    assert recorder.max_notification_id() is None
    assert recorder.select_notifications(start=None, limit=10) == []
    recorder.insert_events(
        [StoredEvent(hand, n, f"type{n % 2}.v1", str(n).encode()) for n in range(1, 5)]
    )
    assert recorder.max_notification_id() == 4
    found = recorder.select_notifications(**asked)
    assert [notification.id for notification in found] == answered
    assert [notification.state for notification in found] == [str(n).encode() for n in answered]


def test_a_subscriber_sees_what_eight_writers_write_exactly_once_and_in_order(
    recorder: ApplicationRecorder,
) -> None:
    expected = WRITERS * HANDS_EACH * APPENDS_PER_HAND * FACTS_PER_APPEND
    seen: list[Notification] = []
    follower = Thread(target=follow, args=(recorder, seen, expected))
    follower.start()
    with ThreadPoolExecutor(WRITERS) as writers:
        written = [
            position
            for positions in writers.map(write_hands, [recorder] * WRITERS)
            for position in positions
        ]
    follower.join(timeout=60)
    assert not follower.is_alive()
    assert [notification.id for notification in seen] == sorted(written)
    assert len(set(written)) == expected


def test_every_stream_comes_to_a_subscriber_in_its_own_order(
    recorder: ApplicationRecorder,
) -> None:
    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(write_hands, [recorder] * WRITERS))
    seen: list[Notification] = []
    follow(recorder, seen, WRITERS * HANDS_EACH * APPENDS_PER_HAND * FACTS_PER_APPEND)
    streams: dict[UUID | str, list[int]] = {}
    for notification in seen:
        streams.setdefault(notification.originator_id, []).append(notification.originator_version)
    whole = list(range(1, APPENDS_PER_HAND * FACTS_PER_APPEND + 1))
    assert all(versions == whole for versions in streams.values())


def test_a_subscriber_may_begin_anywhere_and_want_only_some_types(
    recorder: ApplicationRecorder,
) -> None:
    hand = uuid4()
    recorder.insert_events(
        [StoredEvent(hand, n, f"type{n % 2}.v1", str(n).encode()) for n in range(1, 9)]
    )
    with recorder.subscribe(gt=3, topics=["type0.v1"]) as subscription:
        seen = [next(subscription).state for _ in range(3)]
    assert seen == [b"4", b"6", b"8"]


def test_a_taken_version_is_refused_and_nothing_of_the_insert_stays(
    recorder: ApplicationRecorder,
) -> None:
    taken, fresh = uuid4(), uuid4()
    recorder.insert_events(stored(taken, 1, "first"))
    with pytest.raises(IntegrityError):
        recorder.insert_events([*stored(fresh, 1, "new"), *stored(taken, 1, "late")])
    assert recorder.select_events(fresh) == []
    assert [event.state for event in recorder.select_events(taken)] == [b"first"]


def test_several_streams_are_stored_at_once(recorder: ApplicationRecorder) -> None:
    one, two = uuid4(), uuid4()
    positions = recorder.insert_events([*stored(one, 1, "a", "b"), *stored(two, 1, "c")])
    assert positions == [1, 2, 3]
    assert [event.state for event in recorder.select_events(one)] == [b"a", b"b"]
    assert [event.state for event in recorder.select_events(two)] == [b"c"]


def test_a_part_of_a_stream_is_selected_in_either_order(recorder: ApplicationRecorder) -> None:
    hand = uuid4()
    recorder.insert_events(stored(hand, 1, "a", "b", "c", "d"))
    between = recorder.select_events(hand, gt=1, lte=3)
    assert [event.state for event in between] == [b"b", b"c"]
    backwards = recorder.select_events(hand, desc=True, limit=2)
    assert [event.state for event in backwards] == [b"d", b"c"]


def test_bytes_come_back_as_they_were(recorder: ApplicationRecorder) -> None:
    hand = uuid4()
    state = bytes(range(256))
    recorder.insert_events([StoredEvent(hand, 1, "noted.v1", state)])
    (event,) = recorder.select_events(hand)
    (notification,) = recorder.select_notifications(start=1, limit=1)
    assert event.state == notification.state == state
    assert type(event.state) is bytes


def test_the_application_puts_events_and_folds_them_back(recorder: ApplicationRecorder) -> None:
    application = RoomApplication(recorder)
    hand = uuid4()
    events: list[HandEvent] = [BringInPosted(seat=2, amount=100, all_in=False), Checked(seat=3)]
    application.events.put([hand_fact(hand, n, event) for n, event in enumerate(events, 1)])

    def fold(
        state: tuple[HandEvent, ...] | None, facts: Iterator[HandFact]
    ) -> tuple[HandEvent, ...]:
        return (*(state or ()), *(fact.event for fact in facts))

    assert application.repository.get(hand, projector_func=fold) == tuple(events)
    assert [n.topic for n in application.notification_log.select(1, 10)] == [
        "bring_in_posted.v1",
        "checked.v1",
    ]


def test_the_envelope_reaches_the_log_through_the_library(room: Room) -> None:
    application = RoomApplication(room.store)
    hand, command = uuid4(), uuid4()
    fact = hand_fact(hand, 1, Checked(seat=3))
    (first,) = application.events.put([fact], actor="ann", command_id=command)
    (again,) = application.events.put([fact], actor="ann", command_id=command)
    assert first.notification.id == again.notification.id
    (recorded,) = room.store.load(hand)
    assert (recorded.actor, recorded.command_id) == ("ann", command)


def test_an_old_event_is_stored_again_as_the_bytes_it_had() -> None:
    old = StoredEvent(uuid4(), 1, "checked.v1", b'{"seat": 3, "gone": 1, "type": "checked.v1"}')
    fact = TagMapper().to_domain_event(old)
    assert fact.event == Checked(seat=3)
    assert TagMapper().to_stored_event(fact) == old


def test_an_unknown_type_is_named_without_its_content() -> None:
    strange = StoredEvent(uuid4(), 7, "sold.v1", b'{"type":"sold.v1","card":"Ah"}')
    with pytest.raises(MapperDeserialisationError, match=r"fact 7 .* no sold\.v1") as raised:
        TagMapper().to_domain_event(strange)
    assert "Ah" not in str(raised.value)
