"""kill -9 of whoever makes up for an outage: each hand gets its time back once, none is left."""

from __future__ import annotations

import random

import pytest

from domain import events as e
from services.live_clock import Scheduler
from services.store.room import Room
from tests.support.clocked import TERMS, Clocked, StillClock, keep_absently, last_sign_of_life
from tests.support.faults import Doomed
from tests.support.live import live_in

SEED = 20_261_130
TABLES = 25
TIMES = [pytest.param(4, id="some"), pytest.param(30, id="many", marks=pytest.mark.slow)]


@pytest.mark.parametrize("times", TIMES)
def test_an_outage_is_made_up_for_once_however_often_the_process_is_killed(
    room: Room, times: int
) -> None:
    dice, time = random.Random(SEED), StillClock()
    tables = [Clocked(room, time=time) for _ in range(TABLES)]
    tables[0].server.tick()
    for _ in range(times):
        with Doomed(keep_absently, room.settings) as process:
            process.reports_until("ticked", dice.randrange(1, 4))
            process.kill(dice.uniform(0, 0.02))
    Scheduler(live_in(room, StillClock(last_sign_of_life(room))), TERMS).tick()
    with room.connect() as connection:
        outages = connection.execute(
            "select began_at, ended_at from live_outages where settled_at is not null"
            " order by began_at"
        ).fetchall()
        assert connection.execute(
            "select count(*) from live_outages where settled_at is null"
        ).fetchone() == (0,)
    assert len(outages) >= times
    for table in tables:
        pauses = table.pauses()
        assert [type(event) for event in pauses] == [e.ClockPaused, e.ClockResumed] * len(outages)
        times_of = [event.at for event in pauses]
        assert list(zip(times_of[::2], times_of[1::2], strict=True)) == outages
        assert table.timed_out() == []
