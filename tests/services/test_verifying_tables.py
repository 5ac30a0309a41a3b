"""Books of tables are derived again: what somebody changed in them shows, balanced or not."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services.embedded import Server
from services.projecting import projector_of
from services.store.room import open_room
from services.verifying import verify
from tests.conftest import fresh_settings
from tests.support.ledgers import Evening

INVENTED = UUID(int=0xABCDEF)


@pytest.fixture(scope="module")
def evening(server: Server) -> Iterator[Evening]:
    with open_room(fresh_settings(server)) as room:
        evening = Evening(room)
        evening.play()
        evening.caught_up()
        yield evening


@pytest.fixture
def owner(evening: Evening) -> Iterator[psycopg.Connection]:
    """The owner of the tables, whom no right stops; afterwards they are derived again."""
    with psycopg.connect(evening.room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("set search_path = {}").format(Identifier(evening.room.settings.room)))
        yield owner
    projector_of(evening.room).rebuild(["table_ledger", "rake_ledger"])


def differences(evening: Evening) -> list[tuple[UUID | None, str]]:
    return [(one.hand, one.text) for one in verify(evening.room).differences]


def test_tables_as_they_were_played_differ_in_nothing(evening: Evening) -> None:
    assert differences(evening) == []


def test_a_balanced_change_of_what_was_bought_in_is_named_by_table_and_fact(
    evening: Evening, owner: psycopg.Connection
) -> None:
    n = owner.execute("select min(n) from table_postings where n > 2").fetchone()
    assert n is not None
    owner.execute("update table_postings set amount = amount * 2 where n = %s", n)
    text = f"the rows of table_postings are not what its facts come to, first at fact {n[0]}"
    assert (evening.table.id, f"{text}; rebuild that projection") in differences(evening)


def test_a_changed_session_is_named(evening: Evening, owner: psycopg.Connection) -> None:
    owner.execute("update table_sessions set seated_at = seated_at + interval '1 day'")
    [(table, text)] = differences(evening)
    assert table == evening.table.id
    assert text.startswith("the rows of table_sessions are not what its facts come to")


@pytest.mark.parametrize("kind", ["player_seated.v1", "hand_ended.v1"])
def test_a_fact_of_a_table_that_cannot_follow_is_told_in_a_sentence(
    evening: Evening, owner: psycopg.Connection, kind: str
) -> None:
    """Nobody sits where a hand says somebody does."""
    change = (
        "update events set state = convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8')"
        " where originator_id = %s and topic = %s"
    )
    seats = ('"seat":2', '"seat":6')
    assert owner.execute(change, (*seats, evening.table.id, kind)).rowcount
    found = differences(evening)
    owner.execute(change, (*reversed(seats), evening.table.id, kind))
    assert {stream for stream, _ in found} == {evening.table.id}
    assert all(text.startswith("its facts cannot be applied") for _, text in found)


@pytest.mark.parametrize(
    ("table", "key"),
    [("rake_ledger", "hand"), ("table_postings", "table_id")],
)
def test_a_balanced_entry_of_a_stream_nobody_told_is_named(
    evening: Evening, owner: psycopg.Connection, table: str, key: str
) -> None:
    copied = (
        f"insert into {table} select (jsonb_populate_record(t, jsonb_build_object('{key}',"
        f" '{INVENTED}'))).* from {table} t"
    )
    owner.execute(copied.encode())
    text = f"{table} has rows of it, and the log has no facts it could be of"
    assert differences(evening) == [(INVENTED, text)]
