"""Finding hands and counting rake, from the tables of the projections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from services.projecting import projector_of
from services.reports import (
    BadCursor,
    HandFound,
    HandsWanted,
    find_hands,
)
from services.reports.queries import named_queries
from services.store.port import Append, facts
from services.store.room import Room
from tests.support.told_hands import (
    PLAYED_AT,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
)

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


def test_a_list_says_how_far_it_is_complete(told: Room) -> None:
    head = told.store.head()
    tell(told, side_pot_hand())
    assert find_hands(told.connect, HandsWanted()).complete_to == head
    projector_of(told).catch_up()
    assert find_hands(told.connect, HandsWanted()).complete_to == told.store.head()


def test_a_report_before_the_first_catching_up_is_complete_up_to_nothing(room: Room) -> None:
    tell(room, side_pot_hand())
    assert find_hands(room.connect, HandsWanted()).complete_to == 0


@pytest.mark.parametrize("file", ["hands.sql", "rake_ledger.sql", "rollups.sql"])
def test_every_named_query_is_one_statement(file: str) -> None:
    for query in named_queries(file).values():
        assert query.count(b";") == 1
        assert query.endswith(b";")
