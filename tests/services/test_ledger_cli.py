"""The ledger and its closed days at the command line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.projecting import projector_of
from services.store.room import Room
from tests.support.cli import CommandLine
from tests.support.ledgers import FIRST, Evening

NEXT = FIRST + timedelta(days=1)


@pytest.fixture
def played(room: Room) -> Evening:
    """Two hands of an evening long over."""
    evening = Evening(room)
    evening.play()
    evening.play("bet", "raise")
    return evening


def test_accounts_are_shown_by_kind_and_add_up_to_nothing(
    studledger: CommandLine, played: Evening
) -> None:
    told = studledger("ledger", "accounts", "--format", "json").json
    assert sum(one["balance"] for one in told["accounts"]) == 0
    assert "Player:Table" in studledger("ledger", "accounts").out
    rows = studledger("ledger", "accounts", "--format", "csv").csv
    assert {row["account"] for row in rows} == {one["account"] for one in told["accounts"]}


def test_sessions_are_shown_with_whether_they_reconcile(
    studledger: CommandLine, played: Evening
) -> None:
    shown = studledger("ledger", "sessions", "--table", "Amber").out
    assert shown.count("yes") == 3
    rows = studledger("ledger", "sessions", "--format", "csv").csv
    assert [row["difference"] for row in rows] == ["0.00"] * 3
    assert len(studledger("ledger", "sessions", "--format", "jsonl").lines) == 3


def test_a_day_is_closed_once_listed_and_shown_as_it_was(
    studledger: CommandLine, played: Evening
) -> None:
    assert "open" in studledger("ledger", "day", FIRST).out
    first = studledger("rake", "close", FIRST)
    assert f"{FIRST} is closed: 2 real-money hands" in first.said
    again = studledger("rake", "close", FIRST)
    assert f"{FIRST} was closed before" in again.said
    (close,) = studledger("rake", "closes", "--format", "json").json["closes"]
    assert close["report_sha256"] in first.out
    assert close["report_sha256"][:16] in studledger("rake", "closes").out
    assert f"{NEXT} is closed next" in studledger("rake", "closes").err
    day = studledger("ledger", "day", FIRST, "--format", "json").json
    assert day["closed"] == close
    assert [
        row["account"] for row in studledger("ledger", "day", FIRST, "--format", "csv").csv
    ] == [one["account"] for one in close["totals"]]
    studledger("verify", "--all")


def test_a_late_ruling_is_shown_on_both_days(studledger: CommandLine, played: Evening) -> None:
    studledger("rake", "close", FIRST)
    played.rule(played.table.hand)
    number = played.table.last.hand.started.number
    closed = studledger("ledger", "day", FIRST).out
    assert "Came since it was closed" in closed
    later = studledger("ledger", "day", NEXT).out
    assert "Came late" in later
    assert number in closed
    assert number in later


def test_a_day_that_stays_open_says_why(studledger: CommandLine, played: Evening) -> None:
    assert "is not over" in studledger("rake", "close", "2999-01-01", code=1).err
    zone = studledger("rake", "close", FIRST, "--time-zone", "Europe/Londn", code=2)
    assert "Europe/London" in zone.said
    studledger("rake", "close", FIRST, "--due", code=2)
    studledger("rake", "close", code=2)
    studledger("rake", "close", "yesterday", code=2)


def test_whatever_is_due_is_closed(studledger: CommandLine, played: Evening) -> None:
    told = studledger("rake", "close", "--due", "--format", "json").json
    assert len(told["closed"]) == 1
    assert "No day is due" in studledger("rake", "close", "--due").out


def test_a_close_that_is_not_what_the_log_comes_to_fails_verification(
    studledger: CommandLine, played: Evening, room: Room
) -> None:
    projector_of(room).catch_up()
    with room.connect() as connection:
        connection.execute("delete from rake_ledger where account <> 'none'")
    studledger("rake", "close", FIRST)
    projector_of(room).rebuild()
    said = studledger("verify", "--all", code=3).said
    assert f"the closed day {FIRST} has other totals than the log comes to" in said


def test_an_empty_room_has_accounts_sessions_and_days_with_nothing_in_them(
    studledger: CommandLine,
) -> None:
    assert studledger("ledger", "accounts", "--format", "json").json["accounts"] == []
    assert "no session is like that" in studledger("ledger", "sessions").err
    assert "Nothing was moved" in studledger("ledger", "day", FIRST).out
    assert "no day is closed yet" in studledger("rake", "closes").err


def test_the_doctor_says_what_the_books_refused(studledger: CommandLine, room: Room) -> None:
    evening = Evening(room)
    with room.connect() as connection:
        connection.execute(
            "insert into projection_set_aside values ('table_ledger', %s, 1, 'CheckViolation')",
            (evening.table.id,),
        )
    said = studledger("doctor", code=1).said
    assert f"1 not posted, in no book: {evening.table.id} (CheckViolation)" in said
