"""Every row of `docs/cases.md` is pinned by tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "cases.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| (\d+) \|(.*)$", PAGE, re.MULTILINE))


def test_there_are_thirty_five_cases() -> None:
    assert list(map(int, ROWS)) == list(range(1, 36))


@pytest.mark.parametrize("row", ROWS)
def test_a_case_is_pinned_by_a_test(row: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", ROWS[row])
    assert named
    for path, test in named:
        assert f"def {test}(" in (ROOT / path).read_text("utf-8")
