"""Faults made on purpose in clean hands are told of, and clean hands have none."""

from __future__ import annotations

import typing
from collections.abc import Iterator

import pytest

from domain import events as e
from domain.house_rules import ALL_GAMES, PRESETS
from domain.rederiving import first_difference
from domain.verdict import judge
from tests.support.hand_texts import needs_corpus
from tests.support.mutating.clean import Clean, dealt_hands, real_hands
from tests.support.mutating.explained import EXPLAINED
from tests.support.mutating.facts import every_change
from tests.support.mutating.fields import UNCHANGED
from tests.support.mutating.page import PAGE, rates
from tests.support.mutating.rates import FAULTS, Counts, change_counts, fault_counts, unexplained

SAMPLE = 23
"""One fault in so many, of every kind and every hand; a prime, to fall on all fields."""


@pytest.fixture(scope="module")
def dealt() -> list[Clean]:
    return list(dealt_hands())


@pytest.fixture(scope="module")
def real() -> list[Clean]:
    return list(real_hands())


def missed(counts: Counts) -> dict[str, int]:
    return {fault: count["missed"] for fault, count in counts.items() if count["missed"]}


def not_named(counts: Counts) -> dict[str, int]:
    """Faults that are told of, by no rule that is theirs."""
    return {
        fault: count["made"]
        for fault, count in counts.items()
        if count["named"] < count["made"] - count["rejected"]
    }


def test_no_dealt_hand_has_a_finding(dealt: list[Clean]) -> None:
    assert [hand.name for hand in dealt if judge(hand.events).verdict != "clean"] == []


def test_deciding_a_dealt_hand_again_gives_the_same_facts(dealt: list[Clean]) -> None:
    differ = [hand.name for hand in dealt if first_difference(hand.events) is not None]
    assert differ == []


def test_the_dealt_hands_are_of_every_game_at_every_presets_table(dealt: list[Clean]) -> None:
    played = {(h.end.started.house_rules.name, h.end.started.game) for h in dealt}
    assert {(preset, game) for preset in PRESETS for game in ALL_GAMES} <= played


@needs_corpus
def test_no_real_hand_has_a_finding(real: list[Clean]) -> None:
    assert [hand.name for hand in real if judge(hand.events).findings] == []


def test_every_kind_of_fault_is_made_and_named_by_a_rule_of_its_own(dealt: list[Clean]) -> None:
    counts = fault_counts(dealt, SAMPLE)
    assert [fault for fault, count in counts.items() if not count["named"]] == []
    assert missed(counts) == {}
    assert not_named(counts) == {}


@needs_corpus
def test_faults_made_in_real_hands_are_named_too(real: list[Clean]) -> None:
    counts = fault_counts(real, SAMPLE)
    assert missed(counts) == {}
    assert not_named(counts) == {}


def test_a_changed_fact_is_told_of_or_it_is_said_why_not(dealt: list[Clean]) -> None:
    assert unexplained(change_counts(dealt, SAMPLE)) == {}


@needs_corpus
def test_a_changed_fact_of_a_real_hand_is_told_of_too(real: list[Clean]) -> None:
    assert unexplained(change_counts(real, SAMPLE)) == {}


def test_the_page_has_the_rate_of_every_fault_and_it_is_all_of_them() -> None:
    page = rates(PAGE.read_text("utf-8"))
    assert list(page) == [fault.name for fault in FAULTS]
    assert {cells[3] for cells in page.values()} == {"100 %"}
    assert {cells[4] for cells in page.values()} == {"100 %"}


def test_everything_the_page_explains_is_said_of_a_change_there_is(dealt: list[Clean]) -> None:
    text = PAGE.read_text("utf-8")
    assert [change for change in EXPLAINED if f"`{change}`" not in text] == []


def fields_of(kind: type[typing.Any]) -> Iterator[str]:
    name = str(kind.__struct_config__.tag).removesuffix(".v1")
    yield from (f"{name}.{field}" for field in kind.__struct_fields__ if field not in UNCHANGED)


NEVER_IN_A_CLEAN_HAND = {
    "hand_voided.moves", "hand_voided.rake", "hand_voided.reason", "hand_voided.ruling",
    "award_corrected.moves", "award_corrected.rake", "award_corrected.reason",
    "award_corrected.ruling", "clock_paused.reason", "clock_resumed.reason",
    "community_card_dealt.position", "incident_noted.kind", "incident_noted.text",
    "player_disconnected.seat", "player_reconnected.seat", "mucked.seat",
}  # fmt: skip
"""Rulings, evidence and what only records have; the rest of this file is about play."""


def test_every_field_of_every_fact_is_changed(dealt: list[Clean]) -> None:
    done = {mutant.kind.split()[0] for hand in dealt for mutant in every_change(hand)}
    kinds = typing.get_args(e.HandEvent)
    left = {
        field
        for kind in kinds
        for field in fields_of(kind)
        if not any(path == field or path.startswith(f"{field}.") for path in done)
    }
    assert left <= NEVER_IN_A_CLEAN_HAND


@pytest.mark.slow
def test_all_faults_are_named_in_all_hands(dealt: list[Clean], real: list[Clean]) -> None:
    for hands in (dealt, real):
        counts = fault_counts(hands)
        assert missed(counts) == {}
        assert not_named(counts) == {}


@pytest.mark.slow
def test_all_changes_are_told_of_in_all_hands(dealt: list[Clean], real: list[Clean]) -> None:
    assert unexplained(change_counts(dealt), change_counts(real)) == {}
