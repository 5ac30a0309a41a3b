"""The named queries beside the projections, and one moment of the database to ask them in."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from psycopg import Connection
from psycopg.rows import class_row

Connect = Callable[[], AbstractContextManager[Connection]]
Row = TypeVar("Row")

NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)

COMPLETE_TO = (
    "select coalesce(min(position), 0) from unnest(%s::text[]) as wanted (name)"
    " left join projection_positions using (name)"
)


@cache
def named_queries(file: str) -> Mapping[str, bytes]:
    """The queries of a file beside the projections, by their names."""
    text = files("projections").joinpath(file).read_text("utf-8")
    _, *parts = NAME.split(text)
    return {
        name: query.strip().encode() for name, query in zip(parts[::2], parts[1::2], strict=True)
    }


def only_asked(query: bytes, parameters: Mapping[str, Any]) -> bytes:
    r"""A query without the lines whose `-- if NAME` is not asked for.

    >>> only_asked(b"select\n where a = %(a)s -- if a\n and b = %(b)s -- if b", {"a": 1})
    b'select\n where a = %(a)s '
    """
    kept = []
    for line in query.decode().splitlines():
        condition, _, name = line.partition("-- if ")
        if not name or parameters.get(name) is not None:
            kept.append(condition)
    return "\n".join(kept).encode()


@contextlib.contextmanager
def one_moment(connect: Connect) -> Iterator[Connection]:
    """A read-only transaction in which every question is answered as of the same commit."""
    with connect() as connection, connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        yield connection


def ask(
    connection: Connection, query: bytes, parameters: Mapping[str, Any], row: type[Row]
) -> tuple[Row, ...]:
    """The answer to a query, as structs whose fields are its columns.

    Planned each time anew: what is not asked for then drops out of the plan.
    """
    with connection.cursor(row_factory=class_row(row)) as cursor:
        return tuple(cursor.execute(query, parameters, prepare=False))


def complete_to(connection: Connection, names: Sequence[str]) -> int:
    """The position up to which all of these projections have taken in the log."""
    row = connection.execute(COMPLETE_TO, (list(names),)).fetchone()
    assert row is not None
    return int(row[0])
