"""Rows that are sums over hands: what changed is gathered and added in one statement a table."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Any

import msgspec
from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier

from projections.shape import SumRow
from services.projecting.folding import Fold, Folder

Table = type[SumRow]
Key = tuple[Any, ...]

MOST = 50_000  # Sums gathered in memory, some 20 MB; a rebuild writes them when there are more.

ARRAYS = {int: "bigint[]", str: "text[]", date: "date[]", datetime: "timestamptz[]"}
"""How values of a column travel to the database, many at once."""


class Sums:
    """What hands have added to the sums of some tables and is not written yet."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._gathered: dict[Table, dict[Key, list[int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._gathered.values()))

    def gather(self, folds: Iterable[Fold]) -> None:
        """Add the difference between what these hands come to now and before their page."""
        for fold in folds:
            self._add(self._folder.adds(fold), 1)
            self._add(self._folder.added_before(fold), -1)

    def withdraw(self, fold: Fold) -> None:
        """Take off all that a hand has added."""
        self._add(self._folder.adds(fold), -1)

    def take(self, other: Sums) -> None:
        """Add what others have gathered."""
        for table, gathered in other._gathered.items():
            sums = self._gathered.setdefault(table, {})
            for key, amounts in gathered.items():
                total = sums.setdefault(key, [0] * len(amounts))
                for i, amount in enumerate(amounts):
                    total[i] += amount

    def _add(self, rows: Iterable[SumRow], sign: int) -> None:
        add = operator.add if sign > 0 else operator.sub
        for row in rows:
            table = type(row)
            key_of, amounts_of = _getters(table)
            sums = self._gathered.setdefault(table, {})
            key, more = key_of(row), amounts_of(row)
            total = sums.get(key) or repeat(0)
            sums[key] = list(map(add, total, more))

    def write(self, connection: Connection) -> None:
        """Bring the tables up to what was gathered, in the transaction that is open."""
        for table, sums in self._gathered.items():
            moved = [(*key, *total) for key, total in sums.items() if any(total)]
            if moved:
                columns = [list(column) for column in zip(*moved, strict=True)]
                connection.execute(_merging(table), columns)
        self._gathered.clear()


@cache
def _getters(table: Table) -> tuple[attrgetter[Key], attrgetter[tuple[int, ...]]]:
    return attrgetter(*_keys(table)), attrgetter(*table.amounts)


def _keys(table: Table) -> tuple[str, ...]:
    return tuple(name for name in table.__struct_fields__ if name not in table.amounts)


@cache
def _merging(table: Table) -> bytes:
    """Add to the sums there are, begin those there are not, take out what comes to nothing."""
    keys, amounts = _keys(table), table.amounts
    columns = (*keys, *amounts)
    types = {field.name: ARRAYS[field.type] for field in msgspec.structs.fields(table)}
    return (
        SQL(
            "merge into {table} t using unnest({arrays}) as d ({columns}) on {same}"
            " when matched and {nothing} then delete"
            " when matched then update set {added}"
            " when not matched then insert ({columns}) values ({values})"
        )
        .format(
            table=Identifier(table.table),
            arrays=SQL(", ").join(SQL("%s::" + types[name]) for name in columns),
            columns=SQL(", ").join(map(Identifier, columns)),
            same=_each("t.{0} = d.{0}", keys, " and "),
            nothing=_each("t.{0} + d.{0} = 0", amounts, " and "),
            added=_each("{0} = t.{0} + d.{0}", amounts, ", "),
            values=_each("d.{0}", columns, ", "),
        )
        .as_bytes()
    )


def _each(form: str, names: Sequence[str], between: str) -> Composed:
    return SQL(between).join(SQL(form).format(Identifier(name)) for name in names)
