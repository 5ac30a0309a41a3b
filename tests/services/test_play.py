"""Bots at the tables of a running service: what they do there, and what they tell of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.embedded import Server
from services.playing.hosting import hosted
from services.store.port import pages
from services.store.room import Room, open_room
from tests.conftest import fresh_settings
from tests.support.cli import Answer, CommandLine


@pytest.fixture(scope="module")
def place(server: Server) -> Iterator[Room]:
    with open_room(fresh_settings(server)) as room:
        yield room


@pytest.fixture(scope="module")
def address(place: Room) -> Iterator[str]:
    with hosted(place.settings, (), serve=True) as (address,):
        yield address


@pytest.fixture
def studledger(
    place: Room, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(place.settings, monkeypatch, capsys)


def kinds_since(room: Room, head: int) -> Counter[str]:
    """How many facts of each kind were stored after a position."""
    return Counter(fact.type for page in pages(room.store, head) for fact in page)


def without_times(answer: Answer) -> object:
    """What of a play does not depend on the clock or on chance."""
    told = answer.json
    for part in (told, *told["tables"]):
        for name in ("p50_ms", "p99_ms", "seconds", "table", "retries"):
            part.pop(name, None)
    return told


def test_bots_play_so_many_hands_and_all_chips_are_accounted_for(
    studledger: CommandLine, place: Room, address: str
) -> None:
    head = place.store.head()
    told = studledger(
        "play", "--url", address, "--tables", 2, "--players", 4, "--hands", 5, "--format", "json"
    ).json
    assert [table["hands"] for table in told["tables"]] == [3, 2]
    assert (told["refusals"], told["errors"], told["conserved"]) == (0, 0, True)
    assert told["bought_in"] == told["rake"] + told["ended"] >= 2 * 4 * 20_000
    stored = kinds_since(place, head)
    assert (stored["table_opened.v1"], stored["table_closed.v1"]) == (2, 2)
    assert stored["hand_begun.v1"] == stored["hand_completed.v1"] == 5


def test_the_same_seed_is_the_same_play_of_the_same_decks(
    studledger: CommandLine, address: str
) -> None:
    play = ("play", "--url", address, "--hands", 3, "--seed", "again", "--format", "json")
    first, second = studledger(*play), studledger(*play)
    assert without_times(first) == without_times(second)


def test_turns_run_out_and_connections_are_lost_as_often_as_they_shall(
    studledger: CommandLine, place: Room, address: str
) -> None:
    head = place.store.head()
    told = studledger(
        "play", "--url", address, "--hands", 2, "--players", 3, "--seed", "slow", "--format",
        "json", "--clock", "0+0+0", "--time-outs", "0.3", "--disconnects", "0.3",
    ).json  # fmt: skip
    stored = kinds_since(place, head)
    assert told["conserved"]
    assert stored["timed_out.v1"] == told["time_outs"] > 0
    assert stored["player_disconnected.v1"] == told["disconnects"] > 0


def test_people_get_a_table_of_it(studledger: CommandLine, address: str) -> None:
    out = studledger("play", "--url", address, "--tables", 2, "--hands", 2).out.splitlines()
    assert out[0].split()[:4] == ["table", "hands", "actions", "refusals"]
    assert [line.split()[-1] for line in out[1:4]] == ["conserved"] * 3
    assert out[4].startswith("2 hands in ")


def test_the_keys_of_a_play_end_with_it(studledger: CommandLine, address: str) -> None:
    studledger("play", "--url", address, "--hands", 1)
    keys = studledger("token", "list", "--format", "json").json["keys"]
    assert {key["name"] for key in keys} >= {"bots' floor", "bots' dealer 1"}
    assert all(key["revoked_at"] for key in keys if key["name"].startswith("bots'"))


def test_a_key_that_may_not_open_tables_gets_a_sentence(
    studledger: CommandLine, address: str
) -> None:
    key = studledger("token", "create", "--role", "dealer").out.split()[-1]
    said = studledger("play", "--url", address, "--key", key, code=1).said
    assert "not-allowed: this key has the role dealer" in said


def test_a_given_key_is_used_for_everything(studledger: CommandLine, address: str) -> None:
    key = studledger("token", "create", "--role", "admin").out.split()[-1]
    play = ("play", "--url", address, "--key", key, "--hands", 1, "--format", "csv")
    (table,) = studledger(*play).csv
    assert (table["hands"], table["conserved"]) == ("1", "True")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (("--clock", "10"), "three numbers of seconds"),
        (("--game", "omaha"), "there is no game omaha"),
        (("--serve", "--url", "http://127.0.0.1:1"), "leave out --url"),
    ],
)
def test_what_cannot_be_played_is_a_question_of_usage(
    studledger: CommandLine, wrong: tuple[str, ...], says: str
) -> None:
    assert says in studledger("play", *wrong, code=2).said


def test_where_nobody_answers_nobody_waits(studledger: CommandLine) -> None:
    said = studledger("play", "--url", "http://127.0.0.1:1", code=1).said
    assert "is `studledger serve` running there?" in said


# -- the page --------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "play.md"
PROGRAMS = ("bash", "curl", "jq")


def blocks(kind: str) -> str:
    """All blocks of the page of this kind, one after the other."""
    return "".join(re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S))


@pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason="needs bash, curl and jq")
def test_the_worked_session_answers_as_its_page_shows(
    studledger: CommandLine, address: str, tmp_path: Path
) -> None:
    key = studledger("token", "create", "--role", "admin").out.split()[-1]
    session = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", blocks("sh")],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "SERVER": address, "KEY": key},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (session.stdout, session.stderr) == (blocks("text"), "")
    assert session.returncode == 0
