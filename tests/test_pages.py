"""Pages lead somewhere and leave nothing out: links, the index, the page of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from services.cli import exits
from services.cli.main import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
EVERYWHERE = {"--help", "-h", "--format"}
"""Options that every command has; the page describes them once."""


def commands(group: Any, typed: str) -> Iterator[tuple[str, Any]]:
    """Every command below a group, as it is typed."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{typed} {name}")
        else:
            yield f"{typed} {name}", command


COMMANDS = dict(commands(typer.main.get_command(app), "studledger"))


def described(command: str) -> str:
    """What the pages say of a command: its section, or every page that names it."""
    page = (DOCS / "cli.md").read_text("utf-8")
    _, found, below = page.partition(f"\n### {command}\n")
    if found:
        return re.split(r"^##", below, maxsplit=1, flags=re.MULTILINE)[0]
    texts = [path.read_text("utf-8") for path in PAGES]
    return "\n".join(text for text in texts if command in text)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_described(command: str) -> None:
    text = described(command)
    assert text, f"no page says what `{command}` does; docs/cli.md is the place"
    for parameter in COMMANDS[command].params:
        names = set(parameter.opts) if parameter.param_type_name == "option" else set()
        for name in names - EVERYWHERE:
            assert f"`{name}" in text, f"{command} {name}"


def test_the_page_of_the_command_line_knows_no_other_command() -> None:
    page = (DOCS / "cli.md").read_text("utf-8")
    sections = set(re.findall(r"^### (studledger .*)$", page, re.MULTILINE))
    assert sections <= set(COMMANDS)


def test_every_exit_code_is_described() -> None:
    page = (DOCS / "cli.md").read_text("utf-8")
    codes = {value for name, value in vars(exits).items() if name.isupper()}
    assert {int(code) for code in re.findall(r"^\| (\d) \|", page, re.MULTILINE)} == codes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


def test_the_index_lists_every_page() -> None:
    index = DOCS / "README.md"
    linked = {(DOCS / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    pages = {page.resolve() for page in DOCS.glob("*.md")} - {index.resolve()}
    assert pages | {(DOCS / "adr").resolve()} <= linked
