"""Sealing: every committed event, in order, without gaps; resumable; stopping, never skipping."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from threading import Event, Thread
from uuid import uuid4

import psycopg
import pytest

from services.demo.hands import table_hands
from services.log.following import sealing_follower_of
from services.log.leaf import leaf_hash
from services.log.nodes import LogDamaged, edge_at, root_at
from services.log.sealing import LogSealer, LogStopped, sealer_of
from services.log.secrets import secrets_of
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import Room, open_room
from tests.support.faults import Doomed, Report
from tests.support.sealed import as_owner, forms, root_by_definition, tell, tell_raw

PATIENCE = 20.0  # Seconds until a test gives up; none takes that long.
DEALT = next(iter(table_hands(1))).events
"""A hand with face-down cards."""


def in_pages(room: Room, page: int) -> LogSealer:
    settings = room.settings
    return LogSealer(settings.room, room.store, room.connect, secrets_of(settings), page)


def leaves(room: Room) -> list[tuple[int, int, bytes]]:
    query = "select leaf, position, hash from log_leaves order by leaf"
    with room.connect() as connection:
        return [(leaf, at, bytes(hashed)) for leaf, at, hashed in connection.execute(query)]


def require_sealed(room: Room, size: int | None = None) -> None:
    """Every event is a leaf, in order and without gaps, and every node is as it must be."""
    entries = forms(room)[:size]
    positions = [fact.position for fact in room.store.page(0, 100_000)][:size]
    expected = [
        (n, at, leaf_hash(e)) for n, (at, e) in enumerate(zip(positions, entries, strict=True))
    ]
    assert leaves(room) == expected
    with room.connect() as connection:
        for part in {1, 2, len(entries) // 2, len(entries)} - {0}:
            assert root_at(connection, 1, part) == root_by_definition(entries[:part])
        assert edge_at(connection, 1, len(entries)).root() == root_by_definition(entries)


def test_an_empty_log_is_a_tree_without_leaves(room: Room) -> None:
    assert sealer_of(room).catch_up() == 0
    assert sealer_of(room).status()[:3] == (1, 0, 0)


def test_every_event_becomes_a_leaf_in_the_order_of_the_log(room: Room) -> None:
    tell(room, 2)
    tell(room, 1, DEALT)
    sealer = sealer_of(room)
    assert sealer.status().behind == room.store.head()
    assert sealer.catch_up() == len(leaves(room))
    require_sealed(room)
    assert sealer.status() == (1, len(leaves(room)), 0, None)


@pytest.mark.parametrize("page", [2, 7, 64])
def test_however_the_pages_fall_the_tree_is_the_same(room: Room, page: int) -> None:
    for _ in range(2):
        tell(room, 2)
        in_pages(room, page).catch_up()
    require_sealed(room)


def test_several_sealers_at_once_seal_each_event_once(room: Room) -> None:
    tell(room, 4)
    with ThreadPoolExecutor(3) as sealers:
        sizes = set(sealers.map(lambda _: in_pages(room, 5).catch_up(), range(3)))
    assert len(sizes) == 1
    require_sealed(room)


def seal_on(report: Report, settings: Settings) -> None:
    """Append and seal, a few events a page, until the end comes."""
    with open_room(settings) as room:
        sealer = in_pages(room, 3)
        while True:
            tell(room)
            report("sealed", sealer.catch_up())


def test_a_sealer_killed_at_any_moment_leaves_a_log_that_goes_on(room: Room) -> None:
    known = 0
    for turn in range(3):
        with Doomed(seal_on, room.settings) as process:
            heard = process.reports_until("sealed", 1 + turn)
            heard += process.kill(0.004 * turn)
        known = max(known, *(size for _, size in heard))
        sealed = leaves(room)
        assert len(sealed) >= known
        assert [leaf for leaf, _, _ in sealed] == [*range(len(sealed))]
    sealer_of(room).catch_up()
    require_sealed(room)


# -- what cannot be sealed -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (b'{"type":"checked.v1","seat":1.5}', "a fraction"),
        (b'{"type":"checked.v1","seat":9007199254740993}', "may round"),
        (b"no json", "no event"),
        (b'["checked.v1"]', "no event"),
        (b'{"seat":1}', "no event"),
    ],
)
def test_an_event_without_a_public_form_stops_the_log_and_is_never_passed_over(
    room: Room, state: bytes, why: str
) -> None:
    before = len(tell(room))
    at = tell_raw(room, state)
    tell(room)
    sealer = sealer_of(room)
    for _ in range(2):
        with pytest.raises(LogStopped, match=why) as stopped:
            sealer.catch_up()
        assert f"event {at}," in str(stopped.value)
    assert len(leaves(room)) == before
    status = sealer.status()
    assert status.behind == 1 + before
    assert status.stopped == str(stopped.value)


def test_a_hand_without_its_secret_stops_the_log(room: Room) -> None:
    append = Append(stream=uuid4(), expected=0, facts=facts(DEALT), actor="test")
    room.store.append([append])
    with pytest.raises(LogStopped, match="secret of the hand is missing"):
        sealer_of(room).catch_up()


def test_what_was_sealed_can_be_neither_changed_nor_removed_by_the_program(room: Room) -> None:
    tell(room)
    sealer_of(room).catch_up()
    for table in ("log_leaves", "log_nodes", "log_checkpoints"):
        for change in ("update {} set epoch = 2", "delete from {}", "truncate {}"):
            with (
                room.connect() as connection,
                pytest.raises(psycopg.errors.InsufficientPrivilege),
            ):
                connection.execute(change.format(table).encode())


def test_a_node_that_was_taken_out_is_noticed(room: Room) -> None:
    tell(room, 2)
    size = sealer_of(room).catch_up()
    as_owner(room, "delete from log_nodes where level = 3 and index = 0")
    with room.connect() as connection, pytest.raises(LogDamaged, match="node 0 of level 3"):
        root_at(connection, 1, 8)
    assert size > 8


# -- in the background -----------------------------------------------------------------------------


def test_events_are_sealed_as_they_come(room: Room) -> None:
    sizes, stop = Queue[int](), Event()
    follower = sealing_follower_of(room, sizes.put)
    thread = Thread(target=follower.run, args=(stop,))
    thread.start()
    try:
        for hands in (1, 3):
            tell(room, hands)
            head = len(room.store.page(0, 100_000))
            while sizes.get(timeout=PATIENCE) < head:
                pass
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    require_sealed(room)
