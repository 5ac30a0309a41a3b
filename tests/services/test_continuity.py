"""Stacks go on from hand to hand: `verify` finds who sits down with less than he had (B6)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import CommandLine
from tests.support.hand_texts import CORPUS, HEADER, STUD, changed, needs_corpus

Verified = Callable[[str], dict[str, Any]]

NEXT = "PokerStars Hand #7002: 7 Card Stud Limit ($1/$2 USD) - 2024/03/01 18:33:00 ET"
AS_LEFT = {"anna": "26.10", "bert": "19.40", "cleo": "13.90"}
"""What hand 7001 leaves everybody."""


def second(header: str = NEXT, **stacks: str) -> str:
    """The next hand of the table; everybody brings what he was left, or as `stacks` says."""
    text = changed(STUD, (HEADER, header))
    for name, stack in (AS_LEFT | stacks).items():
        text = changed(text, (f"{name} ($20 in chips)\n", f"{name} (${stack} in chips)\n"))
    return text


@pytest.fixture
def verified(studledger: CommandLine, tmp_path: Path) -> Verified:
    """Imports hand 7001 and another one and answers what `verify` says."""

    def after(text: str) -> dict[str, Any]:
        file = tmp_path / "hands.txt"
        file.write_text(f"{STUD}\n\n{text}", "utf-8")
        studledger("import", file)
        answer: dict[str, Any] = studledger("verify", "--all", "--format", "json").json
        return answer

    return after


def test_stacks_that_go_on_are_no_finding(verified: Verified) -> None:
    answer = verified(second())
    assert answer["findings"] == []
    assert answer["clean"] + answer["clean_as_visible"] == answer["checked"] == 2


def test_less_than_the_hand_before_left_is_a_finding(verified: Verified) -> None:
    answer = verified(second(cleo="13.40"))
    [found] = answer["findings"]
    assert (found["number"], found["step"], found["rule"]) == ("7002", 1, "B6")
    assert (found["expected"], found["recorded"]) == ("at least $13.90", "$13.40")
    assert found["text"] == (
        "Seat 4 begins with $13.40; the hand before, 7001, left the same player $13.90."
    )
    assert answer["clean"] + answer["clean_as_visible"] == 1
    assert answer["differences"] == []


def test_more_may_have_been_bought(verified: Verified) -> None:
    assert verified(second(cleo="20"))["findings"] == []


def test_a_quarter_of_an_hour_later_other_games_may_have_been_played(verified: Verified) -> None:
    later = NEXT.replace("18:33:00", "18:45:00")
    assert verified(second(later, cleo="13.40"))["findings"] == []


@pytest.mark.parametrize(("disc", "findings"), [(2, 1), (4, 0)])
def test_where_the_disc_went_on_by_one_seat_nothing_lies_between(
    studledger: CommandLine, tmp_path: Path, disc: int, findings: int
) -> None:
    table = "Table 'Aquila' 8-max"
    first = changed(STUD, (table, f"{table} Seat #1 is the button"))
    later = second(NEXT.replace("18:33:00", "18:45:00"), cleo="13.40")
    file = tmp_path / "hands.txt"
    file.write_text(f"{first}\n\n{changed(later, (table, f'{table} Seat #{disc} is the button'))}")
    studledger("import", file)
    answer = studledger("verify", "--all", "--format", "json").json
    assert len([one for one in answer["findings"] if one["rule"] == "B6"]) == findings


def test_another_table_is_another_stack(verified: Verified) -> None:
    elsewhere = second(cleo="13.40").replace("Table 'Aquila'", "Table 'Lyra'")
    assert verified(elsewhere)["findings"] == []


@needs_corpus
def test_no_stack_of_a_real_hand_is_broken(studledger: CommandLine) -> None:
    studledger("import", *(folder for folder in sorted(CORPUS.iterdir()) if folder.is_dir()))
    found = studledger("verify", "--all", "--format", "json").json["findings"]
    assert [one["number"] for one in found if one["rule"] == "B6"] == []
