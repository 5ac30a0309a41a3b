"""What deciding reads of a hand, and batches in which only some appends say who asked."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from services.store.memory import MemoryEventStore
from services.store.port import Append, EventStore, Fact
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
