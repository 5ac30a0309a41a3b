"""The operator's own figures beside ours: each thing that differs is named, with its reason."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain import events as e
from services.embedded import Server
from services.projecting import projector_of
from services.reports.reconciling import MOST_UNREADABLE
from services.settings import Settings
from services.store.room import open_room
from tests.support.cli import CommandLine
from tests.support.projected import tell
from tests.support.told_hands import PLAYED_AT, correction, odd_chip_hand, side_pot_hand, void

RECONCILE = ("rake", "reconcile")
RIGHT = (
    ("A", "2.00", "53.24", "USD"),
    ("B", "0", "10.01", "USD"),
    ("C", "1.90", "53.24", "USD"),
    ("D", "0.00", "53.24", "USD"),
    ("E", "2.00", "53.24", "EUR"),
)


class Books:
    """A room with five hands for real money, and their ids by number."""

    def __init__(self, settings: Settings, hands: dict[str, UUID]) -> None:
        self.settings, self.hands = settings, hands


def told(events: tuple[e.HandEvent, ...], number: str, **other: Any) -> tuple[e.HandEvent, ...]:
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    return (replace(started, number=number, **other), *rest)


@pytest.fixture(scope="module")
def books(server: Server) -> Iterator[Books]:
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="reconciled")
    back = void({1: 729, 2: -577, 3: -253, 4: 301}, rake=-200)
    euros = e.Money(kind="real", currency="EUR", exponent=2)
    play = e.Money(kind="play", currency="chips", exponent=2)
    with open_room(settings) as room:
        hands = {
            "A": told(side_pot_hand(), "A"),
            "B": told(odd_chip_hand(), "B"),
            "C": told((*side_pot_hand(), correction({1: 10}, rake=-10)), "C"),
            "D": told((*side_pot_hand(), back), "D"),
            "E": told(side_pot_hand(), "E", money=euros),
            "open": told(side_pot_hand()[:8], "open", played_at=PLAYED_AT + timedelta(days=9)),
            "play": told(odd_chip_hand(), "play", money=play),
        }
        ids = {number: tell(room, events) for number, events in hands.items()}
        for site in ("one", "other"):
            later = PLAYED_AT + timedelta(days=5)
            tell(room, told(side_pot_hand(), "twice", site=site, played_at=later))
        projector_of(room).catch_up()
    yield Books(settings, ids)


@pytest.fixture
def cli(
    books: Books, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(books.settings, monkeypatch, capsys)


@pytest.fixture
def differing(cli: CommandLine, tmp_path: Path) -> Any:
    """What differs between a file of these lines and the books; nothing if the exit code is 0."""

    def compare(
        lines: Sequence[Sequence[str]],
        *options: str,
        columns: Sequence[str] = ("number", "rake", "pot", "currency"),
    ) -> list[dict[str, Any]]:
        path = tmp_path / "operator.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([columns, *lines])
        answer = cli(*RECONCILE, path, *options, "--format", "json", code=None)
        found: list[dict[str, Any]] = answer.json["differences"]
        assert answer.code == (3 if found else 0)
        assert answer.json["lines"] == len(lines)
        assert sum(answer.json["found"].values()) == len(found)
        return found

    return compare


def kinds(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(one["kind"], one["line"], one["number"]) for one in found]


def test_books_that_say_the_same_agree(differing: Any) -> None:
    assert differing(RIGHT) == []


def test_the_rake_of_a_hand_differs_and_ours_says_by_what_it_was_taken(differing: Any) -> None:
    [first, second, third] = differing(
        [
            ("A", "2.5", "53.24", "USD"),
            RIGHT[1],
            ("C", "2.00", "53.24", "USD"),
            ("D", "2.00", "53.24", "USD"),
            RIGHT[4],
        ]
    )
    assert (first["kind"], first["line"], first["ours"], first["theirs"]) == (
        "rake_differs", 2, "2.00", "2.5",
    )  # fmt: skip
    assert "ours" in first["why"]
    assert second["line"] == 4
    assert second["why"].endswith("changed by a ruling since: theirs is what it was before")
    assert third["why"] == "a ruling voided the hand, so no rake is left"


def test_pot_and_currency_differ(differing: Any) -> None:
    found = differing([("A", "1.00", "53.25", "USD"), *RIGHT[1:4], ("E", "2.00", "53.24", "USD")])
    assert kinds(found) == [
        ("pot_differs", 2, "A"),
        ("rake_differs", 2, "A"),
        ("currency_differs", 6, "E"),
    ]
    assert (found[0]["ours"], found[0]["theirs"]) == ("53.24", "53.25")
    [less] = differing([("A", "2.00", "51.24", "USD"), *RIGHT[1:]])
    assert less["why"] == "theirs is the pot without the rake"
    assert (found[2]["ours"], found[2]["theirs"]) == ("EUR", "USD")


def test_a_sign_says_the_currency_where_the_line_does_not(differing: Any) -> None:
    [found] = differing([("A", "€2.00", "53.24", ""), *RIGHT[1:]])
    assert (found["kind"], found["ours"], found["theirs"]) == ("currency_differs", "USD", "EUR")


def test_a_hand_is_missing_here_or_there_on_the_days_the_file_speaks_of(differing: Any) -> None:
    found = differing([*RIGHT[:1], *RIGHT[2:], ("Z", "1", "", "")])
    assert kinds(found) == [("missing_here", 6, "Z"), ("missing_there", None, "B")]


def test_other_days_are_looked_at_where_they_are_named(differing: Any) -> None:
    day = str(PLAYED_AT.date() + timedelta(days=5))
    found = differing(RIGHT, "--from", day, "--to", day)
    assert kinds(found) == [("missing_there", None, "twice")] * 2


def test_a_hand_told_twice_counts_once(differing: Any, books: Books) -> None:
    found = differing([*RIGHT, RIGHT[0], ("Z", "1", "", ""), ("Z", "1", "", "")])
    assert kinds(found) == [
        ("duplicate_line", 7, "A"),
        ("missing_here", 8, "Z"),
        ("duplicate_line", 9, "Z"),
    ]
    assert found[0]["why"] == "the hand is on line 2 already"


def test_a_number_of_several_hands_needs_the_site(differing: Any) -> None:
    columns = ("number", "site", "rake")
    right = [(number, "", rake) for number, rake, _, _ in RIGHT]
    days = ("--from", str(PLAYED_AT.date()), "--to", str(PLAYED_AT.date()))
    assert kinds(differing([*right, ("twice", "", "2")], *days, columns=columns)) == [
        ("ambiguous", 7, "twice")
    ]
    assert differing([*right, ("twice", "one", "2")], *days, columns=columns) == []


def test_a_hand_may_be_named_by_its_id(differing: Any, books: Books) -> None:
    lines = [(str(books.hands[number]), rake) for number, rake, _, _ in RIGHT]
    assert differing(lines, columns=("hand", "rake")) == []


def test_hands_that_bear_no_rake_here_are_named(differing: Any) -> None:
    days = ("--from", str(PLAYED_AT.date()), "--to", str(PLAYED_AT.date()))
    found = differing([*RIGHT, ("open", "0", "", ""), ("play", "0", "", "")], *days)
    assert [(one["kind"], one["why"]) for one in found] == [
        ("not_raked_here", "the hand goes on here and bears no rake"),
        ("not_raked_here", "the hand is for play money here and bears no rake"),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (("F", "two", "", ""), "an amount is a figure such as 1.50"),
        (("F", "1,5", "", ""), "an amount is a figure such as 1.50"),
        (("F", "NaN", "", ""), "an amount is a figure such as 1.50"),
        (("F", "١", "", ""), "an amount is a figure such as 1.50"),
        (("F", "", "", ""), "it says no rake"),
        (("F", "$1", "€9", ""), "its amounts are of several currencies"),
        (("F", "$1", "9", "EUR"), "its amounts are of several currencies"),
        (("", "1", "", ""), "it names no hand"),
        (("F", "1"), "it has 2 cells, the first line 4"),
        (("F\x00", "1", "", ""), "a cell holds a zero character"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_by_its_number(
    differing: Any, line: tuple[str, ...], why: str
) -> None:
    found = differing([RIGHT[0], line, *RIGHT[1:]])
    assert [(one["kind"], one["line"], one["why"]) for one in found] == [
        ("unreadable_line", 3, why)
    ]


def test_the_forms_tell_the_same(cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "operator.csv"
    path.write_text("\ufeffRake,Number,note\n$2.00,A,x\n\n1.00,Z,x\n", encoding="utf-8")
    rows = cli(*RECONCILE, path, "--format", "csv", code=3).csv
    assert (rows[0]["kind"], rows[0]["line"]) == ("missing_here", "4")
    assert [row["kind"] for row in rows[1:]] == ["missing_there"] * 3
    assert len(cli(*RECONCILE, path, "--format", "jsonl", code=3).lines) == len(rows)
    said = cli(*RECONCILE, path, code=3).said
    assert "missing here: line 4, hand Z: no hand of this room has this id or number" in said
    assert "2 lines compared with 1 hand: 4 differences." in said


@pytest.mark.parametrize("text", ["", "number,pot\nA,1\n", "rake\n1\n", '"rake'])
def test_a_file_that_says_nothing_about_hands_is_told_what_it_needs(
    cli: CommandLine, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "operator.csv"
    path.write_text(text)
    said = cli(*RECONCILE, path, code=2).said
    assert "first line" in said
    cli(*RECONCILE, tmp_path / "none.csv", code=2)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_cells_are_parted_as_in_the_first_line(
    cli: CommandLine, tmp_path: Path, separator: str
) -> None:
    path = tmp_path / "operator.csv"
    lines = [("number", "rake", "pot", "currency"), *RIGHT]
    path.write_text("\n".join(map(separator.join, lines)).replace("USD", "usd"))
    assert cli(*RECONCILE, path, "--format", "json").json["compared"] == len(RIGHT)


def test_a_currency_in_small_letters_is_the_same_and_told_as_a_code(differing: Any) -> None:
    [found] = differing([*RIGHT[:4], ("E", "2.00", "53.24", "usd")])
    assert (found["kind"], found["ours"], found["theirs"]) == ("currency_differs", "EUR", "USD")


def test_of_very_many_lines_that_cannot_be_read_the_number_is_told(
    cli: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "operator.csv"
    path.write_text("number,rake\n" + "A,two\n" * (MOST_UNREADABLE + 7))
    told = cli(*RECONCILE, path, "--format", "json", code=3).json
    assert told["found"] == {"unreadable_line": MOST_UNREADABLE + 7}
    assert len(told["differences"]) == MOST_UNREADABLE + 1
    why = "from here on 7 lines cannot be read; this one: an amount is a figure such as 1.50"
    assert (told["differences"][-1]["line"], told["differences"][-1]["why"]) == (1_002, why)
