"""Schedules of a room: published once and for ever, found by every hand that names one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.events import RakeTaken, ScheduleRef, decode
from domain.schedules import TOPSPOKER_CHART, published
from domain.verdict import judge
from services.bundles.checking import check_bundle
from services.bundles.contents import EVENTS, SCHEDULES
from services.embedded import Server
from services.schedules import BadScheduleFile, ScheduleTaken, named, publish, read_schedule
from services.schedules.reading import schedule_of
from services.settings import Settings
from services.store.room import Room, open_room
from services.store.schedules import Schedules
from tests.support.bundled import content, in_file, lines, rewritten, spelled
from tests.support.cli import CommandLine
from tests.support.played import played
from tests.support.projected import tell
from tests.support.tables import DOLLARS, player, started

HOUSE = """
id = "house"
version = 1
currency = "USD"

[[bands]]
name = "All stakes"
stakes = ["1/2 to 2/4", "5.00/10.00"]

[[bands.rows]]
players = "2-4"
steps = [{ pot = 4, rake = 0.20 }]

[[bands.rows]]
players = "5-8"
steps = [{ pot = 4, rake = 0.20 }, { pot = "20.00", rake = 0.75 }]
"""
SECOND = HOUSE.replace("version = 1", "version = 2").replace("rake = 0.75", "rake = 1")


def file(folder: Path, text: str) -> Path:
    path = folder / "schedule.toml"
    path.write_text(text)
    return path


def dealt(seed: int) -> tuple[object, ...]:
    """A hand of the room's own, dealt under the schedule `house`, with money in its pots."""
    table = replace(
        started(
            [replace(player(seat, 0), started_with=20_000) for seat in (1, 2, 3)], money=DOLLARS
        ),
        rake_schedule=ScheduleRef(id="house", version=1),
    )
    stakes = replace(table.stakes, ante=50, bring_in=250)
    return played(replace(table, stakes=stakes, number=f"H{seed}"), random.Random(seed))


class Raked:
    """A room in which `house` is published and hands were dealt under it."""

    def __init__(self, settings: Settings, hands: tuple[UUID, ...]) -> None:
        self.settings, self.hands = settings, hands


@pytest.fixture(scope="module")
def raked(server: Server) -> Iterator[Raked]:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="schedules")
    with open_room(settings) as room:
        publish(room, schedule_of(HOUSE), "test")
        hands = tuple(tell(room, dealt(seed)) for seed in range(6))
    yield Raked(settings, hands)


@pytest.fixture
def cli(
    raked: Raked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(raked.settings, monkeypatch, capsys)


# -- written --------------------------------------------------------------------------------------


def test_amounts_of_a_file_are_money_to_the_last_decimal() -> None:
    low = schedule_of(HOUSE).bands[0]
    assert low.stakes[0].lowest == (100, 200)
    assert [(step.pot, step.rake) for step in low.rows[1].steps] == [(400, 20), (2000, 75)]


@pytest.mark.parametrize(
    ("was", "instead", "said"),
    [
        ("rake = 0.20 }]", "rake = 0.205 }]", "'0.205' is no amount with at most 2 decimals"),
        ("rake = 0.20 }]", "rake = -1 }]", "'-1' is no amount"),
        ("rake = 0.20 }]", "rake = 5 }]", "the rake of $5.00 is more than the pot of $4.00"),
        ('players = "2-4"', 'players = "few"', "players 'few': write 2-3, or 2"),
        ('"5.00/10.00"', '"five/ten"', "stakes 'five/ten': write 5/10, or 2/4 to 10/20"),
        ('"5.00/10.00"', '"2/4"', "stakes of All stakes and All stakes overlap"),
        ("version = 1", 'version = "one"', "$.version"),
        ("currency", "curency", "curency"),
        ("[[bands]]", "[bands", "this is no TOML"),
        ("version = 1", "version = 1\nexponent = 99", "possible are 0 to 15"),
    ],
)
def test_a_file_that_says_no_schedule_is_told_where_it_does_not(
    was: str, instead: str, said: str, tmp_path: Path
) -> None:
    path = file(tmp_path, HOUSE.replace(was, instead, 1))
    with pytest.raises(BadScheduleFile) as wrong:
        read_schedule(path)
    assert str(wrong.value).startswith(f"{path}: ")
    assert said in str(wrong.value)


# -- published ------------------------------------------------------------------------------------


def test_a_published_version_never_changes_and_none_is_left_out(room: Room) -> None:
    first = schedule_of(HOUSE)
    assert publish(room, first, "test").new
    assert not publish(room, first, "test").new, "the same again is no new fact"
    head = room.store.head()
    with pytest.raises(ScheduleTaken, match="never changes"):
        publish(room, replace(schedule_of(SECOND), version=1), "test")
    with pytest.raises(ScheduleTaken, match="the next version of house is 2, not 3"):
        publish(room, replace(first, version=3), "test")
    with pytest.raises(ScheduleTaken, match="never changes"):
        publish(room, replace(TOPSPOKER_CHART, currency="EUR"), "test")
    assert not publish(room, TOPSPOKER_CHART, "test").new
    assert room.store.head() == head
    assert publish(room, schedule_of(SECOND), "test").new
    assert published()["house", 2] == schedule_of(SECOND)


def test_what_one_process_publishes_another_finds_when_it_is_asked_for(room: Room) -> None:
    elsewhere = Schedules(room.pool, look_again=0)
    assert set(elsewhere) == {("topspoker", 1)}
    publish(room, schedule_of(HOUSE), "test")
    assert elsewhere["house", 1] == schedule_of(HOUSE)
    publish(room, schedule_of(SECOND), "test")
    assert named("house", elsewhere).version == 2
    seldom = Schedules(room.pool, look_again=3600)
    assert ("house", 3) not in seldom
    publish(room, replace(schedule_of(SECOND), version=3), "test")
    assert ("house", 3) not in seldom, "it is not asked for again and again"


def test_of_two_who_publish_one_version_at_once_one_is_first(room: Room) -> None:
    answers: list[str] = []
    together = Barrier(2)

    def try_it(rake: str) -> None:
        schedule = schedule_of(HOUSE.replace("rake = 0.75", f"rake = {rake}"))
        together.wait()
        try:
            answers.append("new" if publish(room, schedule, "test").new else "old")
        except ScheduleTaken:
            answers.append("taken")

    threads = [Thread(target=try_it, args=(rake,)) for rake in ("0.50", "0.60")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["new", "taken"]


# -- found by hands -------------------------------------------------------------------------------


def test_a_hand_is_dealt_judged_and_explained_by_a_published_schedule(
    raked: Raked, cli: CommandLine
) -> None:
    with open_room(raked.settings) as room:
        logs = [[decode(fact.state) for fact in room.store.load(hand)] for hand in raked.hands]
        assert {judge(log).verdict for log in logs} == {"clean"}
    taken = [fact for log in logs for fact in log if isinstance(fact, RakeTaken) and fact.total]
    assert {fact.total for fact in taken} == {20}, "three players: the row of two to four"
    assert taken[0].row == "All stakes, 2-4 players"
    answer = cli("verify", "--all", "--format", "json").json
    assert (answer["checked"], answer["clean"], answer["differences"]) == (6, 6, [])
    said = cli("rake", "explain", raked.hands[0]).said
    assert "Schedule house, version 1: row All stakes, 2-4 players" in said


def test_a_bundle_is_judged_by_the_schedules_it_brings_along(
    raked: Raked, cli: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "bundle.zip"
    cli("export", "bundle", "--view", "all", "--why", "test", "-o", path)
    assert ("house", 1) not in published()
    found = check_bundle(path)
    assert (found.clean, found.tampering, len(found.unchecked)) == (6, [], 1)
    assert "no verifier key" in found.unchecked[0]


def test_a_bundle_proves_that_the_room_published_what_it_is_judged_by(
    raked: Raked, cli: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "bundle.zip"
    cli("export", "bundle", raked.hands[0], "-o", path)
    told = lines(path, EVENTS)
    assert {line["form"]["event"]["type"] for line in told} >= {"schedule_published.v1"}
    named = json.loads(content(path, SCHEDULES))
    named[0]["bands"][0]["rows"][0]["steps"][0]["rake"] -= 1
    cheaper = in_file(SCHEDULES, lambda _: json.dumps(named).encode())
    found = check_bundle(rewritten(path, cheaper))
    assert "rake schedule house 1 is not the one that was published" in found.tampering
    of_hand = [one for one in told if one["form"]["event"]["type"] != "schedule_published.v1"]
    unproven = check_bundle(rewritten(path, in_file(EVENTS, lambda _: spelled(of_hand))))
    assert any("rake schedule house 1" in text for text in unproven.unchecked)


def test_what_if_takes_a_published_schedule_and_names_those_there_are(
    raked: Raked, cli: CommandLine
) -> None:
    hand = raked.hands[0]
    answer = cli("whatif", hand, "--schedule", "topspoker:1", "--format", "json").json
    assert answer["rake"]["played"] == 20
    said = cli("whatif", hand, "--schedule", "house:9", code=2).said
    assert "possible: house:1, topspoker:1" in said


# -- on the command line --------------------------------------------------------------------------


def test_schedules_are_listed_and_shown(cli: CommandLine) -> None:
    listed = cli("rake", "schedule", "list", "--format", "json").json["schedules"]
    assert [(one["id"], one["version"], one["built_in"]) for one in listed] == [
        ("house", 1, False),
        ("topspoker", 1, True),
    ]
    assert "house" in cli("rake", "schedule", "list").out
    steps = cli("rake", "schedule", "show", "house", "--format", "csv").csv
    assert [(step["players"], step["pot"], step["rake"]) for step in steps] == [
        ("2-4", "4.00", "0.20"),
        ("5-8", "4.00", "0.20"),
        ("5-8", "20.00", "0.75"),
    ]
    assert "$4.00 → $0.20, $20.00 → $0.75" in cli("rake", "schedule", "show", "house:1").said
    said = cli("rake", "schedule", "show", "house:7", code=5).said
    assert "no rake schedule 'house:7' is published; possible: house:1, topspoker:1" in said


def test_a_file_is_published_once_and_compared_with_what_is_published(
    cli: CommandLine, tmp_path: Path
) -> None:
    path = file(tmp_path, HOUSE)
    assert "house:1 was published before" in cli("rake", "schedule", "publish", path).said
    changed = file(tmp_path, HOUSE.replace("0.75", "0.80"))
    assert "never changes" in cli("rake", "schedule", "publish", changed, code=1).said
    found = cli("rake", "schedule", "diff", "house:1", changed, "--format", "json").json
    assert [one["place"] for one in found["differences"]] == [
        f"All stakes: {players} players" for players in (5, 6, 7, 8)
    ]
    assert found["differences"][0]["after"] == "$4.00 → $0.20, $20.00 → $0.80"
    broken = file(tmp_path, "id = 1")
    assert "$.id" in cli("rake", "schedule", "publish", broken, code=2).said
    cli("rake", "schedule", "publish", tmp_path / "none.toml", code=2)
