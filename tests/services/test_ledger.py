"""The whole ledger: postings of tables, sessions that reconcile, accounts that add up."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from msgspec.structs import replace

from domain.disputes.adjustments import table_account
from domain.tables import events as t
from projections.shape import Told
from projections.table_ledger import TABLE_LEDGER, Row, TablePostingRow
from services.embedded import Server
from services.ledger import SessionsWanted, accounts, sessions
from services.projecting import projector_of
from services.store.room import Room, open_room
from services.verifying import verify
from tests.conftest import fresh_settings
from tests.domain.test_tables import ANNA, BENO, ENDED, IN_A_HAND
from tests.support.ledgers import SEATS, Evening
from tests.support.live import NOON
from tests.support.projected import everything, projector, rows_of

TOLD = Told(IN_A_HAND[3].hand, NOON)  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def evening(server: Server) -> Iterator[Evening]:
    """Three play two hands; one leaves and comes back for a third."""
    with open_room(fresh_settings(server)) as room:
        evening = Evening(room)
        evening.play()
        evening.tell(t.ChipsAdded(seat=2, amount=700, at=evening.clock()))
        evening.play("bet", "raise")
        stack = evening.table.stacks()[3]
        evening.tell(t.PlayerLeft(seat=3, stack=stack, at=evening.clock()))
        seated = t.PlayerSeated(seat=3, player=SEATS[3], stack=stack, at=evening.clock())
        evening.tell(seated)
        evening.play()
        evening.caught_up()
        yield evening


def folded(*events: t.TableEvent) -> Row:
    row: Row | None = None
    for event in events:
        row = TABLE_LEDGER.project(row, event)
    assert row is not None
    return row


def test_chips_are_bought_from_the_cashier_and_given_back() -> None:
    row = folded(*IN_A_HAND, ENDED, t.PlayerLeft(seat=1, stack=950, at=NOON))
    postings = [
        (one.n, one.account, one.amount, one.memo)
        for one in TABLE_LEDGER.rows(row, TOLD)
        if isinstance(one, TablePostingRow)
    ]
    assert postings == [
        (2, "House:Cashier", -1000, "buy-in"),
        (2, table_account("anna"), 1000, "buy-in"),
        (3, "House:Cashier", -2000, "buy-in"),
        (3, table_account("beno"), 2000, "buy-in"),
        (6, "House:Cashier", 950, "cash-out"),
        (6, table_account("anna"), -950, "cash-out"),
    ]


def test_who_leaves_with_nothing_moves_nothing() -> None:
    row = folded(IN_A_HAND[0], ANNA, BENO, t.PlayerLeft(seat=1, stack=0))
    assert len(row.moved) == 2
    assert row.sessions[0].cashed_out == 0


def test_every_session_reconciles_with_the_ledgers_of_its_hands(evening: Evening) -> None:
    found = sessions(evening.room.connect, SessionsWanted()).sessions
    assert len(found) == 4
    assert all(one.reconciles for one in found)
    assert [one.hands for one in found] == [3, 3, 2, 1]
    assert any(one.won for one in found)
    by_seat = {one.seat: one for one in found}
    assert by_seat[2].bought_in == 10_700
    assert [one.cashed_out is None for one in found] == [True, True, False, True]


def test_sessions_are_found_by_table_player_and_day(evening: Evening) -> None:
    def count(**wanted: object) -> int:
        return len(sessions(evening.room.connect, SessionsWanted(**wanted)).sessions)  # type: ignore[arg-type]

    assert count(called="Amber") == count(called=str(evening.table.id)) == 4
    assert count(called="Beryl") == 0
    assert count(players=(SEATS[3],)) == 2
    assert count(from_day=NOON.date(), to_day=NOON.date()) == 4
    assert count(to_day=NOON.date().replace(day=30)) == 0


def test_a_hand_in_progress_is_in_neither_side_of_a_session(room: Room) -> None:
    evening = Evening(room)
    evening.play()
    evening.table.begin()
    evening.table.act_somehow()
    evening.caught_up()
    found = sessions(room.connect, SessionsWanted()).sessions
    assert {one.in_hand for one in found} == {evening.table.hand}
    assert all(one.reconciles for one in found)


def test_a_session_whose_books_lack_a_hand_is_named_by_verification(room: Room) -> None:
    evening = Evening(room)
    hand = evening.play("bet", "raise")
    evening.caught_up()
    wanted = SessionsWanted(only_wrong=True)
    assert sessions(room.connect, wanted).sessions == ()
    with room.connect() as connection:
        connection.execute("delete from rake_ledger where hand = %s", (hand,))
    wrong = sessions(room.connect, wanted).sessions
    assert wrong
    assert not any(one.reconciles for one in wrong)
    told = [difference.text for difference in verify(room).differences]
    for one in wrong:
        assert f"the session at fact {one.n} of table {one.table} does not reconcile" in told


def test_all_accounts_together_are_nothing_and_players_have_what_is_on_the_table(
    evening: Evening,
) -> None:
    told = accounts(evening.room.connect)
    assert told.complete_to == told.log_at
    assert sum(one.balance for one in told.accounts) == 0
    by_name = {one.account: one.balance for one in told.accounts}
    assert by_name["Player:Table"] == sum(evening.table.stacks().values())
    assert by_name["Pot"] == 0
    assert by_name["House:Rake"] > 0
    assert by_name["House:Cashier"] == -(by_name["House:Rake"] + by_name["Player:Table"])


def test_a_player_has_accounts_of_his_own(evening: Evening) -> None:
    (account,) = accounts(evening.room.connect, [SEATS[2]]).accounts
    assert account.account == table_account(SEATS[2])
    assert account.balance == evening.table.stacks()[2]


def test_what_a_ruling_moves_is_on_accounts_beside_the_table(room: Room) -> None:
    evening = Evening(room)
    hand = evening.play()
    evening.rule(hand)
    evening.caught_up()
    by_name = {one.account: one.balance for one in accounts(room.connect, [SEATS[2]]).accounts}
    assert by_name[f"Player:{SEATS[2]}:Adjustment"] == 500
    assert by_name[table_account(SEATS[2])] == evening.table.stacks()[2]
    assert all(one.reconciles for one in sessions(room.connect, SessionsWanted()).sessions)


@pytest.mark.parametrize("page", [1, 5_000])
def test_the_ledger_of_tables_is_the_same_by_page_and_by_rebuild(
    evening: Evening, page: int
) -> None:
    before = everything(evening.room)
    projector(evening.room, page, TABLE_LEDGER).rebuild(["table_ledger"])
    assert everything(evening.room) == before


def test_the_database_takes_no_posting_of_a_table_out_of_balance(evening: Evening) -> None:
    copied = (
        "insert into table_postings select table_id, n + 1000, line, account, amount - 1, memo,"
        " happened_at, money_kind, currency, exponent from table_postings limit 1"
    )
    with evening.room.connect() as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute(copied.encode())


def test_an_entry_that_would_not_balance_is_not_stored_and_its_stream_is_named(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(room)
    sound = Evening(room)

    def skewed(row: Row, told: Told) -> tuple[object, ...]:
        found = TABLE_LEDGER.rows(row, told)
        if told.stream != evening.table.id:
            return found
        return tuple(
            replace(one, amount=one.amount + 1)
            if isinstance(one, TablePostingRow) and one.line == 1
            else one
            for one in found
        )

    runner = projector(room, 5_000, replace(TABLE_LEDGER, rows=skewed))
    runner.catch_up()
    assert {row[0] for row in rows_of(room, "table_postings")} == {sound.table.id}
    (aside,) = projector_of(room).set_aside()
    assert (aside.hand, aside.reason, aside.projections) == (
        evening.table.id,
        "CheckViolation",
        ["table_ledger"],
    )
