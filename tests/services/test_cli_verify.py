"""Tampering shows: whoever owns the tables can change them, and `verify` says what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services import embedded
from services.demo.storing import store_demo
from services.embedded import Server
from services.settings import Settings
from services.store.room import open_room
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD, changed

Tamper = Callable[..., int]
NUMBER = "D00001"


@pytest.fixture
def tamper(server: Server, settings: Settings) -> Iterator[Tamper]:
    """Run SQL as the owner of the room's tables; answers how many rows it changed."""
    with psycopg.connect(server.conninfo(embedded.OWNER_ROLE), autocommit=True) as connection:
        connection.execute(SQL("set search_path = {}").format(Identifier(settings.room)))
        yield lambda query, *values: connection.execute(query, values).rowcount


@pytest.fixture
def dealt(settings: Settings, studledger: CommandLine) -> CommandLine:
    """The program in a room with the six arranged hands, looked at once."""
    with open_room(settings) as room:
        store_demo(room, 6)
    studledger("verify", "--all")
    return studledger


OF_HAND = "(select hand from hands where number = %s)"


def test_a_changed_fact_ends_with_3_and_names_the_hand(dealt: CommandLine, tamper: Tamper) -> None:
    old, new = b'"amount":978', b'"amount":977'
    assert tamper(
        "update events set state = convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8')"
        f" where originator_id = {OF_HAND} and position(%s::bytea in state) > 0",
        *(old.decode(), new.decode(), NUMBER, old),
    )
    for hands in (("--all",), (NUMBER,)):
        answer = dealt("verify", *hands, code=3)
        assert f"DIFFERS {NUMBER}: " in answer.out
    found = dealt("verify", "--all", "--format", "json", code=3).json
    assert {one["number"] for one in found["differences"]} == {NUMBER}
    dealt("verify", "D00002", "D00003")


def test_a_changed_card_of_a_dealt_hand_contradicts_who_was_paid(
    dealt: CommandLine, tamper: Tamper
) -> None:
    assert tamper(
        "update events set state = convert_to(replace(convert_from(state, 'UTF8'),"
        " '\"Ah\"', '\"Kd\"'), 'UTF8')"
        f" where originator_id = {OF_HAND} and topic in ('cards_dealt.v1', 'cards_shown.v1')",
        NUMBER,
    )
    answer = dealt("verify", "--all", code=3)
    assert f"DIFFERS {NUMBER}: step " in answer.out


@pytest.mark.parametrize(
    ("step", "state"),
    [(1, b""), (1, b"[]"), (20, b"{"), (20, b'{"type":"no_such_thing.v9"}'), (20, b"\xff\xfe")],
)
def test_a_fact_that_cannot_be_read_ends_with_3_and_names_the_hand(
    dealt: CommandLine, tamper: Tamper, step: int, state: bytes
) -> None:
    assert tamper(
        f"update events set state = %s where originator_id = {OF_HAND} and originator_version = %s",
        *(state, NUMBER, step),
    )
    found = dealt("verify", "--all", "--format", "json", code=3).json
    [difference] = found["differences"]
    assert difference["text"].startswith("its facts cannot be applied")
    assert difference["number"] == (NUMBER if step > 1 else "")
    assert found["checked"] == 6
    assert found["clean"] == 5


@pytest.mark.parametrize("which", ["= 1", "= 20", "> 0"], ids=["first", "one", "all"])
def test_missing_facts_end_with_3_and_name_the_hand(
    dealt: CommandLine, tamper: Tamper, which: str
) -> None:
    assert tamper(
        f"delete from events where originator_id = {OF_HAND} and originator_version {which}",
        NUMBER,
    )
    for hands in (("--all",), (NUMBER,)):
        answer = dealt("verify", *hands, code=3)
        assert f"DIFFERS {NUMBER}: " in answer.out


@pytest.mark.parametrize(
    "change",
    [
        "update hands set rake = rake + 1",
        "update hand_players set contributed = contributed + 1, won = won + 1",
        "update pots set gross = gross - 1, awarded = awarded - 1",
        "delete from odd_chips",
        "update verdicts set verdict = 'clean_as_visible'",
        "update rake_ledger set amount = -amount",
    ],
)
def test_a_changed_result_ends_with_3_until_it_is_derived_again(
    dealt: CommandLine, tamper: Tamper, change: str
) -> None:
    table = change.split()[1 + change.startswith("delete")]
    tamper("alter table rake_ledger disable trigger user")
    assert tamper(f"{change} where hand = {OF_HAND}", NUMBER)
    answer = dealt("verify", "--all", code=3)
    assert f"DIFFERS {NUMBER}: the rows of {table} are not what its facts come to" in answer.out
    dealt("projections", "rebuild")
    dealt("verify", "--all")


def test_books_out_of_balance_are_found_by_the_doctor(dealt: CommandLine, tamper: Tamper) -> None:
    tamper("alter table rake_ledger disable trigger user")
    assert tamper(
        f"update rake_ledger set amount = amount + 1 where hand = {OF_HAND}"
        " and account = 'House:Rake'",
        NUMBER,
    )
    answer = dealt("doctor", code=1)
    assert "do not balance: run `studledger verify --all`" in answer.said


@pytest.mark.parametrize("seed", range(6))
def test_whatever_becomes_of_the_bytes_nothing_but_a_sentence_comes_of_it(
    dealt: CommandLine, tamper: Tamper, seed: int
) -> None:
    """Any digit of any fact may be another one: verification ends with 3, in words."""
    dice = Random(seed)
    assert tamper(
        "update events set state = convert_to(regexp_replace(convert_from(state, 'UTF8'),"
        " '(\\D)([0-9])(\\D)', '\\1' || %s || '\\3', %s), 'UTF8')"
        f" where originator_id = {OF_HAND} and originator_version = %s",
        *(str(dice.randrange(10)), dice.randrange(1, 40), NUMBER, dice.randrange(1, 52)),
    )
    answer = dealt("verify", "--all", code=None)
    assert answer.code in {0, 3}
    assert ("DIFFERS" in answer.out) == (answer.code == 3)
    assert answer.err == ""


# -- faults of play --------------------------------------------------------------------------------


def test_faults_of_play_are_listed_and_end_with_3_only_where_that_is_asked_for(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "hands.txt"
    wrong_opener = changed(STUD, ("Dealt to cleo [Qs]\nbert", "Dealt to cleo [2c]\nbert"))
    path.write_text(wrong_opener.replace("[Qs", "[2c").replace("Js Tc Qs", "Js Tc 2c"))
    studledger("import", path)
    answer = studledger("verify", "--all")
    assert "1 with findings" in answer.out
    assert "Everything stored about them is what their facts come to." in answer.out
    strict = studledger("verify", "--all", "--strict", "--format", "json", code=3).json
    assert set(strict["findings"][0]) == {
        *("hand", "number", "step", "rule", "expected", "recorded", "text"),
    }
    assert {finding["number"] for finding in strict["findings"]} == {"7001"}
    assert strict["differences"] == []
    rows = studledger("verify", "7001", "--format", "csv").csv
    assert [row["rule"] for row in rows] == [one["rule"] for one in strict["findings"]]
    assert "7001" in studledger("hands", "--findings").out
