"""What may be asked about rake: days of any room's clocks, and an answer to every bad question."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.reports import BadRakeQuestion, RakeWanted, dimensions, gaming_day_start, rake_report
from services.reports.rake_days import NO_DAYS, day_of, gaming_days
from services.reports.rake_figures import nearest
from services.reports.rake_wanted import zone_of
from services.store.room import Room

NEW_YORK, KATHMANDU = ZoneInfo("America/New_York"), ZoneInfo("Asia/Kathmandu")
ZONES = ["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"]


def utc(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=UTC)  # type: ignore[misc, arg-type]  # Year to minute.


def test_a_gaming_day_begins_by_the_clocks_of_the_room() -> None:
    days = gaming_days(date(2024, 7, 1), date(2024, 7, 2), NEW_YORK, time(6))
    assert days.starts == [utc(2024, 7, 1, 10), utc(2024, 7, 2, 10)]
    assert (days.since, days.until) == (utc(2024, 7, 1, 10), utc(2024, 7, 3, 10))


def test_a_day_in_which_clocks_change_has_an_hour_less_or_more() -> None:
    spring = gaming_days(date(2024, 3, 10), date(2024, 3, 10), NEW_YORK, time(0))
    autumn = gaming_days(date(2024, 11, 3), date(2024, 11, 3), NEW_YORK, time(0))
    assert spring.until - spring.since == timedelta(hours=23)
    assert autumn.until - autumn.since == timedelta(hours=25)


def test_a_start_the_clocks_skip_is_as_if_they_had_not() -> None:
    # 02:30 does not exist: two and a half hours after midnight it is 03:30.
    days = gaming_days(date(2024, 3, 10), date(2024, 3, 10), NEW_YORK, time(2, 30))
    assert days.since == utc(2024, 3, 10, 7, 30)


def test_a_start_the_clocks_pass_twice_counts_the_first_time() -> None:
    days = gaming_days(date(2024, 11, 3), date(2024, 11, 3), NEW_YORK, time(1, 30))
    assert days.since == utc(2024, 11, 3, 5, 30)


@pytest.mark.parametrize(
    ("zone", "start", "whole"),
    [
        (NEW_YORK, time(6), True),
        (NEW_YORK, time(6, 30), False),
        (KATHMANDU, time(0), False),
        (KATHMANDU, time(5, 45), True),
    ],
)
def test_days_are_made_up_of_hours_if_all_begin_on_the_hour(
    zone: ZoneInfo, start: time, whole: bool
) -> None:
    days = gaming_days(date(2024, 1, 1), date(2024, 12, 31), zone, start)
    assert days.in_whole_hours is whole


@given(
    st.datetimes(datetime(2007, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(ZONES),
    st.times().map(lambda t: t.replace(second=0, microsecond=0)),
)
@example(utc(2011, 12, 30, 12), "Pacific/Apia", time(0))
def test_every_moment_belongs_to_exactly_one_day(moment: datetime, name: str, start: time) -> None:
    zone = ZoneInfo(name)
    day = day_of(moment, zone, start)
    around = gaming_days(day - timedelta(days=2), day + timedelta(days=2), zone, start)
    ends = [*around.starts[1:], around.until]
    assert around.starts == sorted(around.starts)
    assert [
        one
        for one, since, until in zip(around.days, around.starts, ends, strict=True)
        if since <= moment < until
    ] == [day]


def test_no_days_begin_and_end_at_once() -> None:
    assert NO_DAYS.since == NO_DAYS.until


@given(st.integers(), st.integers(1))
def test_the_nearest_whole_is_at_most_a_half_away(amount: int, parts: int) -> None:
    assert abs(2 * (nearest(amount, parts) * parts - amount)) <= parts


def test_dimensions_are_named_with_commas_in_any_order_once() -> None:
    assert dimensions("") == ()
    assert dimensions(" stakes, day,stakes") == ("stakes", "day")


def refusal(ask: Any, *arguments: Any) -> BadRakeQuestion:
    with pytest.raises(BadRakeQuestion) as refused:
        ask(*arguments)
    return refused.value


def test_a_dimension_there_is_not_is_answered_with_those_there_are() -> None:
    bad = refusal(dimensions, "day,dealer")
    assert bad.parameter == "by"
    assert bad.possible == (
        "day", "week", "month", "table", "game", "stakes", "schedule", "player", "currency",
    )  # fmt: skip
    assert str(bad).startswith("by dealer: rake cannot be reported by this; possible: day, week,")


@pytest.mark.parametrize("text", ["6", "6:00", "24:00", "06:60", "06:00:00", "", "0٦:00"])
def test_a_start_that_is_no_time_of_day_is_answered_with_what_is_one(text: str) -> None:
    bad = refusal(gaming_day_start, text)
    assert (bad.parameter, bad.possible) == ("gaming_day_start", ("00:00 to 23:59",))


def test_a_start_is_a_time_of_day() -> None:
    assert gaming_day_start("06:30") == time(6, 30)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("london", "Europe/London"),
        ("new york", "America/New_York"),
        ("Europe/Pari", "Europe/Paris"),
        ("america/los_angeles", "America/Los_Angeles"),
        ("", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("\x00", "UTC"),
        ("Europe", "UTC"),
    ],
)
def test_a_zone_there_is_not_is_answered_with_those_that_may_be_meant(
    name: str, meant: str
) -> None:
    bad = refusal(zone_of, name)
    assert bad.parameter == "time_zone"
    assert meant in bad.possible
    for possible in bad.possible:
        assert zone_of(possible).key == possible


@pytest.mark.parametrize(
    ("wanted", "parameter", "possible"),
    [
        ({"time_zone": "Mars/Olympus"}, "time_zone", "UTC"),
        ({"game": "razz"}, "game", "stud8"),
        ({"from_day": date(2024, 2, 1), "to_day": date(2024, 1, 1)}, "from", None),
    ],
)
def test_a_report_nobody_can_give_is_refused(
    room: Room, wanted: dict[str, Any], parameter: str, possible: str | None
) -> None:
    bad = refusal(rake_report, room.connect, RakeWanted(**wanted))
    assert bad.parameter == parameter
    assert possible is None or possible in bad.possible
