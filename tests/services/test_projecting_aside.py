"""A hand that cannot be taken in is set aside and named; every other hand goes on."""

from __future__ import annotations

from typing import LiteralString

import psycopg
import pytest
from msgspec.structs import replace

from domain import events as e
from domain.units import MOST_CHIPS
from projections.hands import HANDS
from projections.pots import POTS
from services.errors import NotMigrated
from services.projecting import projector_of
from services.store.room import Room
from tests.support.cli import CommandLine
from tests.support.projected import everything, projector, rows_of, tell
from tests.support.told_hands import correction, odd_chip_hand, quiet_hand, rake, side_pot_hand

PAGES = [3, 5_000]


def in_currency(currency: str) -> tuple[e.HandEvent, ...]:
    start, *rest = quiet_hand()
    assert isinstance(start, e.HandStarted)
    return replace(start, money=replace(start.money, currency=currency)), *rest


def awarded_by(rule: str) -> tuple[e.HandEvent, ...]:
    return tuple(
        replace(event, reason=replace(event.reason, rule=rule))
        if isinstance(event, e.PotAwarded)
        else event
        for event in side_pot_hand()
    )


BORNE_BY_NOBODY = (
    quiet_hand()[0],
    replace(rake([0], {}), attribution=rake([], {10: 0}).attribution),
)

BAD = {
    "a text no column takes": in_currency("U\0D"),
    "a json no column takes": awarded_by("G\0"),
    "a seat nobody sat in": BORNE_BY_NOBODY,
    "a fact without its beginning": side_pot_hand()[1:3],
    "more chips than are counted": (*quiet_hand(), correction({1: -MOST_CHIPS, 2: 0}, 0)),
}


def as_owner(room: Room, change: LiteralString) -> None:
    schema = f"-c search_path={room.settings.room}"
    with psycopg.connect(room.database.owner, options=schema) as connection:
        connection.execute(change)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_hand_that_cannot_be_taken_in_stops_no_other(
    room: Room, bad: tuple[e.HandEvent, ...], page: int
) -> None:
    tell(room, side_pot_hand())
    wrong = tell(room, bad)
    tell(room, odd_chip_hand())
    runner = projector(room, page)
    assert runner.catch_up() == room.store.head()
    [aside] = runner.set_aside()
    assert aside.hand == wrong
    assert {p.position for p in runner.status()} == {room.store.head()}
    assert len(rows_of(room, "hands")) == 2
    before = everything(room)
    assert projector_of(room).rebuild() == room.store.head()
    assert everything(room) == before


@pytest.mark.parametrize("page", PAGES)
def test_what_was_told_of_a_hand_before_it_went_wrong_is_taken_out_again(
    room: Room, page: int
) -> None:
    tell(room, side_pot_hand())
    runner = projector(room, page)
    runner.catch_up()
    sound = everything(room)
    hand = tell(room, odd_chip_hand())
    runner.catch_up()
    tell(room, [odd_chip_hand()[0]], hand)
    runner.catch_up()
    tell(room, [correction({1: -25, 2: 25}, 0)], hand)
    runner.catch_up()
    assert everything(room) == sound
    [aside] = runner.set_aside()
    assert (aside.hand, aside.reason) == (hand, "CorruptHistory")
    projector(room, page).rebuild()
    assert everything(room) == sound


def test_a_hand_set_aside_is_tried_again_by_a_rebuild(room: Room) -> None:
    hand = tell(room, side_pot_hand()[:9])
    with room.connect() as connection:
        note = "insert into projection_set_aside values ('hands', %s, 1, 'KeyError')"
        connection.execute(note, (hand,))
    runner = projector_of(room)
    runner.catch_up()
    tell(room, side_pot_hand()[9:], hand)
    runner.catch_up()
    assert all(not rows for rows in everything(room).values())
    runner.rebuild()
    assert runner.set_aside() == ()
    assert len(rows_of(room, "hands")) == 1


def test_a_projection_rebuilt_by_itself_tries_again_only_for_itself(room: Room) -> None:
    tell(room, BORNE_BY_NOBODY)
    both = projector(room, 5_000, HANDS, POTS)
    both.catch_up()
    projector_of(room).rebuild(["hands"])
    [aside] = both.set_aside()
    assert aside.projections == ["hands", "pots"]


def test_sums_that_outgrow_their_column_set_one_hand_aside_in_a_rebuild_too(room: Room) -> None:
    for _ in range(3):
        tell(room, side_pot_hand())
    as_owner(room, "alter table rake_table_days add check (hands < 3)")
    for work in (projector_of(room).catch_up, projector_of(room).rebuild):
        work()
        assert [aside.reason for aside in projector_of(room).set_aside()] == ["CheckViolation"]
        assert len(rows_of(room, "hands")) == 2


def test_a_table_that_is_missing_sets_no_hand_aside(room: Room) -> None:
    tell(room, side_pot_hand())
    as_owner(room, "alter table findings rename to elsewhere")
    with pytest.raises(NotMigrated):
        projector_of(room).catch_up()
    assert projector_of(room).set_aside() == ()


def test_status_and_doctor_name_the_hand(studledger: CommandLine, room: Room) -> None:
    hand = str(tell(room, in_currency("U\0D")))
    projector_of(room).catch_up()
    status = studledger("projections", "status", "--format", "json")
    assert (status.code, [one["hand"] for one in status.json["set_aside"]]) == (0, [hand])
    assert hand in studledger("projections", "status").err
    doctor = studledger("doctor", "--format", "json", code=1)
    failed = {check["name"]: check["text"] for check in doctor.json["checks"] if not check["ok"]}
    assert hand in failed["projections"]
