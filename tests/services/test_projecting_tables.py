"""Tables among hands in the log: one row each, the same however they were taken in."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from domain.tables import events as t
from projections.tables import TABLES
from services.projecting import projector_of
from services.store.port import Append
from services.store.room import Room
from services.tables.loading import facts
from tests.domain.test_tables import ANNA, BEGUN, BENO, ENDED, OPENED
from tests.support.projected import everything, projector, rows_of, tell
from tests.support.told_hands import odd_chip_hand, side_pot_hand

EVENING = (OPENED, ANNA, BENO, BEGUN, t.PlayerLeaving(seat=1), ENDED, t.SatOut(seat=3))


def tell_of_table(room: Room, events: Sequence[t.TableEvent], table: UUID) -> None:
    expected = len(room.store.load(table))
    append = Append(stream=table, expected=expected, facts=facts(events), actor="test")
    assert room.store.append([append])[0].status == "ok"


@pytest.mark.parametrize("page", [1, 3, 5_000])
def test_tables_between_hands_come_out_the_same_by_page_and_by_rebuild(
    room: Room, page: int
) -> None:
    table, hand = uuid4(), tell(room, side_pot_hand()[:5])
    for event in EVENING:
        tell_of_table(room, [event], table)
    tell(room, side_pot_hand()[5:], hand)
    tell(room, odd_chip_hand())
    tell_of_table(room, [t.PlayerLeft(seat=1, stack=950), t.TableClosed()], table)
    assert projector(room, page).catch_up() == room.store.head()
    before = everything(room)
    (row,) = before["tables"]
    assert row[0] == table
    assert row[-2:] == (len(EVENING) + 2, room.store.head())
    assert len(before["hands"]) == 2
    assert projector_of(room).rebuild() == room.store.head()
    assert everything(room) == before


def test_a_table_is_taken_up_by_a_runner_that_never_saw_it_open(room: Room) -> None:
    table = uuid4()
    tell_of_table(room, EVENING[:4], table)
    projector_of(room).catch_up()
    tell_of_table(room, EVENING[4:], table)
    projector_of(room).catch_up()
    before = everything(room)
    projector_of(room).rebuild(["tables"])
    assert everything(room) == before


def test_tables_are_a_projection_of_their_own(room: Room) -> None:
    tell(room, side_pot_hand())
    tell_of_table(room, EVENING, uuid4())
    projector(room, 5_000, TABLES).catch_up()
    assert (len(rows_of(room, "tables")), rows_of(room, "hands")) == (1, [])


def test_a_table_that_cannot_be_is_set_aside_alone(room: Room) -> None:
    impossible, sound = uuid4(), uuid4()
    tell_of_table(room, [OPENED, ANNA], impossible)
    tell_of_table(room, [OPENED], sound)
    projector_of(room).catch_up()
    tell_of_table(room, [ANNA], impossible)
    tell_of_table(room, [BENO], sound)
    tell(room, side_pot_hand())
    projector_of(room).catch_up()
    assert [row[0] for row in rows_of(room, "tables")] == [sound]
    assert [one.hand for one in projector_of(room).set_aside()] == [impossible]
    assert len(rows_of(room, "hands")) == 1
