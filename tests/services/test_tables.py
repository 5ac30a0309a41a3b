"""Tables in the log: loaded as they stand, hands begun and ended at them."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain import commands as hand_commands
from domain.decide import decide as decide_hand
from domain.errors import Refused
from domain.events import Deck, SeatStack
from domain.tables import events as t
from services.identity import hand_id
from services.store.memory import MemoryEventStore
from services.store.port import Append, facts
from services.tables import (
    LoadedTable,
    UnknownTable,
    appending,
    begun,
    ended,
    hand_at,
    hand_number,
    load_table,
)
from services.tables.loading import facts as table_facts
from tests.domain.test_tables import ANNA, BENO, OPENED

TABLE = UUID("3c9e51d0-0000-4000-8000-000000000001")
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
SHUFFLED = Deck(source="shuffled", commitment=None)


def store_with(*events: t.TableEvent) -> MemoryEventStore:
    store = MemoryEventStore()
    store.append([Append(stream=TABLE, expected=0, facts=table_facts(events), actor="floor")])
    return store


def left(*stacks: tuple[int, int]) -> list[SeatStack]:
    return [SeatStack(seat=seat, stack=stack) for seat, stack in stacks]


def with_a_hand(store: MemoryEventStore) -> tuple[LoadedTable, t.HandBegun]:
    loaded = load_table(store, TABLE)
    begins = begun(loaded, None, NOON)
    store.append([appending(loaded, [begins], "dealer")])
    return load_table(store, TABLE), begins


def test_a_table_is_loaded_as_it_stands() -> None:
    loaded = load_table(store_with(OPENED, ANNA, BENO), TABLE)
    assert (loaded.id, loaded.version) == (TABLE, 3)
    assert [(s.seat, s.stack) for s in loaded.table.seats] == [(1, 1000), (3, 2000)]


def test_what_is_no_table_is_unknown() -> None:
    store = store_with(OPENED, ANNA, BENO)
    loaded, begins = with_a_hand(store)
    hand = hand_at(loaded, begins, SHUFFLED)
    store.append([Append(stream=begins.hand, expected=0, facts=facts([hand]), actor="dealer")])
    for stream in (begins.hand, UUID(int=9)):
        with pytest.raises(UnknownTable):
            load_table(store, stream)


def test_a_hand_is_numbered_after_its_table_and_found_by_its_number() -> None:
    loaded, begins = with_a_hand(store_with(OPENED, ANNA, BENO))
    assert begins.number == hand_number(TABLE, 1) == "T3c9e51d0-1"
    assert begins.hand == hand_id(hand_at(loaded, begins, SHUFFLED), begins.number, digest="")
    assert loaded.table.hands_begun == 1


def test_a_hand_that_begins_at_a_table_can_be_dealt() -> None:
    loaded, begins = with_a_hand(store_with(OPENED, ANNA, BENO))
    start = hand_at(loaded, begins, SHUFFLED)
    events = decide_hand(None, hand_commands.StartHand(hand=start))
    assert (start.table.id, start.played_at, start.source.kind) == (str(TABLE), NOON, "dealt")
    assert [taken.stack for taken in start.seats] == [1000, 2000]
    assert len(events) == 3


def test_a_hand_that_ended_lets_go_who_wanted_to_leave() -> None:
    store = store_with(OPENED, ANNA, BENO)
    loaded, begins = with_a_hand(store)
    store.append([appending(loaded, [t.PlayerLeaving(seat=1)], "floor")])
    loaded = load_table(store, TABLE)
    command = UUID(int=5)
    append = ended(
        loaded, begins.hand, left((1, 950), (3, 2025)), False, NOON, "dealer", command_id=command
    )
    assert [fact.type for fact in append.facts] == ["hand_ended.v1", "player_left.v1"]
    assert (append.stream, append.expected, append.command_id) == (TABLE, loaded.version, command)
    store.append([append])
    assert [s.stack for s in load_table(store, TABLE).table.seats] == [2025]


def test_a_hand_ends_once() -> None:
    store = store_with(OPENED, ANNA, BENO)
    loaded, begins = with_a_hand(store)
    whole = left((1, 1000), (3, 2000))
    store.append([ended(loaded, begins.hand, whole, True, NOON, "floor")])
    with pytest.raises(Refused, match="not being played"):
        ended(load_table(store, TABLE), begins.hand, whole, True, NOON, "floor")
