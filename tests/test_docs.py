"""What the program can do is what the pages describe: events, commands, policies, the CLI."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest
import typer

from domain import errors
from domain.commands import HandCommand
from domain.disputes.adjustments import AdjustmentPosted
from domain.disputes.commands import CaseCommand
from domain.disputes.events import CaseEvent
from domain.events import HandEvent
from domain.house_rules import HouseRules
from domain.tables.commands import TableCommand
from domain.tables.events import TableEvent
from services.cli.main import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def pages() -> str:
    """README and all pages of `docs/`, one text."""
    return "\n".join(p.read_text("utf-8") for p in [ROOT / "README.md", *DOCS.rglob("*.md")])


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def sections(page: str = "events.md") -> dict[str, str]:
    """`### called.v1` and what stands below it, by tag."""
    parts = re.split(r"^### ", (DOCS / page).read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {title.strip(): body for title, _, body in (part.partition("\n") for part in parts)}


def rows(page: str) -> dict[str, str]:
    """Table rows that begin with one word in backticks, by that word."""
    text = (DOCS / page).read_text("utf-8")
    return {row[1]: row[0] for row in re.finditer(r"^\| `(\w+)` \|.*$", text, re.MULTILINE)}


EVENTS = {tag(kind): kind for kind in typing.get_args(HandEvent)}
COMMANDS = {tag(kind): kind for kind in typing.get_args(HandCommand)}
OF_TABLES = {tag(kind): kind for kind in typing.get_args(TableEvent)}
ASKED_OF_TABLES = {tag(kind): kind for kind in typing.get_args(TableCommand)}
OF_CASES = {tag(kind): kind for kind in (*typing.get_args(CaseEvent), AdjustmentPosted)}
ASKED_OF_CASES = {tag(kind): kind for kind in typing.get_args(CaseCommand)}


def test_the_page_of_events_has_a_section_for_each_and_no_other() -> None:
    assert set(sections()) == set(EVENTS)


@pytest.mark.parametrize("name", EVENTS)
def test_the_section_of_an_event_names_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(EVENTS[name])} - {"at"}
    section = sections()[name] + (sections()["hand_voided.v1"] * (name == "award_corrected.v1"))
    assert fields <= set(re.findall(r"`(\w+)`", section))


def test_the_page_of_commands_has_a_row_for_each() -> None:
    assert set(COMMANDS) <= set(rows("commands.md"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_row_of_a_command_names_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(COMMANDS[name])} - {"at"}
    assert fields <= set(re.findall(r"`(\w+)`", rows("commands.md")[name]))


def test_the_page_of_tables_has_a_section_for_each_event_and_no_other() -> None:
    assert set(sections("tables.md")) == set(OF_TABLES)


@pytest.mark.parametrize("name", OF_TABLES)
def test_the_section_of_an_event_of_a_table_names_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(OF_TABLES[name])} - {"at"}
    assert fields <= set(re.findall(r"`(\w+)`", sections("tables.md")[name]))


@pytest.mark.parametrize("name", ASKED_OF_TABLES)
def test_the_page_of_tables_has_a_row_for_each_command_with_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(ASKED_OF_TABLES[name])} - {"at"}
    assert fields <= set(re.findall(r"`(\w+)`", rows("tables.md")[name]))


def test_the_page_of_disputes_has_a_section_for_each_event_and_no_other() -> None:
    assert set(sections("disputes.md")) == set(OF_CASES)


@pytest.mark.parametrize("name", OF_CASES)
def test_the_section_of_an_event_of_a_case_names_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(OF_CASES[name])} - {"at"}
    assert fields <= set(re.findall(r"`(\w+)`", sections("disputes.md")[name]))


@pytest.mark.parametrize("name", ASKED_OF_CASES)
def test_the_page_of_disputes_has_a_row_for_each_command_with_its_fields(name: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(ASKED_OF_CASES[name])} - {"at", "by"}
    assert fields <= set(re.findall(r"`(\w+)`", rows("disputes.md")[name]))


def test_the_page_of_commands_names_every_refusal() -> None:
    refusals = {kind.__name__ for kind in errors.Refused.__subclasses__()}
    assert refusals <= set(rows("commands.md"))


@pytest.mark.parametrize("field", [field.name for field in msgspec.structs.fields(HouseRules)])
def test_every_policy_of_a_room_is_described(field: str) -> None:
    assert f"`{field}`" in pages()


def commands(group: click.Group, path: str) -> Iterator[str]:
    """Every command under `group`, as one types it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}"


@pytest.mark.parametrize("typed", [*commands(typer.main.get_group(app), "studledger")])
def test_every_command_one_can_type_is_described(typed: str) -> None:
    assert typed in pages()
