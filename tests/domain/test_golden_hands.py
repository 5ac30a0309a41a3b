"""Whole hands kept as pages: what was asked, what happened. A change of one is read, not waved on.

`STUDLEDGER_REWRITE_GOLDEN_HANDS=1` writes the pages anew; then read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from domain import events as e
from domain.verdict import judge
from tests.support.golden import commands_of, events_of, retold

HANDS = Path(__file__).parents[1] / "golden" / "hands"
PAGES = sorted(HANDS.glob("*.hand"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_golden_hand_is_told_as_it_always_was(page: Path) -> None:
    text = page.read_text("utf-8")
    told = retold(text)
    if os.environ.get("STUDLEDGER_REWRITE_GOLDEN_HANDS") == "1":
        page.write_text(told, "utf-8")
    assert told == page.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_golden_hand_is_judged_clean_and_says_what_it_shows(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text.startswith("# ")
    assert commands_of(text)
    verdict = judge(events_of(text))
    assert verdict.verdict == ("ruled" if verdict.hand.ruled else "clean")


def test_the_golden_hands_show_every_kind_of_event_a_dealt_hand_has() -> None:
    told = {type(event) for page in PAGES for event in events_of(page.read_text("utf-8"))}
    # A dealt hand shows every card, so nobody mucks.
    assert told == set(e.HandEvent.__args__) - {e.Mucked}
