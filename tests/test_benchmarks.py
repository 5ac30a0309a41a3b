"""Every benchmark runs, at its smallest, and says what it found in the form the page describes.

How fast anything is, no test says: that depends on who else uses the machine.
"""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from benchmarks import __main__ as program
from benchmarks import places
from benchmarks.catalogue import BENCHMARKS, run
from benchmarks.measuring import Pairs, in_pairs
from benchmarks.phh import last_state, twins
from benchmarks.synthetic_hands import Ledger, fill
from domain.events import decode
from domain.verdict import judge
from services.diagnosis import OPEN_POTS, UNBALANCED
from services.embedded import Server
from services.reports.rake_sums import sums_that_differ
from services.store.room import Room

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


SERVED = {"http", "memory", "pages", "paced", "replay"}
"""They start programs of their own, which takes longer than all others together."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SERVED)) for name in BENCHMARKS],
)
def test_every_benchmark_runs_and_reports(
    name: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "HOME", server.home)
    report = run(name, "tiny")
    assert report.ratio > 0
    assert report.numbers["reach"]
    assert {"system", "cores", "load"} <= report.machine.keys()
    assert {"python", "msgspec", "psycopg"} <= report.versions.keys()


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_is_on_the_page(name: str) -> None:
    assert f"| `{name}` |" in PAGE.read_text("utf-8")


def test_reports_are_printed_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "SMALL", "tiny")
    assert program.main(["judging", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.keys() == {"judging"}
    assert told["judging"].keys() == {"ratio", "numbers", "machine", "versions"}


def test_an_unknown_benchmark_gets_an_answer_that_lists_what_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        program.main(["speed"])
    assert ", ".join(BENCHMARKS) in capsys.readouterr().err


def test_a_measurement_too_large_for_the_disk_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(places.NoSpace, match="are free"):
        places.require_free(tmp_path, 10**12)


@pytest.mark.parametrize("seated", [True, False])
def test_synthetic_hands_have_the_books_and_sums_the_program_would_write(
    room: Room, seated: bool
) -> None:
    with psycopg.connect(room.database.owner, autocommit=True) as owner:
        owner.execute(SQL("set search_path = {}").format(Identifier(room.settings.room)))
        fill(owner, Ledger(200, 5, 2, 8, seats=4, seated=seated))
        unbalanced = owner.execute(UNBALANCED).fetchone()
        open_pots = owner.execute(OPEN_POTS).fetchone()
        postings = owner.execute("select count(*) from rake_ledger").fetchone()
    assert (unbalanced, open_pots, postings) == ((0,), (0,), (200 * 12,))
    wrong = sums_that_differ(room.connect) or ()
    by_seats = {"rake_player_days", "rake_player_months", "rake_player_shares"}
    assert set(wrong) <= (set() if seated else by_seats)


def test_a_scratch_directory_is_gone_afterwards() -> None:
    with places.scratch() as home:
        assert home.exists()
    assert not home.exists()


def test_both_sides_take_turns_in_going_first() -> None:
    turns: list[str] = []
    in_pairs(3, lambda: turns.append("ours"), lambda: turns.append("theirs"))
    assert turns == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    pairs = Pairs(ours=(1.0, 2.0, 1.0), theirs=(3.0, 2.0, 8.0))
    assert pairs.faster == 3.0
    assert (pairs.numbers["lowest ratio"], pairs.numbers["highest ratio"]) == (1.0, 8.0)


def test_a_hand_ends_alike_on_both_sides_of_the_judging_benchmark() -> None:
    for twin in twins(4):
        verdict = judge([decode(state) for state in twin.states])
        assert verdict.verdict == "clean"
        ended = sum(player.stack for player in verdict.hand.seats)
        assert ended + verdict.hand.rake == sum(last_state(twin.text).stacks)
