"""The room's log keeps what it is given, in order, once."""

from __future__ import annotations

from uuid import UUID, uuid4

from services.store.port import Append, Fact
from services.store.room import Room


def facts(*words: str) -> tuple[Fact, ...]:
    return tuple(Fact("noted.v1", word.encode()) for word in words)


def adding(stream: UUID, expected: int, *words: str, command: UUID | None = None) -> Append:
    return Append(
        stream=stream, expected=expected, facts=facts(*words), actor="test", command_id=command
    )


def test_what_was_appended_is_loaded_byte_for_byte(room: Room) -> None:
    hand = uuid4()
    (answer,) = room.store.append([adding(hand, 0, '{"a": 1}', '{"b":  2}')])
    assert answer.status == "ok"
    assert answer.version == 2
    loaded = room.store.load(hand)
    assert [fact.state for fact in loaded] == [b'{"a": 1}', b'{"b":  2}']
    assert tuple(fact.position for fact in loaded) == answer.positions
