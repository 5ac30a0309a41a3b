"""Logs for tests: hands put in, trees by the words of RFC 9162, and a database set back."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from uuid import UUID, uuid4

import psycopg

from domain import events as e
from services.log.leaf import public_form
from services.store.port import Append, Fact, facts, pages
from services.store.room import Room
from tests.support.told_hands import side_pot_hand

NUMBERS = count(1)


def tell(room: Room, hands: int = 1, events: Sequence[e.HandEvent] | None = None) -> list[int]:
    """Append hands, with secrets as every hand has one; the positions of their events."""
    batch = [
        Append(
            stream=uuid4(),
            expected=0,
            facts=facts(events or side_pot_hand()),
            actor="test",
            secret=True,
        )
        for _ in range(hands)
    ]
    return [position for answer in room.store.append(batch) for position in answer.positions]


def tell_raw(room: Room, state: bytes, type_: str = "checked.v1") -> int:
    """Append one fact of these bytes, whatever they are; its position."""
    append = Append(stream=uuid4(), expected=0, facts=(Fact(type_, state),), actor="test")
    return room.store.append([append])[0].positions[0]


def forms(room: Room) -> list[bytes]:
    """The public forms of the whole log, in the order of the events."""
    return [
        public_form(room.settings.room, fact, room.secrets.of(fact.stream))
        for page in pages(room.store)
        for fact in page
    ]


def root_by_definition(entries: Sequence[bytes]) -> bytes:
    """The root of the tree over these entries: RFC 9162, 2.1.1, word for word."""
    if len(entries) == 1:
        return sha256(b"\x00" + entries[0]).digest()
    k = 1
    while 2 * k < len(entries):
        k *= 2
    left, right = root_by_definition(entries[:k]), root_by_definition(entries[k:])
    return sha256(b"\x01" + left + right).digest()


def as_owner(room: Room, *statements: str) -> None:
    """What only the owner of the tables can do: change what is stored."""
    with psycopg.connect(room.database.owner, autocommit=True) as connection:
        connection.execute(f"set search_path = {room.settings.room}".encode())
        for statement in statements:
            connection.execute(statement.encode())


def set_back(room: Room, size: int) -> None:
    """The database as an older backup has it: when its log had `size` leaves."""
    with room.connect() as connection:
        row = connection.execute(
            "select position from log_leaves where leaf = %s", (size - 1,)
        ).fetchone()
    assert row is not None
    as_owner(
        room,
        f"delete from events where notification_id > {row[0]}",
        f"delete from log_leaves where leaf >= {size}",
        f"delete from log_nodes where ((index + 1) << level) > {size}",
        f"delete from log_checkpoints where size > {size}",
    )


def stream_of(room: Room, position: int) -> UUID:
    """The stream of the event at a position."""
    (fact,) = room.store.page(position - 1, 1)
    assert fact.position == position
    return fact.stream
