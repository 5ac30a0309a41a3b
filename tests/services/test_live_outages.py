"""Times in which nobody kept the clocks: every turn gets them back, or its hand is void, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from domain import commands as c
from domain import events as e
from domain.rederiving import first_difference
from domain.verdict import judge
from services.live_clock import Scheduler, Terms
from services.live_clock.outages import Heartbeat
from services.store.room import Room
from tests.support.clocked import TERMS, Clocked
from tests.support.live import FLOOR, live_in

VOID = Terms(outage_policy="void")


@pytest.fixture
def table(room: Room) -> Clocked:
    """A hand whose first turn has run for five seconds, kept all the while."""
    table = Clocked(room)
    table.at(5)
    return table


def new_server(table: Clocked, terms: Terms = TERMS) -> Scheduler:
    return Scheduler(live_in(table.live.room, table.time), terms)


def outages(room: Room) -> list[tuple[Any, ...]]:
    with room.connect() as connection:
        return connection.execute(
            "select ended_at - began_at, policy, settled_at is not null from live_outages"
        ).fetchall()


def test_a_turn_gets_back_the_time_in_which_nobody_was_there(table: Clocked) -> None:
    clock = table.clock
    table.stand_still(60)
    new_server(table).tick()
    assert table.pauses() == [
        e.ClockPaused(
            reason="outage: nobody kept the clock", at=clock.started_at + timedelta(seconds=5)
        ),
        e.ClockResumed(
            reason="outage: nobody kept the clock", at=clock.started_at + timedelta(seconds=65)
        ),
    ]
    table.at(90.4)
    assert table.timed_out() == []
    table.at(90.5)
    assert table.timed_out()[0].deadline == clock.deadline + timedelta(seconds=60)
    assert outages(table.live.room) == [(timedelta(seconds=60), "extend", True)]


def test_what_the_clock_did_is_found_right_by_the_rules(table: Clocked) -> None:
    table.stand_still(60)
    new_server(table).tick()
    table.at(300)
    assert len(table.timed_out()) == 2
    assert table.reload().hand.completed
    assert judge(table.stored()).verdict == "clean"
    assert first_difference(table.stored()) is None


def test_a_server_that_stood_still_itself_makes_up_for_it_too(table: Clocked) -> None:
    """The computer slept, or the database was away; the program is the same."""
    table.stand_still(60)
    table.let_pass(1)
    assert len(table.pauses()) == 2
    table.at(91)
    assert table.timed_out() == []


def test_what_is_no_longer_than_the_room_says_is_no_outage(table: Clocked) -> None:
    table.stand_still(5)
    new_server(table).tick()
    assert table.pauses() == []
    assert outages(table.live.room) == []
    table.at(30.5)
    assert len(table.timed_out()) == 1


def test_while_one_server_is_there_none_is_missed(table: Clocked) -> None:
    other = new_server(table)
    table.let_pass(20, other)
    table.let_pass(1)
    assert table.pauses() == []
    assert outages(table.live.room) == []


def test_a_deadline_that_passed_in_an_outage_has_not_passed(table: Clocked) -> None:
    table.stand_still(3600)
    back = new_server(table)
    back.tick()
    back.tick()
    assert table.timed_out() == []
    table.reload()
    table.act("bring_in")
    assert table.timed_out() == []


def test_a_deadline_that_had_passed_before_it_has_passed(room: Room) -> None:
    patient = Terms(grace=timedelta(seconds=5))
    table = Clocked(room, terms=patient)
    table.at(33)
    table.stand_still(3600)
    new_server(table, patient).tick()
    assert len(table.timed_out()) == 1
    assert table.pauses() == []


def test_every_hand_is_paused_once_however_many_servers_come_back(room: Room) -> None:
    tables = [Clocked(room)]
    tables += [Clocked(room, time=tables[0].time) for _ in range(4)]
    tables[0].at(3)
    tables[0].stand_still(40)
    servers = [new_server(tables[0]) for _ in range(4)]
    with ThreadPoolExecutor(4) as at_once:
        list(at_once.map(lambda server: server.tick(), servers))
    for server in servers:
        server.tick()
    assert [len(table.pauses()) for table in tables] == [2] * 5
    assert outages(room) == [(timedelta(seconds=40), "extend", True)]


def test_who_noticed_an_outage_and_died_is_followed_by_another(table: Clocked) -> None:
    """It is on record, and not a hand has been paused; the sign of life is fresh."""
    table.stand_still(60)
    assert len(Heartbeat(table.live.room, TERMS).beat(table.time())) == 1
    assert table.pauses() == []
    table.stand_still(2)
    new_server(table).tick()
    assert len(table.pauses()) == 2
    assert table.reload().clock.deadline - table.clock.started_at == timedelta(seconds=90)


def test_who_died_after_pausing_some_hands_leaves_the_others_to_the_next(room: Room) -> None:
    first = Clocked(room)
    second = Clocked(room, time=first.time)
    first.at(5)
    first.stand_still(60)
    new_server(first).tick()
    with room.connect() as connection, psycopg.connect(room.database.owner) as owner:
        # As if it had died before it could say that every hand was dealt with.
        owner.execute(f"update {room.settings.room}.live_outages set settled_at = null")
        owner.commit()
        assert connection.execute("select count(*) from live_outages").fetchone() == (1,)
    new_server(first).tick()
    assert [len(table.pauses()) for table in (first, second)] == [2, 2]
    assert outages(room) == [(timedelta(seconds=60), "extend", True)]


def test_a_clock_the_floor_had_stopped_stays_stopped(table: Clocked) -> None:
    table.do(c.PauseClock(reason="a card fell"), FLOOR)
    table.stand_still(60)
    new_server(table).tick()
    assert [type(event) for event in table.pauses()] == [e.ClockPaused]
    table.do(c.ResumeClock(reason="play on"), FLOOR)
    table.at(90.4)
    assert table.timed_out() == []


def test_a_house_without_a_clock_lost_no_time(room: Room) -> None:
    table = Clocked(room, clock=None)
    table.let_pass(1)
    table.stand_still(60)
    new_server(table).tick()
    assert table.pauses() == []


def test_a_turn_that_began_after_the_last_sign_of_life_gets_back_what_ran_of_it(
    table: Clocked,
) -> None:
    table.stand_still(0.5)
    table.act("bring_in")
    table.stand_still(60)
    new_server(table).tick()
    clock = table.reload().clock
    assert clock is not None
    assert clock.deadline - clock.started_at == timedelta(seconds=90)


def test_the_next_outage_is_another_one(table: Clocked) -> None:
    for _ in range(2):
        table.stand_still(10)
        new_server(table).tick()
    assert len(table.pauses()) == 4
    assert table.reload().clock.deadline - table.clock.started_at == timedelta(seconds=50)


def test_a_room_may_void_the_hands_instead(room: Room) -> None:
    table, calm = Clocked(room, terms=VOID), Clocked(room, clock=None)
    table.let_pass(5)
    table.stand_still(60)
    back = new_server(table, VOID)
    back.tick()
    (voided,) = [event for event in table.stored() if isinstance(event, e.HandVoided)]
    assert voided.reason == "outage of 60 s"
    assert table.table().table.playing is None
    assert table.stacks() == {1: 10_000, 2: 10_000, 3: 10_000}
    assert calm.reload().hand.voided is False
    assert outages(room) == [(timedelta(seconds=60), "void", True)]
    new_server(table, VOID).tick()
    assert len([event for event in table.stored() if isinstance(event, e.HandVoided)]) == 1


def test_who_comes_back_abides_by_what_the_room_said_when_the_outage_was_noticed(
    table: Clocked,
) -> None:
    table.stand_still(60)
    Heartbeat(table.live.room, VOID).beat(table.time())
    new_server(table).tick()
    assert table.reload().hand.voided


def test_a_wrong_clock_that_is_put_right_is_no_outage(table: Clocked) -> None:
    table.time.pass_by(-30)
    table.let_pass(31)
    assert table.pauses() == []


def test_the_application_cannot_unmake_an_outage(room: Room) -> None:
    with room.connect() as connection:
        for forbidden in ("delete from live_outages", "update live_outages set began_at = now()"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)
