"""Closing gaming days: once, in order, when they are over; and what comes later stays apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.closing import DAYS, TAG, CannotClose, decode, encode
from services.ledger import CloseWanted, LedgerQuestion, close_day, close_due, closes, ledger_day
from services.projecting import projector_of
from services.reports import BadRakeQuestion
from services.store.room import Room
from tests.support.ledgers import BY, DAY, FIRST, Evening, totals


@pytest.fixture
def evening(room: Room) -> Evening:
    """Two hands on the first day, which is over."""
    evening = Evening(room)
    evening.play()
    evening.play("bet", "raise")
    evening.days_pass()
    return evening


def test_a_closed_day_has_its_totals_and_opening_and_movements_are_closing(
    evening: Evening,
) -> None:
    closed = evening.close().closed
    assert (closed.day, closed.by, closed.hands, closed.previous) == (FIRST, BY, 2, None)
    assert (closed.since, closed.until) == (
        datetime(2026, 1, 31, tzinfo=UTC),
        datetime(2026, 2, 1, tzinfo=UTC),
    )
    told = totals(closed)
    assert told["Player:Table"][3] == sum(evening.table.stacks().values())
    assert told["House:Rake"][3] > 0
    for opening, movements, late, closing in told.values():
        assert opening + movements + late == closing
    assert sum(one[3] for one in told.values()) == 0
    assert evening.differing() == []


def test_a_day_closed_already_gets_the_same_answer_and_no_second_event(evening: Evening) -> None:
    first, second = evening.close(), evening.close()
    assert (first.new, second.new) == (True, False)
    assert second.closed == first.closed
    assert len(evening.room.store.load(DAYS)) == 1


def test_a_day_that_is_not_over_stays_open(evening: Evening) -> None:
    with pytest.raises(CannotClose, match="is not over: it ends at 2026-02-01 00:00 UTC"):
        evening.close(now=datetime(2026, 1, 31, 23, 59, tzinfo=UTC))
    assert evening.room.store.load(DAYS) == ()


def test_hands_of_the_day_that_are_in_progress_keep_it_open_and_are_named(room: Room) -> None:
    evening = Evening(room)
    evening.table.begin()
    number = evening.table.last.hand.started.number
    evening.days_pass()
    with pytest.raises(CannotClose, match=f"still in progress: {number}") as refused:
        evening.close()
    assert refused.value.hands == (evening.table.hand,)
    assert [one.number for one in evening.day().in_progress] == [number]


def test_a_day_stays_open_while_the_books_do_not_know_the_whole_log(evening: Evening) -> None:
    evening.caught_up()
    evening.play()
    with pytest.raises(CannotClose, match="the log goes up to"):
        close_day(evening.room, CloseWanted(day=FIRST), BY, evening.clock())


def test_days_are_closed_in_order(evening: Evening) -> None:
    evening.days_pass(5)
    evening.close()
    with pytest.raises(CannotClose, match=f"{FIRST + DAY} is still open"):
        evening.close(FIRST + 2 * DAY)
    with pytest.raises(CannotClose, match=f"is brought forward in {FIRST}"):
        evening.close(FIRST - DAY)
    evening.close(FIRST + DAY)
    assert closes(evening.room).next == FIRST + 2 * DAY


def test_an_empty_day_has_an_empty_report(evening: Evening) -> None:
    evening.days_pass()
    before = evening.close().closed
    closed = evening.close(FIRST + DAY).closed
    assert closed.hands == 0
    assert {account: one[0] for account, one in totals(closed).items()} == {
        account: one[3] for account, one in totals(before).items() if one[3]
    }
    assert all(one[1:3] == (0, 0) for one in totals(closed).values())
    assert evening.day(FIRST + DAY).rake == ()


def test_a_room_without_any_hand_closes_an_empty_day(room: Room) -> None:
    told = close_day(room, CloseWanted(day=FIRST), BY, datetime(2026, 3, 1, tzinfo=UTC))
    assert (told.closed.hands, told.closed.totals, told.closed.position) == (0, (), 0)


def test_a_later_correction_is_booked_to_the_open_day_and_shows_on_both(evening: Evening) -> None:
    hand = evening.play()  # Of the second day.
    first = evening.table.live.store.page(0, 10_000)
    closed = evening.close().closed
    old = next(fact.stream for fact in first if fact.type == "hand_started.v1")
    evening.rule(old)
    assert evening.day().closed == closed
    assert totals(evening.day()) == totals(closed)
    since = evening.day().since_closed
    assert {entry.hand for entry in since} == {old}
    open_day = evening.day(FIRST + DAY)
    assert open_day.late == since
    assert {entry.happened_at.date() for entry in open_day.late} == {FIRST}
    assert sum(entry.amount for entry in open_day.late) == 0
    assert evening.differing() == []
    evening.days_pass()
    second = evening.close(FIRST + DAY).closed
    assert (second.previous, second.hands) == (closed.position, 1)
    assert hand not in {entry.hand for entry in open_day.late}
    assert evening.differing() == []


def test_the_same_report_comes_out_however_much_came_later(evening: Evening) -> None:
    closed = evening.close().closed
    hand = next(
        fact.stream for fact in evening.room.store.page(0, 10_000) if fact.type == "hand_started.v1"
    )
    evening.rule(hand)
    evening.play()
    evening.days_pass()
    evening.close(FIRST + DAY)
    told = evening.day()
    assert (told.closed, told.rake) == (closed, evening.day().rake)
    assert sum(line.rake for line in told.rake) == totals(closed)["House:Rake"][3]
    assert evening.differing() == []


def test_a_close_whose_report_is_not_what_the_log_comes_to_is_named(evening: Evening) -> None:
    evening.caught_up()
    with evening.room.connect() as connection:
        connection.execute(
            "delete from rake_ledger where hand in"
            " (select hand from rake_ledger where account = 'House:Rake')"
        )
    closed = evening.close().closed
    assert evening.differing() == []
    projector_of(evening.room).rebuild(["rake_ledger"])
    ((day, text),) = evening.differing()
    assert (day, text) == (closed.day, "has other totals than the log comes to")


def test_days_by_other_clocks_are_refused_once_one_is_closed(evening: Evening) -> None:
    evening.days_pass(3)
    evening.caught_up()
    wanted = CloseWanted(day=FIRST, time_zone="America/New_York", day_start="06:00")
    closed = close_day(evening.room, wanted, BY, evening.clock()).closed
    assert closed.until == datetime(2026, 2, 1, 11, tzinfo=UTC)
    for other in (
        CloseWanted(day=FIRST + DAY, time_zone="UTC"),
        CloseWanted(day=FIRST + DAY, day_start="00:00"),
    ):
        with pytest.raises(CannotClose, match="begin at 06:00 America/New_York"):
            close_day(evening.room, other, BY, evening.clock())
    follows = close_day(evening.room, CloseWanted(day=FIRST + DAY), BY, evening.clock()).closed
    assert (follows.since, follows.time_zone) == (closed.until, "America/New_York")
    assert evening.differing() == []


def test_a_zone_nobody_knows_is_answered_with_what_is_possible(room: Room) -> None:
    wanted = CloseWanted(day=FIRST, time_zone="Mars/Olympus")
    with pytest.raises(BadRakeQuestion, match="time zone"):
        close_day(room, wanted, BY, datetime(2026, 3, 1, tzinfo=UTC))


def test_whatever_is_due_is_closed_beginning_with_the_last_day_that_is_over(
    evening: Evening,
) -> None:
    evening.caught_up()
    now = evening.clock()
    assert [one.day for one in close_due(evening.room, None, None, BY, now)] == [FIRST]
    assert close_due(evening.room, None, None, BY, now) == ()
    later = now + timedelta(days=3)
    due = close_due(evening.room, None, None, BY, later)
    assert [one.day for one in due] == [FIRST + n * DAY for n in (1, 2, 3)]
    assert evening.differing() == []


def test_what_was_before_the_first_closed_day_is_brought_forward(evening: Evening) -> None:
    evening.days_pass(2)
    closed = evening.close(FIRST + DAY).closed
    told = totals(closed)
    assert closed.hands == 0
    assert told["House:Rake"][0] == told["House:Rake"][3] > 0
    assert evening.differing() == []


def test_an_open_day_opens_with_what_the_day_before_was_closed_with(evening: Evening) -> None:
    closed = evening.close().closed
    evening.play()
    told = evening.day(FIRST + DAY)
    assert {name: one[0] for name, one in totals(told).items() if one[0]} == {
        name: one[3] for name, one in totals(closed).items() if one[3]
    }
    assert told.closed is None
    assert totals(told)["Player:Table"][3] == sum(evening.table.stacks().values())


def test_the_event_is_stored_under_its_tag(evening: Evening) -> None:
    closed = evening.close().closed
    (fact,) = evening.room.store.load(DAYS)
    assert (fact.type, fact.actor, decode(fact.state)) == (TAG, BY, closed)
    assert encode(closed) == fact.state


def test_by_other_clocks_a_day_is_another_day(evening: Evening) -> None:
    evening.close()
    asking = LedgerQuestion(day=FIRST, time_zone="Asia/Tokyo")
    assert ledger_day(evening.room, asking).closed is None
