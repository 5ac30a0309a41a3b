"""Finding hands and counting rake, from the tables of the projections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace
from support.told_hands import (
    PLAYED_AT,
    correction,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
    void,
)

from domain import events as e
from services.demo.hands import table_hands
from services.projecting import projector_of
from services.reports import (
    DIMENSIONS,
    BadCursor,
    HandFound,
    HandsWanted,
    RakeLine,
    find_hands,
    postings_of_hand,
    rake_report,
)
from services.reports.queries import named_queries
from services.store.port import Append, facts
from services.store.room import Room

DAY_ONE, DAY_TWO = date(2024, 3, 1), date(2024, 3, 2)
CONFLICT = e.IncidentNoted(kind="conflict", text="told differently elsewhere")


def tell(room: Room, events: tuple[e.HandEvent, ...], *more: e.HandEvent, **other: Any) -> UUID:
    """Store a hand whose start says `other`, followed by `more`; its id."""
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    told = (replace(started, **other), *rest, *more)
    hand = uuid4()
    room.store.append([Append(stream=hand, expected=0, facts=facts(told), actor="test")])
    return hand


@pytest.fixture
def told(room: Room) -> Iterator[Room]:
    """Three hands: $53.24 and $10.01 at Aquila, one with play money at Lyra the day after."""
    tell(room, side_pot_hand(), number="A")
    tell(room, odd_chip_hand(), number="B", played_at=PLAYED_AT - timedelta(hours=1))
    tell(
        room,
        quiet_hand(),
        e.HandCompleted(stacks=()),
        number="C",
        game="stud",
        table=e.TableRef(id="t2", name="Lyra", max_seats=8),
        played_at=PLAYED_AT + timedelta(hours=1),
        money=e.Money(kind="play", currency="chips", exponent=0),
    )
    projector_of(room).catch_up()
    yield room


def found(room: Room, **wanted: Any) -> str:
    """The numbers of the hands found, in order."""
    return "".join(hand.number for hand in find_hands(room.connect, HandsWanted(**wanted)).hands)


def test_hands_come_newest_first(told: Room) -> None:
    assert found(told) == "CAB"


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ({"table": "Aquila"}, "AB"),
        ({"table": "t2"}, "C"),
        ({"game": "stud"}, "C"),
        ({"players": ("p5",)}, "B"),
        ({"players": ("p4", "p9")}, "AB"),
        ({"players": ()}, ""),
        ({"from_day": DAY_TWO}, "C"),
        ({"to_day": DAY_ONE}, "AB"),
        ({"from_day": DAY_ONE, "to_day": DAY_ONE}, "AB"),
        ({"number": "B"}, "B"),
        ({"number": "D"}, ""),
        ({"table": "Aquila", "players": ("p5",)}, "B"),
        ({"limit": 1}, "C"),
        ({"limit": 0}, ""),
    ],
)
def test_hands_are_found_by(told: Room, wanted: dict[str, Any], numbers: str) -> None:
    assert found(told, **wanted) == numbers


def test_the_smallest_pot_is_asked_for_in_the_money_of_the_hand(told: Room) -> None:
    assert found(told, min_pot=Decimal("10.01")) == "CAB"
    assert found(told, min_pot=Decimal("10.02")) == "CA"
    assert found(told, min_pot=Decimal(800)) == "C"


def test_hands_with_findings_and_without_are_all_there_are(told: Room) -> None:
    with_any, without = found(told, findings=True), found(told, findings=False)
    assert sorted(with_any + without) == ["A", "B", "C"]
    assert with_any


def test_a_hand_is_found_by_its_id_and_says_what_it_was(told: Room) -> None:
    (first, *_) = find_hands(told.connect, HandsWanted(number="A")).hands
    (hand,) = find_hands(told.connect, HandsWanted(hand=first.hand)).hands
    assert (hand.site, hand.game, hand.table, hand.players) == ("here", "stud8", "Aquila", 4)
    assert (hand.small_bet, hand.big_bet) == (500, 1000)
    assert (hand.currency, hand.exponent, hand.pot, hand.rake) == ("USD", 2, 5324, 200)
    assert (hand.played_at, hand.happened_at) == (PLAYED_AT, PLAYED_AT)
    assert (hand.status, hand.conflicting) == ("completed", False)
    assert (hand.verdict == "findings") == (hand.findings > 0)


def test_a_hand_still_in_play_has_no_verdict(room: Room) -> None:
    tell(room, side_pot_hand()[:5])
    projector_of(room).catch_up()
    (hand,) = find_hands(room.connect, HandsWanted()).hands
    assert (hand.status, hand.verdict, hand.findings) == ("in_progress", None, 0)


def test_both_records_that_contradict_each_other_are_marked(told: Room) -> None:
    tell(told, side_pot_hand(), CONFLICT, number="A")
    projector_of(told).catch_up()
    hands = find_hands(told.connect, HandsWanted()).hands
    assert [hand.number for hand in hands if hand.conflicting] == ["A", "A"]


def test_a_list_goes_on_where_the_page_before_ended(room: Room) -> None:
    for n in range(5):
        tell(room, quiet_hand(), number=str(n), played_at=datetime(2024, 1, 1, n // 2, tzinfo=UTC))
    projector_of(room).catch_up()
    seen: list[HandFound] = []
    after: str | None = None
    for _ in range(3):
        page = find_hands(room.connect, HandsWanted(limit=2, after=after))
        seen += page.hands
        after = page.next
    assert after is None
    assert tuple(seen) == find_hands(room.connect, HandsWanted()).hands


def test_a_list_that_ends_with_its_page_has_no_next(told: Room) -> None:
    assert find_hands(told.connect, HandsWanted(limit=3)).next is None


@pytest.mark.parametrize("cursor", ["", "yesterday", "2024-01-01T00:00:00+00:00~x"])
def test_a_made_up_place_in_a_list_is_refused(told: Room, cursor: str) -> None:
    with pytest.raises(BadCursor):
        find_hands(told.connect, HandsWanted(after=cursor))


def test_every_report_says_how_far_it_is_complete(told: Room) -> None:
    head = told.store.head()
    tell(told, side_pot_hand())
    assert find_hands(told.connect, HandsWanted()).complete_to == head
    assert rake_report(told.connect).complete_to == head
    projector_of(told).catch_up()
    assert rake_report(told.connect).complete_to == told.store.head()


def test_a_report_before_the_first_catching_up_is_complete_up_to_nothing(room: Room) -> None:
    tell(room, side_pot_hand())
    assert find_hands(room.connect, HandsWanted()).complete_to == 0


# -- rake ----------------------------------------------------------------------------------------


def lines(room: Room, *by: Any, **days: date) -> list[tuple[Any, ...]]:
    """What each line is about, then hands, pot and rake."""
    return [_figures(line) for line in rake_report(room.connect, by, **days).lines]


def _figures(line: RakeLine) -> tuple[Any, ...]:
    keys = (line.day, line.table, line.game, line.small_bet, line.big_bet, line.player)
    return (*(key for key in keys if key is not None), line.hands, line.pot, line.rake)


def test_only_real_money_is_reported(told: Room) -> None:
    assert lines(told) == [(2, 6325, 200)]
    assert [line.currency for line in rake_report(told.connect).lines] == ["USD"]


def test_rake_by_day_game_and_stakes(told: Room) -> None:
    tell(told, side_pot_hand(), game="stud", played_at=PLAYED_AT + timedelta(days=1))
    projector_of(told).catch_up()
    assert lines(told, "game", "stakes", "day") == [
        (DAY_ONE, "stud8", 500, 1000, 2, 6325, 200),
        (DAY_TWO, "stud", 500, 1000, 1, 5324, 200),
    ]
    assert lines(told, "table") == [("Aquila", 3, 11649, 400)]


def test_rake_of_some_days_only(told: Room) -> None:
    assert lines(told, from_day=DAY_ONE, to_day=DAY_ONE) == [(2, 6325, 200)]
    assert lines(told, from_day=DAY_TWO) == []
    assert lines(told, "player", from_day=DAY_TWO) == []


def test_rake_by_player_is_what_each_bears(told: Room) -> None:
    assert lines(told, "player") == [
        ("p1", 2, 2260, 76),
        ("p2", 2, 1253, 38),
        ("p3", 2, 2260, 75),
        ("p4", 2, 302, 11),
        ("p5", 1, 250, 0),
    ]


def test_currencies_are_never_added_up(told: Room) -> None:
    euros = e.Money(kind="real", currency="EUR", exponent=2)
    tell(told, side_pot_hand(), money=euros)
    projector_of(told).catch_up()
    assert lines(told) == [(1, 5324, 200), (2, 6325, 200)]


def test_rake_that_a_ruling_moved_is_a_line_without_a_player(told: Room) -> None:
    tell(told, side_pot_hand(), correction({1: 10}, rake=-10))
    projector_of(told).catch_up()
    by_player = rake_report(told.connect, ["player"]).lines
    assert [(line.hands, line.rake) for line in by_player if line.player is None] == [(0, -10)]
    assert sum(line.rake for line in by_player) == 390


def test_a_void_hand_does_not_count(told: Room) -> None:
    back = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
    before = lines(told), lines(told, "player")
    tell(told, side_pot_hand(), back)
    projector_of(told).catch_up()
    assert (lines(told), lines(told, "player")) == before


def test_every_breakdown_adds_up_to_the_ledger(room: Room) -> None:
    appends = [
        Append(stream=uuid4(), expected=0, facts=facts(hand.events), actor="test")
        for hand in table_hands(24)
    ]
    room.store.append(appends)
    tell(room, side_pot_hand(), correction({1: 10}, rake=-10))
    projector_of(room).catch_up()
    with room.connect() as connection:
        query = "select sum(amount)::bigint from rake_ledger where account = 'House:Rake'"
        ((ledger,),) = connection.execute(query).fetchall()
        query = "select sum(rake)::bigint from hands"
        ((by_hand,),) = connection.execute(query).fetchall()
    assert ledger == by_hand > 0
    for size in range(len(DIMENSIONS) + 1):
        for by in combinations(DIMENSIONS, size):
            assert sum(line.rake for line in rake_report(room.connect, by).lines) == ledger


def test_the_books_of_a_hand_are_told_entry_by_entry(room: Room) -> None:
    hand = tell(room, odd_chip_hand())
    projector_of(room).catch_up()
    postings = postings_of_hand(room.connect, hand)
    assert [posting.step for posting in postings] == sorted(p.step for p in postings)
    assert (postings[-1].account, postings[-1].amount) == ("Player:p3:Table", 166)
    assert sum(posting.amount for posting in postings) == 0
    assert postings_of_hand(room.connect, uuid4()) == ()


@pytest.mark.parametrize("file", ["hands.sql", "rake_ledger.sql"])
def test_every_named_query_is_one_statement(file: str) -> None:
    for query in named_queries(file).values():
        assert query.count(b";") == 1
        assert query.endswith(b";")
