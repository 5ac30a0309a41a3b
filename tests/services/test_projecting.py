"""The runner on a real PostgreSQL: every event once, the same rows however they came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from domain import events as e
from projections.catalogue import EVERY_PROJECTION
from projections.hands import HANDS
from projections.rake_ledger import RAKE_LEDGER
from projections.shape import StoredRow, SumRow
from services.demo.hands import table_hands
from services.projecting import UnknownProjection, projector_of
from services.store.port import Append, Fact
from services.store.room import Room
from tests.support.projected import SUMS, TABLES, everything, projector, rows_of, tell
from tests.support.told_hands import (
    correction,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
    void,
)

BACK = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)


def statuses(room: Room) -> list[str]:
    with room.connect() as connection:
        return [status for (status,) in connection.execute("select status from hands")]


def interleaved(room: Room, hands: Sequence[Sequence[e.HandEvent]], size: int) -> None:
    """Hands at several tables at once: `size` facts of each in turn."""
    ids = [uuid4() for _ in hands]
    for start in range(0, max(map(len, hands)), size):
        for hand, events in zip(ids, hands, strict=True):
            if part := events[start : start + size]:
                tell(room, part, hand)


@pytest.mark.parametrize("table", TABLES + SUMS, ids=lambda table: table.table)
def test_a_row_has_exactly_the_columns_of_its_table(
    room: Room, table: type[StoredRow] | type[SumRow]
) -> None:
    query = (
        "select column_name from information_schema.columns"
        " where table_schema = current_schema() and table_name = %s"
    )
    with room.connect() as connection:
        columns = {name for (name,) in connection.execute(query, (table.table,))}
    assert columns == set(table.__struct_fields__)


def test_catching_up_reaches_the_head_of_the_log(room: Room) -> None:
    tell(room, side_pot_hand())
    assert projector_of(room).catch_up() == room.store.head()
    assert statuses(room) == ["completed"]
    assert len(rows_of(room, "hand_players")) == 4
    assert len(rows_of(room, "pots")) == 2


def test_an_empty_log_is_complete_up_to_nothing(room: Room) -> None:
    assert projector_of(room).catch_up() == 0
    assert projector_of(room).rebuild() == 0


def test_catching_up_again_changes_nothing(room: Room) -> None:
    tell(room, side_pot_hand())
    projector_of(room).catch_up()
    before = everything(room)
    projector_of(room).catch_up()
    assert everything(room) == before


@pytest.mark.parametrize("page", [1, 7, 5_000])
def test_pages_of_any_size_and_a_rebuild_give_the_same_rows(room: Room, page: int) -> None:
    hands = [hand.events for hand in islice(table_hands(12), 12)]
    interleaved(room, [*hands, (*side_pot_hand(), BACK), odd_chip_hand(), quiet_hand()], 9)
    projector(room, page).catch_up()
    before = everything(room)
    assert all(before[table] for table in ("hands", "pots", "odd_chips", "rake_ledger", "verdicts"))
    assert projector_of(room).rebuild() == room.store.head()
    assert everything(room) == before


def test_a_hand_in_play_is_taken_up_by_a_runner_that_never_saw_it_begin(room: Room) -> None:
    hand = tell(room, side_pot_hand()[:9])
    projector_of(room).catch_up()
    posted = rows_of(room, "rake_ledger")
    tell(room, side_pot_hand()[9:], hand)
    projector_of(room).catch_up()
    assert rows_of(room, "rake_ledger")[: len(posted)] == posted
    before = everything(room)
    projector_of(room).rebuild()
    assert everything(room) == before


def test_a_hand_is_shown_as_far_as_the_page_goes_and_no_further(room: Room) -> None:
    runner = projector(room, 4, HANDS)
    tell(room, side_pot_hand()[:4])
    assert runner.catch_up() == 4
    other = projector(room, 4, HANDS)
    tell(room, odd_chip_hand())
    tell(room, side_pot_hand()[4:], UUID(str(rows_of(room, "hands")[0][0])))
    other.catch_up()
    assert sorted(row[-1] for row in rows_of(room, "hands")) == [11, 13]


def test_a_void_adds_entries_and_takes_none_away(room: Room) -> None:
    hand = tell(room, side_pot_hand())
    projector_of(room).catch_up()
    posted = rows_of(room, "rake_ledger")
    tell(room, [BACK], hand)
    projector_of(room).catch_up()
    after = rows_of(room, "rake_ledger")
    assert after[: len(posted)] == posted
    assert len(after) > len(posted)
    assert statuses(room) == ["voided"]
    assert rows_of(room, "pots") == []


def test_a_correction_adds_one_entry_with_the_day_of_the_hand(room: Room) -> None:
    hand = tell(room, side_pot_hand())
    projector_of(room).catch_up()
    posted = rows_of(room, "rake_ledger")
    tell(room, [correction({1: 60, 2: -50}, rake=-10)], hand)
    projector_of(room).catch_up()
    after = rows_of(room, "rake_ledger")
    assert len(after) == len(posted) + 3
    assert len({row[7] for row in after}) == 1


def test_other_streams_of_the_log_are_passed_over(room: Room) -> None:
    other = Append(stream=uuid4(), expected=0, facts=(Fact("case_opened.v1", b"{}"),), actor="test")
    room.store.append([other])
    assert projector_of(room).catch_up() == room.store.head() == 1
    assert everything(room) == {table.table: [] for table in (*TABLES, *SUMS)}


def test_a_projection_that_starts_late_comes_level_with_the_others(room: Room) -> None:
    for hand in (side_pot_hand(), odd_chip_hand()):
        tell(room, hand)
    projector(room, 5, RAKE_LEDGER).catch_up()
    tell(room, quiet_hand())
    assert projector(room, 4).catch_up() == room.store.head()
    before = everything(room)
    projector_of(room).rebuild()
    assert everything(room) == before


def test_rebuilding_one_projection_leaves_the_others_where_they_are(room: Room) -> None:
    tell(room, side_pot_hand())
    projector_of(room).catch_up()
    before, head = everything(room), room.store.head()
    tell(room, odd_chip_hand())
    projector_of(room).rebuild(["pots"])
    assert {p.name: p.position for p in projector_of(room).status()}["hands"] == head
    assert rows_of(room, "hands") == before["hands"]
    assert len(rows_of(room, "pots")) == 3


def test_there_is_no_rebuilding_what_is_no_projection(room: Room) -> None:
    with pytest.raises(UnknownProjection, match="hands, hand_players, pots"):
        projector_of(room).rebuild(["chips"])


def test_status_says_how_far_each_projection_is_behind(room: Room) -> None:
    tell(room, side_pot_hand())
    runner = projector_of(room)
    assert {(p.position, p.head, p.behind) for p in runner.status()} == {(0, 13, 13)}
    runner.catch_up()
    assert {(p.position, p.head, p.behind) for p in runner.status()} == {(13, 13, 0)}
    assert [p.name for p in runner.status()] == [p.name for p in EVERY_PROJECTION]


def test_two_runners_at_once_take_in_every_event_once(room: Room) -> None:
    hands = [hand.events for hand in islice(table_hands(30), 30)]
    interleaved(room, hands, 11)
    with ThreadPoolExecutor(2) as pool:
        reached = list(pool.map(lambda _: projector(room, 40).catch_up(), range(2)))
    assert reached == [room.store.head()] * 2
    before = everything(room)
    projector_of(room).rebuild()
    assert everything(room) == before


@pytest.fixture
def ledger(room: Room) -> Iterator[psycopg.Connection]:
    """A connection to books with one hand in them."""
    tell(room, side_pot_hand())
    projector_of(room).catch_up()
    with room.connect() as connection:
        yield connection


POSTING = (
    "insert into rake_ledger (hand, step, line, account, amount, memo, day, money_kind, currency,"
    " exponent) values (gen_random_uuid(), 1, 1, 'House:Rake', %s, 'rake', now(), 'real', 'USD', 2)"
)


def test_the_database_refuses_an_entry_out_of_balance(ledger: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.CheckViolation, match="out of balance by 5"):
        ledger.execute(POSTING, (5,))


def test_the_database_refuses_a_posting_of_nothing(ledger: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        ledger.execute(POSTING, (0,))


def test_the_database_refuses_to_take_half_an_entry_away(ledger: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.CheckViolation, match="out of balance"):
        ledger.execute("delete from rake_ledger where account = 'House:Rake'")


def test_the_application_may_not_change_a_posting(ledger: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        ledger.execute("update rake_ledger set amount = 1")


def test_not_even_the_owner_changes_a_posting(ledger: psycopg.Connection, room: Room) -> None:
    with psycopg.connect(room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("set search_path = {}").format(Identifier(room.settings.room)))
        with pytest.raises(psycopg.errors.CheckViolation, match="never changed"):
            owner.execute("update rake_ledger set amount = 1")
