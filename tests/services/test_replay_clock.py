"""The clock as it stood at a step of a replay (C1)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from domain import events as e
from services.replaying import ReplayFrame, replay_step
from services.replaying.clock import clock_words
from services.replaying.svg import described, draw_svg
from tests.support.bdd import Table, doors, started

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def after(seconds: int) -> datetime:
    return NOON + timedelta(seconds=seconds)


def frame(*aside: e.HandEvent) -> ReplayFrame:
    """Seat 2's turn to bring it in began at noon; then this happened beside the play."""
    table = Table(started({1: 1000, 2: 1000, 3: 1000}))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    log = [replace(event, at=NOON) for event in table.log]
    return replay_step("a-hand", (*log, *aside))


def test_c1_a_turn_that_began_just_now_has_thirty_seconds() -> None:
    clock = frame().clock
    assert clock is not None
    assert (clock.seat, clock.gone, clock.left, clock.deadline) == (2, 0, 30, after(30))
    assert clock_words(clock) == "30 s left, until 12:00:30 UTC"


def test_c1_what_has_gone_of_a_turn_is_told_at_the_steps_in_it() -> None:
    lost = frame(e.PlayerDisconnected(seat=2, at=after(12))).clock
    assert lost is not None
    assert (lost.gone, lost.left, lost.countdown) == (12, 38, True)
    assert clock_words(lost) == "no connection, 38 s left, until 12:00:50 UTC"
    stopped = frame(e.ClockPaused(reason="a spilled drink", at=after(7))).clock
    assert stopped is not None
    assert clock_words(stopped) == "stopped, 7 s gone"


def test_the_picture_shows_the_clock_of_whoever_acts() -> None:
    lost = frame(e.PlayerDisconnected(seat=3, at=after(12)))
    assert "countdown 18 s, to 12:00:30" in draw_svg(lost)
    assert "Its clock: countdown, 18 s left, until 12:00:30 UTC." in described(lost)


def test_a_record_without_times_has_no_clock() -> None:
    table = Table(started({1: 1000, 2: 1000}))
    table.deal(doors(s1="Kd", s2="2c"))
    assert replay_step("a-hand", tuple(table.log)).clock is None
