"""A table's stream: read as a state, written as an append that others cannot overtake."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import msgspec

from domain.tables.events import TYPES, TableEvent, decode, encode, tag_of
from domain.tables.table import Table, replay
from services.errors import ServiceError
from services.store.port import Append, EventStore, Fact


class UnknownTable(ServiceError):
    """The room has no table of this id."""


class LoadedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it stood when it was read; `version` is how many facts that takes in."""

    id: UUID
    table: Table
    version: int


class _Tagged(msgspec.Struct):
    type: str


_type_of = msgspec.json.Decoder(_Tagged).decode


def load_table(store: EventStore, table: UUID) -> LoadedTable:
    """The table as it stands. Raises `UnknownTable`, also for the id of something else."""
    states = store.states(table)
    if not states or _type_of(states[0]).type not in TYPES:
        raise UnknownTable(f"there is no table {table}")
    return LoadedTable(id=table, table=replay(map(decode, states)), version=len(states))


def appending(
    loaded: LoadedTable,
    events: Iterable[TableEvent],
    actor: str,
    *,
    command_id: UUID | None = None,
    request_id: str | None = None,
    causation: str | None = None,
) -> Append:
    """These events at the end of the table's stream, if nothing came after it was read."""
    return Append(
        stream=loaded.id,
        expected=loaded.version,
        facts=facts(events),
        actor=actor,
        command_id=command_id,
        request_id=request_id,
        causation=causation,
    )


def facts(events: Iterable[TableEvent]) -> tuple[Fact, ...]:
    """Events of a table as they are stored."""
    return tuple(Fact(tag_of(event), encode(event)) for event in events)
