"""The page of rules says what the code does: every id, policy, preset, function and test on it."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.house_rules import PRESETS, Clock, HouseRules
from domain.schedules import TOPSPOKER_CHART
from tests.support.rule_ids import RULE_IDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rulebook.md").read_text("utf-8")
TESTS = ROOT / "tests" / "domain"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ")
]
RULES = {row[0]: row for row in ROWS if len(row) == 6 and row[0] in RULE_IDS}
POLICIES = {field.name for field in msgspec.structs.fields(HouseRules)} - {"name", "version"}


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def resolve(name: str) -> Any:
    """What `rules.pots.build_pots` names below `domain`."""
    module, attribute = f"domain.{name}".rsplit(".", 1)
    return getattr(importlib.import_module(module), attribute)


def test_every_rule_has_one_row() -> None:
    assert [row[0] for row in ROWS if len(row) == 6 and row[0] in RULE_IDS] == list(RULES)
    assert set(RULES) == RULE_IDS


@pytest.mark.parametrize("rule", sorted(RULE_IDS))
def test_a_rule_names_its_source_its_code_and_its_tests(rule: str) -> None:
    _, text, source, policy, code, tests = RULES[rule]
    assert text.endswith(".")
    assert source
    assert set(quoted(policy)) <= POLICIES
    assert [resolve(name) for name in quoted(code)]
    for name in quoted(tests):
        written = (TESTS / f"{name}.py").read_text("utf-8")
        assert f"def test_{rule.lower()}_" in written
    assert quoted(tests)


# -- what is objected to -------------------------------------------------------------------------

CHECKS = {quoted(row[0])[0]: row for row in ROWS if len(row) == 4 and quoted(row[0])}
OBJECTING = ("domain.check", "domain.rules.objections", "domain.rules.award_faults")
"""Modules whose functions name the rule of a finding; others do so where they say `why_no…`."""


def checks_of_the_code() -> Iterator[str]:
    """Every function below `domain.check` that another module may call to check a fact."""
    for path in sorted((ROOT / "domain" / "check").glob("*.py")):
        module = "check" if path.stem == "__init__" else f"check.{path.stem}"
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("check"):
                yield f"{module}.{node.name}"


def cited(module: str, function: str, done: set[tuple[str, str]]) -> set[str]:
    """The rules a function names, itself or by the functions it calls that object to something."""
    if (module, function) in done:
        return set()
    done.add((module, function))
    file = importlib.import_module(module).__file__
    assert file is not None
    tree = ast.parse(Path(file).read_text("utf-8"))
    places = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        if node.module.startswith(OBJECTING) or alias.name.startswith("why_no")
    } | {node.name: module for node in tree.body if isinstance(node, ast.FunctionDef)}
    # What is no function, such as a struct that is made, cites nothing by itself.
    nodes = [
        node
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and one.name == function
        for node in ast.walk(one)
    ]
    names = {node.id for node in nodes if isinstance(node, ast.Name)} & places.keys()
    words = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {str(word) for word in words & RULE_IDS}.union(
        *(cited(places[name], name, done) for name in names)
    )


def test_the_page_of_findings_has_every_rule_a_check_cites_and_no_other() -> None:
    findings = (ROOT / "docs" / "findings.md").read_text("utf-8").partition("## ")[0]
    rows = [line.split("|") for line in findings.splitlines() if line.startswith("| ")]
    assert {rule for row in rows[1:] for rule in row[2].split()} == {
        rule for row in CHECKS.values() for rule in row[2].split()
    }


def test_every_check_has_a_row() -> None:
    assert sorted({*CHECKS} - {"rules.objections.object_to_awards"}) == sorted(checks_of_the_code())


@pytest.mark.parametrize("check", sorted(CHECKS))
def test_a_check_names_its_rules_and_the_tests_that_pin_it(check: str) -> None:
    _, text, rules, tests = CHECKS[check]
    assert text
    assert callable(resolve(check))
    assert set(rules.split()) <= RULE_IDS
    module, function = f"domain.{check}".rsplit(".", 1)
    assert cited(module, function, set()) <= set(rules.split())
    for name in quoted(tests):
        file, _, test = name.rpartition("::")
        assert f"def {test}(" in (TESTS / f"{file}.py").read_text("utf-8")
    assert quoted(tests)


def test_every_file_and_function_the_page_names_exists() -> None:
    for name in quoted(PAGE):
        if name.startswith("tests/"):
            assert [*ROOT.glob(name)] or [*ROOT.glob(f"{name}.py")], name
        elif re.fullmatch(r"services(\.\w+)+", name):
            module, attribute = name.rsplit(".", 1)
            assert getattr(importlib.import_module(module), attribute)
        elif re.fullmatch(r"[a-z]\w*(\.\w+)+", name):
            assert resolve(name)


def test_the_page_counts_the_golden_hands() -> None:
    (number,) = re.findall(r"(\w+) whole hands are", PAGE)
    assert number == "Thirteen"
    assert len([*(ROOT / "tests" / "golden" / "hands").glob("*.hand")]) == 13


# -- policies and presets ------------------------------------------------------------------------


def test_every_policy_decides_something_in_a_rule() -> None:
    assert {policy for row in RULES.values() for policy in quoted(row[3])} == POLICIES


def in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Clock):
        return f"{value.turn}+{value.countdown}+{value.disconnected}"
    if isinstance(value, tuple):
        return ", ".join(value)
    return "none" if value is None else str(value)


def test_the_table_of_presets_is_what_the_presets_are() -> None:
    (heading,) = [row for row in ROWS if row[0] == "policy" and len(row) == len(PRESETS) + 1]
    names = [quoted(cell)[0] for cell in heading[1:]]
    assert sorted(names) == sorted(PRESETS)
    table = {
        quoted(row[0])[0]: row[1:] for row in ROWS if len(row) == len(heading) and quoted(row[0])
    }
    assert set(table) == POLICIES
    for policy, cells in table.items():
        assert cells == [in_words(getattr(PRESETS[name], policy)) for name in names], policy


def test_every_policy_is_told_in_a_line_of_its_own() -> None:
    told = re.findall(r"^- (.+?):", PAGE, re.MULTILINE)
    assert {name for line in told for name in quoted(line)} == POLICIES


def test_the_chart_is_the_schedule() -> None:
    printed = [
        [tuple(step.split(": ")) for step in row[2].split(" · ")]
        for row in ROWS
        if len(row) == 3 and re.match(r"\d+ to \d+$", row[1])
    ]
    steps = [
        [(f"{step.pot // 100}", f"{step.rake // 100}.{step.rake % 100:02}") for step in row.steps]
        for band in TOPSPOKER_CHART.bands
        for row in band.rows
    ]
    assert printed == steps


def test_every_pinned_case_exists() -> None:
    written = (TESTS / "test_cases.py").read_text("utf-8")
    pinned = [row for row in ROWS if len(row) == 3 and row[2].startswith("`test_case_")]
    assert len(pinned) > 25
    for number, _, test in pinned:
        (name,) = quoted(test)
        assert name.startswith(f"test_case_{number}_")
        assert f"def {name}(" in written


def test_no_test_cites_a_rule_or_example_the_book_does_not_have() -> None:
    names = [
        name
        for path in TESTS.glob("test_*.py")
        for name in re.findall(r"^def test_([gsbcprd]\d+)_", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert {name.upper() for name in names} == RULE_IDS
    examples = (TESTS / "test_worked_examples.py").read_text("utf-8")
    found = {
        int(number)
        for name in re.findall(r"def test_examples?_((?:\d+_(?:and_)?)+)", examples)
        for number in re.findall(r"\d+", name)
    }
    assert found >= set(range(1, 25))
