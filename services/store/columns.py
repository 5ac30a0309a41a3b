"""Columns of a batch, written to the wire in one go as the arrays of PostgreSQL.

The driver looks at every element of a list for itself, which takes longer than all the rest of
sending it. What is sent here has one type and no nulls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from struct import Struct
from typing import ClassVar
from uuid import UUID

import psycopg
from psycopg import postgres
from psycopg.adapt import Dumper
from psycopg.pq import Format

_HEAD = Struct("!iiIii")  # Dimensions, whether there are nulls, element type, length, first index.
_LENGTH = Struct("!i")
_BIGINT = Struct("!iq")  # Its length, which is 8, and itself.


class Bigints(list[int]):
    """A `bigint[]`."""


class Uuids(list[UUID]):
    """A `uuid[]`."""


class Texts(list[str]):
    """A `text[]`."""


class Byteas(list[bytes]):
    """A `bytea[]`."""


class _ArrayDumper(Dumper):
    format = Format.BINARY
    element: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.oid = postgres.types[cls.element].array_oid

    def _array(self, length: int, parts: Iterable[bytes]) -> bytes:
        element_oid = postgres.types[self.element].oid
        return b"".join((_HEAD.pack(1, 0, element_oid, length, 1), *parts))


class _BigintsDumper(_ArrayDumper):
    element = "int8"

    def dump(self, column: Bigints) -> bytes:
        return self._array(len(column), map(_BIGINT.pack, repeat(8), column))


class _UuidsDumper(_ArrayDumper):
    element = "uuid"

    def dump(self, column: Uuids) -> bytes:
        return self._array(len(column), _with_lengths([uuid.bytes for uuid in column]))


class _TextsDumper(_ArrayDumper):
    element = "text"

    def dump(self, column: Texts) -> bytes:
        return self._array(len(column), _with_lengths([text.encode() for text in column]))


class _ByteasDumper(_ArrayDumper):
    element = "bytea"

    def dump(self, column: Byteas) -> bytes:
        return self._array(len(column), _with_lengths(column))


def _with_lengths(elements: Sequence[bytes]) -> Iterable[bytes]:
    """Each element after its length."""
    lengths = map(_LENGTH.pack, map(len, elements))
    return chain.from_iterable(zip(lengths, elements, strict=True))


psycopg.adapters.register_dumper(Bigints, _BigintsDumper)
psycopg.adapters.register_dumper(Uuids, _UuidsDumper)
psycopg.adapters.register_dumper(Texts, _TextsDumper)
psycopg.adapters.register_dumper(Byteas, _ByteasDumper)
