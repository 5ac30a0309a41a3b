"""The verdict on a finished hand, and what the rules object to."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from domain import events as e
from domain.verdict import RULES_VERSION, judge
from projections.findings import FINDINGS, FindingRow, VerdictRow
from services.demo.hands import table_hands
from tests.support.told_hands import (
    TOLD,
    odd_chip_hand,
    quiet_hand,
    side_pot_hand,
    table_rows,
    void,
)


def told(*facts: e.HandEvent) -> tuple[Any, list[Any]]:
    """The verdict and the findings of a hand that is over."""
    verdict, *findings = table_rows(FINDINGS, facts)
    return verdict, findings


def test_a_hand_dealt_by_the_rules_is_clean() -> None:
    (hand,) = islice(table_hands(1), 1)
    assert table_rows(FINDINGS, hand.events) == [
        VerdictRow(
            hand=TOLD.stream,
            verdict="clean",
            findings=0,
            steps=len(hand.events),
            rules_version=str(RULES_VERSION),
        )
    ]


def test_every_objection_is_a_row_in_the_order_of_the_judgement() -> None:
    verdict, findings = told(*odd_chip_hand())
    judged = judge(odd_chip_hand())
    assert judged.findings
    assert (verdict.verdict, verdict.findings) == ("findings", len(judged.findings))
    assert findings == [
        FindingRow(
            hand=TOLD.stream,
            line=line,
            step=found.step,
            rule=found.rule,
            expected=found.expected,
            recorded=found.recorded,
            text=found.text,
            rules_version=str(RULES_VERSION),
        )
        for line, found in enumerate(judged.findings, start=1)
    ]


@pytest.mark.parametrize("step", range(1, len(side_pot_hand())))
def test_a_hand_still_in_play_is_not_judged(step: int) -> None:
    assert table_rows(FINDINGS, side_pot_hand()[:step]) == []


def test_a_hand_is_judged_once_it_is_completed_or_void() -> None:
    assert table_rows(FINDINGS, quiet_hand()) == []
    assert told(*quiet_hand(), e.HandCompleted(stacks=()))[0].steps == 19
    assert told(*quiet_hand(), void({1: 550, 2: 300}))[0].steps == 19


def test_what_is_noted_after_the_end_is_judged_with_the_rest() -> None:
    noted = e.IncidentNoted(kind="conflict", text="told differently elsewhere")
    before, after = told(*side_pot_hand()), told(*side_pot_hand(), noted)
    assert after[0].steps == before[0].steps + 1
    assert after[1] == before[1]
