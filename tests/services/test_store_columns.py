"""Columns we write to the wire ourselves arrive as what they are."""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest

from domain.units import MOST_CHIPS
from services.store.columns import Bigints, Byteas, Texts, Uuids
from services.store.room import Room

Column = Bigints | Uuids | Texts | Byteas

COLUMNS: list[tuple[str, Column]] = [
    ("bigint[]", Bigints([1, 0, -1, MOST_CHIPS, -(2**63), 2**63 - 1])),
    ("uuid[]", Uuids([UUID(int=0), UUID(int=2**128 - 1)])),
    ("text[]", Texts(["called.v1", "", "{null}", 'a "b", \\c', "šárka 牌"])),
    ("bytea[]", Byteas([b'{"type":"called.v1"}', b"", bytes(range(256))])),
]


def sent(room: Room, column: Column, type_: str) -> list[object]:
    with room.connect() as connection:
        query = f"select %b::{type_}".encode()
        row = connection.execute(query, (column,), binary=True).fetchone()
    assert row is not None
    found: list[object] = row[0]
    return found


@pytest.mark.parametrize(("type_", "column"), COLUMNS)
def test_every_value_of_a_column_arrives(room: Room, type_: str, column: Column) -> None:
    assert sent(room, column, type_) == list(column)


@pytest.mark.parametrize(("type_", "column"), COLUMNS)
def test_an_empty_column_arrives_empty(room: Room, type_: str, column: Column) -> None:
    assert sent(room, type(column)(), type_) == []


def test_text_the_database_cannot_hold_is_refused_as_it_always_was(room: Room) -> None:
    with pytest.raises(psycopg.DataError):
        sent(room, Texts(["a\x00b"]), "text[]")
