"""Limits of the code, read from the code itself. They may only go down."""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 40
FOLDERS = ("domain", "projections", "services", "tests", "benchmarks", "docs", ".ci")
SOURCES = ("domain", "projections", "services", "tests", "benchmarks")
DOMAIN_MAY_IMPORT = {
    "__future__",
    "collections",
    "contextlib",
    "contextvars",
    "dataclasses",
    "datetime",
    "domain",
    "enum",
    "functools",
    "itertools",
    "math",
    "msgspec",
    "types",
    "typing",
    "uuid",
}


def files(*folders: str, suffix: str = "") -> list[Path]:
    """Files of the project, without caches; of all folders and the top level if none is named."""
    top = [] if folders else [path for path in ROOT.iterdir() if path.is_file()]
    inside = [path for folder in folders or FOLDERS for path in (ROOT / folder).rglob("*")]
    return sorted(
        path
        for path in top + inside
        if path.is_file()
        and path.name.endswith(suffix)
        and "__pycache__" not in path.parts
        and path.name not in {"uv.lock", ".git"}
    )


def python(*folders: str) -> list[Path]:
    return files(*folders, suffix=".py")


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """Every file is parsed once for all of these tests, and kept no longer than they take."""
    yield
    parsed.cache_clear()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level module of everything a file imports."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]


def calls(path: Path, name: str) -> Iterator[int]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            yield node.lineno


def test_the_scan_sees_the_project() -> None:
    seen = {str(path.relative_to(ROOT)) for path in files()}
    assert {"pyproject.toml", "domain/events.py", ".ci/run", "tests/test_house_style.py"} <= seen


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in python(*SOURCES)}
    assert not [at(path, n) for path, n in lengths.items() if n > MOST_LINES]


def test_no_function_is_longer_than_40_lines() -> None:
    long = [
        f"{at(path, node.lineno)} {node.name}"
        for path in python(*SOURCES)
        for node in functions(path)
        if not node.name.startswith("test_")
        if (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]
    assert not long


def test_the_domain_imports_a_named_handful_of_modules() -> None:
    found = [
        f"{at(path, line)} {module}"
        for path in python("domain")
        for line, module in imports(path)
        if module not in DOMAIN_MAY_IMPORT
    ]
    assert not found


def test_the_domain_asks_no_clock() -> None:
    asks = re.compile(r"\.(now|utcnow|today|uuid1|uuid4)\(")
    found = [
        at(path, number)
        for path in python("domain")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if asks.search(line)
    ]
    assert not found


def test_rules_and_projections_print_nothing() -> None:
    found = [at(p, line) for p in python("domain", "projections") for line in calls(p, "print")]
    assert not found


def test_the_rules_count_chips_in_integers_only() -> None:
    found = [
        at(path, node.lineno)
        for path in python("domain")
        for node in ast.walk(parsed(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Name) and node.id in {"float", "round"})
    ]
    assert not found


def test_every_switched_off_lint_rule_says_why() -> None:
    config = (ROOT / "pyproject.toml").read_text("utf-8")
    tables = tomllib.loads(config)["tool"]["ruff"]["lint"]
    per_file = [rule for rules in tables["per-file-ignores"].values() for rule in rules]
    for rule in [*tables["ignore"], *per_file]:
        lines = [line for line in config.splitlines() if f'"{rule}"' in line]
        assert any(re.search(r"#\s\S", line) for line in lines), rule


def comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_every_lint_rule_switched_off_in_place_is_named() -> None:
    allowed = re.compile(r"# (noqa: [A-Z]+[0-9]+|type: ignore\[[a-z-]+)")
    found = [
        at(path, line)
        for path in python(*SOURCES)
        for line, comment in comments(path)
        if re.match(r"#\s*(noqa|type:\s*ignore)", comment) and not allowed.match(comment)
    ]
    assert not found


UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|NotImplemented" r"Error")


def test_nothing_is_left_unfinished() -> None:
    found = [
        at(path, number)
        for path in python(*SOURCES)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    assert not found


SWITCHES = {"skip", "skipif", "xfail", "importorskip"}


def switched_off(path: Path) -> Iterator[tuple[int, bool]]:
    """Line of every `skip`, `skipif`, `xfail` or `importorskip`, and whether it says why."""
    module = parsed(path)
    call_of = {id(node.func): node for node in ast.walk(module) if isinstance(node, ast.Call)}
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and node.attr in SWITCHES:
            call = call_of.get(id(node))
            yield node.lineno, call is not None and says_why(node, call)


def says_why(switch: ast.Attribute, call: ast.Call) -> bool:
    return any(k.arg == "reason" for k in call.keywords) or (
        switch.attr == "skip" and bool(call.args)
    )


def test_no_test_is_switched_off_without_a_reason() -> None:
    found = [at(p, line) for p in python("tests") for line, why in switched_off(p) if not why]
    assert not found


PRIVATE = {
    "a path of somebody's machine": r"(?<![\w.])/(?:home|Users|work)/\w",
    "the address of a package registry": r"(?:pypi|pythonhosted|npmjs|ghcr|quay)\.(?:org|com|io)",
}


@pytest.mark.parametrize("what", PRIVATE)
def test_no_file_names(what: str) -> None:
    pattern = re.compile(PRIVATE[what])
    found = [
        at(path, number)
        for path in files()
        if path != Path(__file__).resolve()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found
