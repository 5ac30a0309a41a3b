"""The clock of a turn as it follows from the facts and when they happened (C1, C5)."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.house_rules import Clock
from domain.timing import TurnClock, last_move, turn_clock
from tests.support.bdd import Table, command, doors, started

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
THREE = {1: 1000, 2: 1000, 3: 1000}


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


class Timed(Table):
    """A table at which everything is stamped: `at` is seconds after noon."""

    def does(self, at: float, *words: str | c.HandCommand) -> Timed:
        for word in words:
            asked = command(word) if isinstance(word, str) else word
            self.issue(replace(asked, at=after(at)))
        return self

    def deals(self, at: float, cards: dict[int, str] | None = None) -> Timed:
        return self.does(at, self.next_deal(cards))

    @property
    def clock(self) -> TurnClock:
        clock = turn_clock(self.log)
        assert clock is not None, "there is a turn with a clock"
        assert clock == turn_clock(self.log, self.now)
        return clock

    def times(self) -> tuple[int, float, float, float]:
        """Seat, start, countdown and deadline, in seconds after noon."""
        clock = self.clock
        moments = (clock.started_at, clock.countdown_at, clock.deadline)
        start, countdown, deadline = ((moment - NOON).total_seconds() for moment in moments)
        return clock.seat, start, countdown, deadline


def third(**policies: object) -> Timed:
    """Third street was dealt at noon, and seat 2 owes the bring-in."""
    start = replace(started(THREE, ante=5, **policies), at=NOON)  # type: ignore[arg-type]
    return Timed(start).deals(0, doors(s1="Kd", s2="2c", s3="9h"))


PAUSE, RESUME = c.PauseClock(reason="floor called"), c.ResumeClock(reason="play on")
NOISE = c.NoteIncident(kind="noise", text="a glass broke")


def test_c1_a_turn_begins_with_the_deal_and_runs_ten_seconds_and_a_countdown_of_twenty() -> None:
    assert third().times() == (2, 0, 10, 30)


def test_c1_an_act_ends_the_turn_and_begins_the_next_ones() -> None:
    assert third().does(4.5, "2 bring_in").times() == (3, 4.5, 14.5, 34.5)


def test_c1_a_new_street_begins_a_turn_when_it_is_dealt() -> None:
    table = third().does(1, "2 bring_in", "3 call").does(7, "1 call").deals(9.25)
    assert table.times()[1:] == (9.25, 19.25, 39.25)


def test_c1_an_action_stamped_at_the_deadline_is_in_time() -> None:
    clock = third().clock
    assert not clock.ran_out(after(30))
    assert clock.ran_out(after(30.000001))


def test_c1_what_moves_nothing_leaves_the_turn_as_it_is() -> None:
    table = third().does(3, "1 disconnect", "1 reconnect", NOISE)
    assert table.times() == (2, 0, 10, 30)
    assert last_move(table.log) == len(table.log) - 3


@pytest.mark.parametrize("lost", [-4, 3, 30])
def test_c1_who_is_disconnected_at_its_end_has_twenty_seconds_more(lost: float) -> None:
    table = third().does(lost, "2 disconnect")
    assert table.times() == (2, 0, 10, 50)
    assert table.clock.disconnected_at == after(lost)


def test_c1_who_comes_back_before_its_end_has_not() -> None:
    table = third().does(3, "2 disconnect").does(30, "2 reconnect")
    assert table.times() == (2, 0, 10, 30)
    assert table.clock.disconnected_at is None


def test_c1_who_is_lost_after_its_end_has_not() -> None:
    assert third().does(30.000001, "2 disconnect").times() == (2, 0, 10, 30)


@pytest.mark.parametrize("then", [("2 reconnect",), ("2 reconnect", "2 disconnect"), ()])
def test_c1_the_extension_comes_once_whatever_the_connection_does_then(
    then: tuple[str, ...],
) -> None:
    table = third().does(12, "2 disconnect").does(31, *then).does(49, "2 disconnect")
    assert table.times() == (2, 0, 10, 50)
    assert table.clock.disconnected_at == after(12)


def test_c1_the_extension_comes_in_every_turn_anew() -> None:
    table = third().does(1, "3 disconnect").does(2, "2 bring_in")
    assert table.times() == (3, 2, 12, 52)
    table.does(50, "3 call", "1 call").deals(51).does(52, "3 reconnect", "3 disconnect")
    while table.clock.seat != 3:
        table.does(53, f"{table.clock.seat} check")
    assert table.clock.deadline - table.clock.started_at == timedelta(seconds=50)


def test_c1_somebody_elses_connection_gives_no_time() -> None:
    assert third().does(3, "1 disconnect", "3 disconnect").times() == (2, 0, 10, 30)


def test_c1_the_seconds_are_the_houses() -> None:
    house = Clock(turn=5, countdown=6, disconnected=60)
    assert third(clock=house).times() == (2, 0, 5, 11)
    assert third(clock=house).does(11, "2 disconnect").times() == (2, 0, 5, 71)


def test_c1_a_house_without_a_clock_gives_all_the_time_there_is() -> None:
    assert turn_clock(third(clock=None).log) is None


def test_c1_there_is_no_clock_while_cards_are_due_and_when_the_hand_is_over() -> None:
    table = third().does(1, "2 bring_in", "3 call", "1 call")
    assert turn_clock(table.log) is None
    table.deals(2).does(3, c.Void(reason="a card was exposed"))
    assert turn_clock(table.log) is None


def test_c1_a_record_that_does_not_say_when_has_no_clock() -> None:
    table = Table(started(THREE, ante=5))
    table.deal()
    assert turn_clock(table.log) is None


def test_c1_times_without_a_zone_are_utc() -> None:
    table = third()
    bare = [replace(event, at=NOON.replace(tzinfo=None)) for event in table.log]
    assert turn_clock(bare) == table.clock


# -- pauses --------------------------------------------------------------------------------------


def test_while_the_clock_is_paused_no_turn_runs_out() -> None:
    clock = third().does(5, PAUSE).clock
    assert clock.paused
    assert not clock.ran_out(after(3600))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (5, 65, (2, 0, 70, 90)),  # In the turn.
        (15, 25, (2, 0, 10, 40)),  # In the countdown, which has begun.
        (-30, 8, (2, 0, 18, 38)),  # Paused before the turn began: what is in the turn counts.
        (-30, 0, (2, 0, 10, 30)),
        (30, 90, (2, 0, 10, 90)),  # The last moment still counts.
        (30.5, 90, (2, 0, 10, 30)),  # It had run out: a pause wakes no dead turn.
    ],
)
def test_a_pause_lengthens_a_turn_by_its_length(
    start: float, end: float, expected: tuple[int, ...]
) -> None:
    assert third().does(start, PAUSE).does(end, RESUME).times() == expected


def test_pauses_add_up() -> None:
    table = third().does(5, PAUSE).does(6, RESUME).does(31, PAUSE).does(41, RESUME)
    assert table.times() == (2, 0, 11, 41)


def test_a_pause_in_a_pause_is_one_pause() -> None:
    table = third().does(5, PAUSE).does(7, PAUSE).does(9, RESUME)
    assert table.times() == (2, 0, 14, 34)
    assert not table.clock.paused


def test_a_clock_that_runs_cannot_be_resumed_and_a_pause_is_no_shorter_than_nothing() -> None:
    assert third().does(5, RESUME).times() == (2, 0, 10, 30)
    assert third().does(5, PAUSE).does(4, RESUME).times() == (2, 0, 10, 30)


def test_a_pause_recorded_late_counts_from_where_the_turn_stood() -> None:
    """The last sign of life was at 3, an act came in after it, and then all was away till 60."""
    table = third().does(5, "2 bring_in").does(3, PAUSE).does(60, RESUME)
    assert table.times() == (3, 5, 70, 90)


def test_time_that_was_paused_already_is_not_paused_again() -> None:
    table = third().does(5, PAUSE).does(10, RESUME).does(8, PAUSE).does(12, RESUME)
    assert table.times() == (2, 0, 17, 37)


def test_who_is_lost_in_a_pause_is_disconnected_when_the_time_has_run() -> None:
    table = third().does(20, PAUSE).does(100, "2 disconnect").does(120, RESUME)
    assert table.times() == (2, 0, 10, 150)


# -- time-outs -----------------------------------------------------------------------------------


def test_c5_a_time_out_has_the_evidence() -> None:
    table = third().does(12, "2 disconnect")
    asked = table.clock.time_out(after(50.5))
    table.issue(asked)
    (timed_out,) = table.of(e.TimedOut)
    assert timed_out == e.TimedOut(
        seat=2,
        turn_started_at=NOON,
        deadline=after(50),
        disconnected_at=after(12),
        outcome="all_in",
        at=after(50.5),
    )


def test_c1_the_rules_allow_every_time_out_the_clock_says_has_run_out() -> None:
    """Pauses and connections at random: never is a time-out refused as too soon."""
    for seed in range(60):
        dice, table, at = random.Random(seed), third(), 0.0
        for _ in range(dice.randint(0, 6)):
            at += dice.choice((0, 1, 8.5, 14))
            table.does(
                at, dice.choice((PAUSE, RESUME, command("2 disconnect"), command("2 reconnect")))
            )
        table.does(at, RESUME)
        clock = table.clock
        assert clock.deadline - clock.started_at >= timedelta(seconds=30)
        assert table.issue(clock.time_out(clock.deadline + timedelta(microseconds=1)))


def test_a_clock_ends_with_the_calendar() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    log = [replace(event, at=last) for event in Timed(started(THREE)).deals(0).log]
    clock = turn_clock(log)
    assert clock is not None
    assert (clock.started_at, clock.deadline) == (last, last)
    assert isinstance(log[0], e.HandStarted)
    rules = replace(log[0].house_rules, clock=Clock(turn=10**30))
    slow = turn_clock([replace(log[0], house_rules=rules), *log[1:]])
    assert slow is not None
    assert slow.deadline == last
