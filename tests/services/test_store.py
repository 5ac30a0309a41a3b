"""The event store's promises, kept alike by PostgreSQL and by the one in memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from domain.events import Checked, decode
from services.store.memory import MemoryEventStore
from services.store.port import Append, EventStore, Fact, facts, pages
from services.store.room import Room


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> EventStore:
    if request.param == "memory":
        return MemoryEventStore()
    room: Room = request.getfixturevalue("room")
    return room.store


def adding(stream: UUID, expected: int, *words: str, command: UUID | None = None) -> Append:
    """An append of one made-up fact per word."""
    noted = tuple(Fact("noted.v1", word.encode()) for word in words)
    return Append(stream=stream, expected=expected, facts=noted, actor="ann", command_id=command)


def words(store: EventStore, stream: UUID) -> list[str]:
    return [fact.state.decode() for fact in store.load(stream)]


def test_facts_come_back_byte_for_byte_in_order(store: EventStore) -> None:
    hand = uuid4()
    odd = ['{"b":  2,\t"a": 1}', "\x00\xff not even JSON", ""]
    (answer,) = store.append([adding(hand, 0, *odd)])
    assert words(store, hand) == odd
    assert [fact.n for fact in store.load(hand)] == [1, 2, 3]
    assert tuple(fact.position for fact in store.load(hand)) == answer.positions
    assert list(answer.positions) == sorted(answer.positions)


def test_an_event_is_stored_under_its_tag(store: EventStore) -> None:
    hand = uuid4()
    event = Checked(seat=3)
    store.append([Append(stream=hand, expected=0, facts=facts([event]), actor="ann")])
    (fact,) = store.load(hand)
    assert fact.type == "checked.v1"
    assert decode(fact.state) == event


def test_the_envelope_says_who_why_and_when(store: EventStore) -> None:
    hand, command = uuid4(), uuid4()
    before = datetime.now(UTC) - timedelta(seconds=1)
    append = Append(
        stream=hand,
        expected=0,
        facts=(Fact("noted.v1", b"{}"),),
        actor="ann",
        command_id=command,
        request_id="request 7",
        causation="import of a file",
    )
    store.append([append])
    (fact,) = store.load(hand)
    assert (fact.actor, fact.command_id) == ("ann", command)
    assert (fact.request_id, fact.causation) == ("request 7", "import of a file")
    assert before < fact.recorded_at < datetime.now(UTC) + timedelta(seconds=1)


def test_an_append_to_a_stream_that_moved_on_is_stale_and_stores_nothing(store: EventStore) -> None:
    hand = uuid4()
    store.append([adding(hand, 0, "first")])
    head = store.head()
    (answer,) = store.append([adding(hand, 0, "late")])
    assert (answer.status, answer.version, answer.positions) == ("stale", 1, ())
    (answer,) = store.append([adding(hand, 2, "early")])
    assert answer.status == "stale"
    assert words(store, hand) == ["first"]
    assert store.head() == head


def test_a_retry_after_a_lost_answer_gets_the_old_positions(store: EventStore) -> None:
    hand, command = uuid4(), uuid4()
    (first,) = store.append([adding(hand, 0, "one", "two", command=command)])
    store.append([adding(hand, 2, "three")])
    (again,) = store.append([adding(hand, 0, "one", "two", command=command)])
    assert (again.status, again.version) == ("duplicate", 3)
    assert again.positions == first.positions
    assert words(store, hand) == ["one", "two", "three"]


def test_a_retry_decided_on_the_new_state_is_a_duplicate_too(store: EventStore) -> None:
    hand, command = uuid4(), uuid4()
    store.append([adding(hand, 0, "raise", command=command)])
    (again,) = store.append([adding(hand, 1, "raise", command=command)])
    assert again.status == "duplicate"
    assert words(store, hand) == ["raise"]


def test_one_command_may_write_to_two_streams(store: EventStore) -> None:
    hand, table, command = uuid4(), uuid4(), uuid4()
    first, second = store.append(
        [adding(hand, 0, "dealt", command=command), adding(table, 0, "moved", command=command)]
    )
    assert (first.status, second.status) == ("ok", "ok")


def test_a_stale_stream_never_hurts_its_neighbours(store: EventStore) -> None:
    moved, fresh, known, command = uuid4(), uuid4(), uuid4(), uuid4()
    store.append([adding(moved, 0, "first"), adding(known, 0, "once", command=command)])
    answers = store.append(
        [
            adding(moved, 0, "late"),
            adding(fresh, 0, "new", "newer"),
            adding(known, 0, "once", command=command),
        ]
    )
    assert [answer.status for answer in answers] == ["stale", "ok", "duplicate"]
    assert [answer.stream for answer in answers] == [moved, fresh, known]
    assert words(store, fresh) == ["new", "newer"]
    assert [len(answer.positions) for answer in answers] == [0, 2, 1]


def test_a_batch_holds_a_stream_once_and_no_empty_append(store: EventStore) -> None:
    hand = uuid4()
    with pytest.raises(ValueError, match="twice"):
        store.append([adding(hand, 0, "one"), adding(hand, 1, "two")])
    with pytest.raises(ValueError, match="without facts"):
        store.append([adding(hand, 0)])
    assert store.append([]) == ()
    assert store.load(hand) == ()


def test_the_log_is_read_in_pages_from_any_position(store: EventStore) -> None:
    hands = [uuid4() for _ in range(3)]
    for hand in hands:
        store.append([adding(hand, 0, "a", "b", "c")])
    everything = [fact for page in pages(store, size=2) for fact in page]
    assert [fact.stream for fact in everything] == [hand for hand in hands for _ in range(3)]
    positions = [fact.position for fact in everything]
    assert positions == sorted(set(positions))
    assert positions[-1] == store.head()
    assert [fact.position for fact in store.page(positions[3], 2)] == positions[4:6]
    assert store.page(store.head(), 10) == []


def test_an_empty_log_has_head_zero_and_no_page(store: EventStore) -> None:
    assert store.head() == 0
    assert list(pages(store)) == []


def test_many_streams_are_read_at_once_and_unknown_ones_are_left_out(store: EventStore) -> None:
    one, two, unknown = uuid4(), uuid4(), uuid4()
    store.append([adding(one, 0, "a", "b"), adding(two, 0, "c")])
    loaded = store.load_many([two, unknown, one])
    assert {hand: len(own) for hand, own in loaded.items()} == {one: 2, two: 1}
    assert loaded[one] == store.load(one)
    assert store.existing([one, unknown]) == {one}


def test_of_many_writers_to_one_stream_one_is_first(store: EventStore) -> None:
    hand = uuid4()

    def write(name: int) -> str:
        (answer,) = store.append([adding(hand, 0, f"writer {name}")])
        return answer.status

    with ThreadPoolExecutor(8) as writers:
        statuses = sorted(writers.map(write, range(8)))
    assert statuses == ["ok"] + ["stale"] * 7
    assert len(store.load(hand)) == 1


@pytest.mark.parametrize(
    "change",
    [
        "update events set topic = 'forged'",
        "delete from events",
        "truncate events",
        "update commands set last_version = 9",
        "alter table events add column more text",
        "drop table events",
        "alter sequence events_notification_id_seq restart",
    ],
)
def test_the_application_cannot_change_the_log(room: Room, change: str) -> None:
    room.store.append([adding(uuid4(), 0, "kept")])
    with room.connect() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(change.encode())


def test_the_application_cannot_choose_a_position(room: Room) -> None:
    forged = b"""insert into events (originator_id, originator_version, topic, state,
                 notification_id) values (gen_random_uuid(), 1, 'x', '', 1)"""
    with room.connect() as connection, pytest.raises(psycopg.errors.GeneratedAlways):
        connection.execute(forged)


def test_two_rooms_of_one_database_share_nothing(room: Room, another: Callable[[], Room]) -> None:
    hand, other = uuid4(), another()
    room.store.append([adding(hand, 0, "here")])
    assert other.store.load(hand) == ()
    assert other.store.head() == 0
    (answer,) = other.store.append([adding(hand, 0, "there")])
    assert answer.status == "ok"
    assert words(room.store, hand) == ["here"]
