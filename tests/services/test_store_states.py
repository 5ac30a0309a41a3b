"""What deciding reads of a hand, and batches in which only some appends say who asked."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from services.errors import StaleStream
from services.store.memory import MemoryEventStore
from services.store.port import Append, EventStore, Fact, Known
from services.store.room import Room


@pytest.fixture(params=["memory", "postgres"])
def store(request: pytest.FixtureRequest) -> EventStore:
    if request.param == "memory":
        return MemoryEventStore()
    room: Room = request.getfixturevalue("room")
    return room.store


def noted(*words: str, command: UUID | None = None, request: str | None = None) -> Append:
    facts = tuple(Fact("noted.v1", word.encode()) for word in words)
    return Append(
        stream=uuid4(),
        expected=0,
        facts=facts,
        actor="ann",
        command_id=command,
        request_id=request,
        causation=request,
    )


def test_the_bytes_of_a_stream_are_those_of_its_facts(store: EventStore) -> None:
    one, other = noted("a", "b", "\x00é"), noted("c")
    store.append([one, other])
    assert list(store.states(one.stream)) == [b"a", b"b", "\x00é".encode()]
    assert list(store.states(one.stream)) == [fact.state for fact in store.load(one.stream)]


def test_a_stream_nobody_wrote_has_no_bytes(store: EventStore) -> None:
    assert list(store.states(uuid4())) == []


@pytest.mark.parametrize("named", [0, 1, 2])
def test_each_append_of_a_batch_keeps_its_own_envelope(store: EventStore, named: int) -> None:
    batch = [
        noted("a", command=uuid4(), request=f"r{n}") if n < named else noted("a") for n in range(2)
    ]
    store.append(batch)
    for append in batch:
        (fact,) = store.load(append.stream)
        assert (fact.command_id, fact.request_id, fact.causation) == (
            append.command_id,
            append.request_id,
            append.causation,
        )


def test_a_command_is_known_again_among_others_without_one(store: EventStore) -> None:
    first = noted("a", command=uuid4())
    store.append([first, noted("b")])
    assert [answer.status for answer in store.append([noted("c"), first])] == ["ok", "duplicate"]


def test_what_a_command_has_become_is_read_with_the_stream(store: EventStore) -> None:
    command, aside = uuid4(), uuid4()
    one = noted("a", "b", command=command)
    longer = replace(one, expected=2, facts=one.facts[:1], command_id=uuid4())
    store.append([one])
    store.append([longer])
    states = [b"a", b"b", b"a"]
    assert store.states_for(one.stream, command, aside) == (states, Known(one.stream, 1, 2))
    assert longer.command_id is not None
    found = store.states_for(one.stream, longer.command_id, aside)
    assert found == (states, Known(one.stream, 3, 3))
    assert store.states_for(one.stream, uuid4(), aside) == (states, None)
    assert store.states_for(one.stream, None, aside, after=2) == ([b"a"], None)
    assert store.states_for(one.stream, command, aside, after=1)[1] == Known(one.stream, 1, 2)
    assert store.states_for(one.stream, command, aside, after=3) == ([], None)


def test_what_a_command_became_aside_counts_where_the_stream_has_nothing_of_it(
    store: EventStore,
) -> None:
    command = uuid4()
    one, beside = noted("a"), noted("b", command=command)
    store.append([one, beside])
    found = store.states_for(one.stream, command, beside.stream)
    assert found == ([b"a"], Known(beside.stream, 1, 1))
    store.append([replace(one, expected=1, command_id=command)])
    found = store.states_for(one.stream, command, beside.stream)
    assert found == ([b"a", b"a"], Known(one.stream, 2, 2))


def test_nothing_is_known_of_a_command_at_a_stream_nobody_wrote(store: EventStore) -> None:
    beside = noted("b", command=uuid4())
    store.append([beside])
    assert beside.command_id is not None
    assert store.states_for(uuid4(), beside.command_id, beside.stream) == ([], None)


def test_several_streams_are_written_together_or_not_at_all(store: EventStore) -> None:
    one, other = noted("a"), noted("b")
    store.append([one])
    with pytest.raises(StaleStream):
        store.append_together([other, one])
    assert list(store.states(other.stream)) == []
    store.append_together([other, replace(one, expected=1)])
    assert [len(store.states(append.stream)) for append in (one, other)] == [2, 1]
