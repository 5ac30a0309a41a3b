"""Counting rake: whatever it is broken down by and wherever it is read, it is the ledger's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, time, timedelta
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tries
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events as e
from services.demo.hands import table_hands
from services.embedded import Server
from services.projecting import projector_of
from services.reports import (
    DIMENSIONS,
    Dimension,
    RakeWanted,
    postings_of_hand,
    rake_report,
)
from services.reports.queries import one_moment
from services.reports.rake import RakeSum, days_of, sums_from
from services.reports.rake_sources import Source, needs_days, source_for
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import Room, open_room
from tests.support.told_hands import (
    PLAYED_AT,
    correction,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
    void,
)

DAY_ONE, DAY_TWO = date(2024, 3, 1), date(2024, 3, 2)
FEBRUARY = date(2024, 2, 1), date(2024, 2, 29)
EUROS = e.Money(kind="real", currency="EUR", exponent=2)
BACK = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)


def tell(room: Room, events: tuple[e.HandEvent, ...], *more: e.HandEvent, **other: Any) -> UUID:
    """Store a hand whose start says `other`, followed by `more`, with its reports; its id."""
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    told = (replace(started, **other), *rest, *more)
    hand = uuid4()
    room.store.append([Append(stream=hand, expected=0, facts=facts(told), actor="test")])
    projector_of(room).catch_up()
    return hand


@pytest.fixture
def told(room: Room) -> Iterator[Room]:
    """Two hands of $53.24 and $10.01 at Aquila, one with play money at Lyra the day after."""
    tell(room, side_pot_hand(), number="A")
    tell(room, odd_chip_hand(), number="B", played_at=PLAYED_AT - timedelta(hours=1))
    tell(
        room,
        quiet_hand(),
        e.HandCompleted(stacks=()),
        number="C",
        table=e.TableRef(id="t2", name="Lyra", max_seats=8),
        played_at=PLAYED_AT + timedelta(hours=1),
    )
    yield room


def lines(room: Room, *by: Dimension, **wanted: Any) -> list[tuple[Any, ...]]:
    """What each line is about, then hands, pot and rake."""
    found = rake_report(room.connect, RakeWanted(by=by, **wanted)).lines
    return [_figures(line) for line in found]


def _figures(line: RakeSum) -> tuple[Any, ...]:
    about = (line.day, line.month, line.table, line.game, line.small_bet, line.big_bet, line.player)
    return (*(key for key in about if key is not None), line.hands, line.pot, line.rake)


def test_only_real_money_is_reported(told: Room) -> None:
    assert lines(told) == [(2, 6325, 200)]
    assert [line.currency for line in rake_report(told.connect, RakeWanted()).lines] == ["USD"]


def test_rake_by_day_game_and_stakes(told: Room) -> None:
    tell(told, side_pot_hand(), game="stud", played_at=PLAYED_AT + timedelta(days=1))
    assert lines(told, "game", "stakes", "day") == [
        (DAY_ONE, "stud8", 500, 1000, 2, 6325, 200),
        (DAY_TWO, "stud", 500, 1000, 1, 5324, 200),
    ]
    assert lines(told, "table") == [("Aquila", 3, 11649, 400)]
    assert lines(told, "month", "currency") == [("2024-03", 3, 11649, 400)]


def test_rake_per_hundred_hands_and_in_percent_of_the_pot(told: Room) -> None:
    (line,) = rake_report(told.connect, RakeWanted()).lines
    # 200 cents in two hands; 200 of 6325 is 3.16205…
    assert (line.rake_per_100_hands, line.effective_percentage) == (10_000, "3.1621")


def test_rake_of_some_days_only(told: Room) -> None:
    assert lines(told, from_day=DAY_ONE, to_day=DAY_ONE) == [(2, 6325, 200)]
    assert lines(told, from_day=DAY_TWO) == []
    assert lines(told, "player", from_day=DAY_TWO) == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"table": "Aquila"}, [(2, 6325, 200)]),
        ({"table": "t1"}, [(2, 6325, 200)]),
        ({"table": "Lyra"}, []),
        ({"game": "stud8"}, [(2, 6325, 200)]),
        ({"game": "stud"}, []),
        ({"players": ("p4",)}, [(2, 302, 11)]),
        ({"players": ("p4", "p5")}, [(3, 552, 11)]),
        ({"players": ("p4",), "table": "Aquila"}, [(2, 302, 11)]),
        ({"players": ("p4",), "table": "Lyra"}, []),
        ({"players": ()}, []),
    ],
)
def test_rake_at_a_table_of_a_game_or_of_players(
    told: Room, wanted: dict[str, Any], found: list[Any]
) -> None:
    assert lines(told, **wanted) == found


def test_rake_by_player_is_what_each_bears(told: Room) -> None:
    of_each = [
        ("p1", 2, 2260, 76),
        ("p2", 2, 1253, 38),
        ("p3", 2, 2260, 75),
        ("p4", 2, 302, 11),
        ("p5", 1, 250, 0),
    ]
    assert lines(told, "player") == of_each
    assert lines(told, "player", table="Aquila") == of_each
    assert lines(told, "month", "player") == [("2024-03", *line) for line in of_each]


def test_the_top_lines_are_those_with_the_most_rake_of_each_month_and_currency(told: Room) -> None:
    tell(told, side_pot_hand(), played_at=PLAYED_AT + timedelta(days=31), money=EUROS)
    assert lines(told, "month", "player", top=2) == [
        ("2024-03", "p1", 2, 2260, 76),
        ("2024-03", "p3", 2, 2260, 75),
        ("2024-04", "p1", 1, 2010, 76),
        ("2024-04", "p3", 1, 2010, 75),
    ]
    assert lines(told, "player", top=1) == [("p1", 1, 2010, 76), ("p1", 2, 2260, 76)]


def test_currencies_are_never_added_up(told: Room) -> None:
    tell(told, side_pot_hand(), money=EUROS)
    tell(told, side_pot_hand(), money=e.Money(kind="real", currency="EUR", exponent=3))
    assert lines(told) == [(1, 5324, 200), (1, 5324, 200), (2, 6325, 200)]
    assert lines(told, "month") == [("2024-03", *line) for line in lines(told)]


def test_rake_that_a_ruling_moved_is_a_line_without_a_player(told: Room) -> None:
    tell(told, side_pot_hand(), correction({1: 10}, rake=-10))
    by_player = rake_report(told.connect, RakeWanted(by=("player",))).lines
    (moved,) = [line for line in by_player if line.player is None]
    assert (moved.hands, moved.pot, moved.rake) == (0, 0, -10)
    assert (moved.rake_per_100_hands, moved.effective_percentage) == (None, None)
    assert sum(line.rake for line in by_player) == 390


def test_a_void_hand_does_not_count(told: Room) -> None:
    before = lines(told), lines(told, "player"), lines(told, "table", "player")
    tell(told, side_pot_hand(), BACK)
    assert (lines(told), lines(told, "player"), lines(told, "table", "player")) == before


def test_a_hand_ruled_on_later_is_taken_out_of_the_sums(told: Room) -> None:
    before = lines(told, "day"), lines(told, "day", "player")
    hand = tell(told, side_pot_hand())
    assert (lines(told, "day"), lines(told, "day", "player")) != before
    length = len(told.store.load(hand))
    told.store.append([Append(stream=hand, expected=length, facts=facts([BACK]), actor="test")])
    projector_of(told).catch_up()
    assert (lines(told, "day"), lines(told, "day", "player")) == before


def test_a_report_says_how_far_it_is_complete(told: Room) -> None:
    head = told.store.head()
    told.store.append(
        [Append(stream=uuid4(), expected=0, facts=facts(side_pot_hand()), actor="test")]
    )
    for by in ((), ("player",), ("table", "player")):
        assert rake_report(told.connect, RakeWanted(by=by)).complete_to == head
    projector_of(told).catch_up()
    assert rake_report(told.connect, RakeWanted()).complete_to == told.store.head() > head


def test_the_books_of_a_hand_are_told_entry_by_entry(room: Room) -> None:
    hand = tell(room, odd_chip_hand())
    postings = postings_of_hand(room.connect, hand)
    assert [posting.step for posting in postings] == sorted(p.step for p in postings)
    assert (postings[-1].account, postings[-1].amount) == ("Player:p3:Table", 166)
    assert sum(posting.amount for posting in postings) == 0
    assert postings_of_hand(room.connect, uuid4()) == ()


# -- every breakdown, from every source -----------------------------------------------------------


@pytest.fixture(scope="module")
def busy(server: Server) -> Iterator[Room]:
    """Hands at three tables over some weeks, in two currencies, some of them ruled on."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="busy_rake")
    with open_room(settings) as room:
        appends = []
        for n, hand in enumerate(table_hands(45)):
            started, *rest = hand.events
            assert isinstance(started, e.HandStarted)
            money = EUROS if n % 5 == 0 else started.money
            at = PLAYED_AT + timedelta(hours=7 * n, minutes=20 * n)
            told = (replace(started, money=money, played_at=at), *rest)
            appends.append(Append(stream=uuid4(), expected=0, facts=facts(told), actor="test"))
        room.store.append(appends)
        tell(room, side_pot_hand(), correction({1: 10}, rake=-10))
        tell(room, side_pot_hand(), BACK)
        tell(room, side_pot_hand()[:8], played_at=PLAYED_AT + timedelta(days=40))
        yield room


def ledger(room: Room) -> dict[str, int]:
    """What the house's account took, by currency."""
    query = (
        "select currency, sum(amount)::bigint from rake_ledger"
        " where account = 'House:Rake' and money_kind = 'real' group by currency"
    )
    with room.connect() as connection:
        return dict(connection.execute(query.encode()).fetchall())


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
def test_every_breakdown_adds_up_to_the_ledger_in_each_currency(busy: Room, zone: str) -> None:
    taken = ledger(busy)
    assert len(taken) == 2
    # Schedules are told apart by the hour, and no day begins on the hour in Kathmandu.
    possible = [d for d in DIMENSIONS if d != "schedule" or zone != "Asia/Kathmandu"]
    for size in (0, 1, 2, 3, len(possible)):
        for by in combinations(possible, size):
            found = Counter[str]()
            for line in rake_report(busy.connect, RakeWanted(by=by, time_zone=zone)).lines:
                found[line.currency] += line.rake
            assert found == taken, by


@st.composite
def questions(draw: st.DrawFn) -> RakeWanted:
    days = st.dates(date(2024, 2, 28), date(2024, 4, 12))
    # The hands do not say their schedule in a column.
    dimensions = [dimension for dimension in DIMENSIONS if dimension != "schedule"]
    by = draw(st.lists(st.sampled_from(dimensions), unique=True).map(tuple))
    first, last = draw(st.none() | days), draw(st.none() | days)
    if first and last and first > last:
        first, last = last, first
    return RakeWanted(
        by=by,
        from_day=first,
        to_day=last,
        time_zone=draw(st.sampled_from(["UTC", "America/New_York", "Asia/Kathmandu"])),
        gaming_day_start=draw(st.sampled_from([time(0), time(6), time(4, 30)])),
        table=draw(st.sampled_from([None, "Amber", "t1"])),
        game=draw(st.sampled_from([None, "stud"])),
        players=draw(st.sampled_from([None, None, ("p1",), ("Ada", "p3")])),
        top=draw(st.sampled_from([None, 3])),
    )


@given(questions())
@tries(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_sums_made_in_advance_are_those_of_the_hands_themselves(
    busy: Room, wanted: RakeWanted
) -> None:
    hand_by_hand: Source = "seats" if wanted.of_players else "hands"
    with one_moment(busy.connect) as connection:
        sums = sums_from(connection, hand_by_hand, wanted, days_of(connection, wanted))
    found = rake_report(busy.connect, wanted).lines
    assert [(_figures(line), line.currency) for line in found] == [
        (_figures(one), one.currency) for one in sums
    ]


ODD_DAYS = [
    ("Asia/Kathmandu", time(0)),
    ("Asia/Kathmandu", time(23, 59)),
    ("Australia/Lord_Howe", time(2, 15)),
    ("America/St_Johns", time(0)),
    ("America/New_York", time(2, 30)),
    ("Pacific/Chatham", time(6)),
    ("UTC", time(0, 1)),
]


@pytest.mark.parametrize(("zone", "start"), ODD_DAYS)
def test_days_that_begin_within_an_hour_are_those_of_the_hands_themselves(
    busy: Room, zone: str, start: time
) -> None:
    """Whole hours and the hands of the others, from the first day to the last and for some days."""
    for first, last in ((None, None), (date(2024, 3, 2), date(2024, 3, 11)), (DAY_TWO, DAY_TWO)):
        for by in (("day",), ("table", "game", "stakes", "day")):
            wanted = RakeWanted(
                by=by, from_day=first, to_day=last, time_zone=zone, gaming_day_start=start
            )
            with one_moment(busy.connect) as connection:
                days = days_of(connection, wanted)
                assert source_for(wanted, days) == "cut_hours"
                found, due = (
                    sums_from(connection, source, wanted, days) for source in ("cut_hours", "hands")
                )
            assert found == due != ()


def test_a_report_by_players_at_tables_is_of_the_days_asked_for(busy: Room) -> None:
    """Its days are worked out by the clock, in UTC too."""
    whole = lines(busy, "day", "table", "player")
    assert len({day for day, *_ in whole}) > 2
    some = lines(busy, "day", "table", "player", from_day=DAY_TWO, to_day=DAY_TWO)
    assert some == [line for line in whole if line[0] == DAY_TWO] != []
    assert lines(busy, "table", "player", from_day=DAY_TWO, to_day=DAY_TWO) == [
        line[1:] for line in some
    ]


def test_a_table_s_report_is_its_lines_of_the_report_by_table(busy: Room) -> None:
    by_table = rake_report(busy.connect, RakeWanted(by=("table",))).lines
    for table in {line.table for line in by_table}:
        alone = rake_report(busy.connect, RakeWanted(table=table)).lines
        assert [replace(line, table=table) for line in alone] == [
            line for line in by_table if line.table == table
        ]


def test_a_player_s_report_is_his_lines_of_the_report_by_player(busy: Room) -> None:
    by_player = rake_report(busy.connect, RakeWanted(by=("player",))).lines
    for player in {line.player for line in by_player if line.player is not None}:
        his = rake_report(busy.connect, RakeWanted(players=(player,))).lines
        assert [replace(line, player=player) for line in his] == [
            line for line in by_player if line.player == player
        ]


@pytest.mark.parametrize(
    ("wanted", "source"),
    [
        (RakeWanted(), "table_days"),
        (RakeWanted(by=("day", "table", "game", "stakes", "currency")), "table_days"),
        (RakeWanted(by=("game",), time_zone="America/New_York"), "table_days"),
        (RakeWanted(by=("day",), time_zone="America/New_York"), "table_hours"),
        (RakeWanted(by=("month",), gaming_day_start=time(6)), "table_hours"),
        (RakeWanted(from_day=DAY_ONE, time_zone="Asia/Kathmandu"), "cut_hours"),
        (RakeWanted(by=("day",), gaming_day_start=time(6, 30)), "cut_hours"),
        (RakeWanted(by=("month", "player")), "player_months"),
        (
            RakeWanted(by=("player",), from_day=date(2024, 2, 1), to_day=date(2024, 2, 29)),
            "player_months",
        ),
        (RakeWanted(by=("player",), to_day=date(9999, 12, 31)), "player_months"),
        (RakeWanted(by=("player",), from_day=DAY_TWO), "player_days"),
        (RakeWanted(by=("player", "stakes")), "player_days"),
        (RakeWanted(by=("day",), players=("p1",)), "player_days"),
        (RakeWanted(by=("player", "week")), "player_days"),
        (RakeWanted(by=("player", "table")), "player_shares"),
        (RakeWanted(players=("p1",), game="stud"), "player_shares"),
        (RakeWanted(by=("day", "player"), gaming_day_start=time(6)), "player_shares"),
        (RakeWanted(by=("day", "player"), gaming_day_start=time(6, 30)), "seats"),
        (RakeWanted(by=("day", "schedule")), "schedule_hours"),
        (RakeWanted(schedule="topspoker:1", by=("player",)), "player_shares"),
        (RakeWanted(by=("player",), attribution=("dealt",)), "player_shares"),
    ],
)
def test_a_report_is_read_from_the_smallest_table_that_knows(
    busy: Room, wanted: RakeWanted, source: Source
) -> None:
    with one_moment(busy.connect) as connection:
        days = days_of(connection, wanted) if needs_days(wanted) else None
        assert source_for(wanted, days) == source


def test_a_room_without_hands_has_nothing_to_report(room: Room) -> None:
    for zone in ("UTC", "America/New_York"):
        for by in ((), ("day",), ("day", "player")):
            wanted = RakeWanted(by=by, time_zone=zone)
            assert rake_report(room.connect, wanted).lines == ()
