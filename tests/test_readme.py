"""The README is true: its commands are run, what they print is what it shows."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from domain.house_rules import ALL_GAMES, PRESETS, HouseRules
from services.embedded import Server
from services.settings import PREFIX, Settings
from tests.support.cli import CommandLine, forget_published, forget_room

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SKIPPED = "…"
"""A line of this alone stands for lines left out."""

REWRITE = "STUDLEDGER_REWRITE_README"
ROOMS = ("bots", "demo", "main", "roberts")


class Shown(NamedTuple):
    """A command as the page shows it, and the lines below it."""

    command: str
    lines: tuple[str, ...]


def shown(block: str) -> Iterator[Shown]:
    """The commands of one block, each with its output."""
    _, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    for part in parts:
        command, *lines = part.splitlines()
        yield Shown(command, tuple(lines))


def tells_the_same(lines: Iterable[str], printed: list[str]) -> bool:
    """Whether the page shows what was printed, up to the lines it leaves out.

    >>> tells_the_same(["a", "…", "d"], ["a", "b", "c", "d"])
    True
    """
    pattern = "".join("(?:.*\n)*" if line == SKIPPED else re.escape(line) + "\n" for line in lines)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


class Reader:
    """Somebody who follows the page from top to bottom."""

    def __init__(
        self, studledger: CommandLine, monkeypatch: pytest.MonkeyPatch, aside: Path
    ) -> None:
        self._studledger = studledger
        self._monkeypatch = monkeypatch
        self._aside = str(aside)  # Where what the page writes to /tmp is written.

    def run(self, command: str) -> list[str]:
        """What the terminal shows."""
        if kept := re.fullmatch(r"export (\w+)=\$\((.+)\)", command):
            self._monkeypatch.setenv(kept[1], self.run(kept[2])[-1])
            return []
        words = shlex.split(os.path.expandvars(command))
        if words[0] == "export":
            name, _, value = words[1].partition("=")
            self._monkeypatch.setenv(name, value)
            return []
        if words[:2] == ["uv", "run"]:
            words = words[2:]
        assert words[0] == "studledger", f"{command}: blocks of other commands are not `console`"
        words = [re.sub(r"^/tmp(?=/)", self._aside, word) for word in words]
        answer = self._studledger(*words[1:])
        printed = (answer.out + answer.err).replace(self._aside, "/tmp")
        return printed.splitlines()

    def follow(self, block: re.Match[str]) -> str:
        """The block as it should be: what still holds stays as it is written."""
        followed = []
        for command, lines in shown(block[1]):
            printed = self.run(command)
            lines = lines if tells_the_same(lines, printed) else tuple(printed)
            followed.extend((f"$ {command}", *lines))
        return "\n".join(("```console", *followed, "```"))


@pytest.fixture
def reader(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Reader:
    for room in ROOMS:
        forget_room(server, room)
        forget_published(server, room)
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="main")
    monkeypatch.chdir(ROOT)
    return Reader(CommandLine(settings, monkeypatch, capsys), monkeypatch, tmp_path)


def test_every_command_prints_what_the_page_shows(reader: Reader) -> None:
    page = PAGE.read_text("utf-8")
    followed = BLOCK.sub(reader.follow, page)
    if os.environ.get(REWRITE):
        PAGE.write_text(followed, "utf-8")
        page = followed
    assert page == followed


def test_the_page_shows_each_of_its_users_their_task() -> None:
    commands = [
        one.command for block in BLOCK.findall(PAGE.read_text("utf-8")) for one in shown(block)
    ]
    for task in ("demo", "import", "hands", "replay", "explain", "verify", "rake report"):
        assert any(f"studledger {task} " in command for command in commands), task


def test_left_out_lines_leave_nothing_else_out() -> None:
    printed = ["a", "b", "c"]
    assert tells_the_same(["a", SKIPPED], printed)
    assert not tells_the_same(["a", "c"], printed)
    assert not tells_the_same([SKIPPED, "b"], printed)
    assert not tells_the_same(["a", "b", "c", "d"], printed)


# -- tables ----------------------------------------------------------------------------------------


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, its head first."""
    _, _, below = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")
    table = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert table is not None
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[0].splitlines()]
    return [cells[0], *cells[2:]]


def in_words(value: object) -> str:
    """A policy's value as the page writes it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case tuple():
            return "all games" if value == ALL_GAMES else ", ".join(value)
        case msgspec.Struct():
            return "+".join(map(str, msgspec.structs.astuple(value)))
        case _:
            return str(value)


def test_every_policy_stands_with_its_value_in_every_preset() -> None:
    heads, *policies = rows("What a room may choose")
    fields = [field.name for field in msgspec.structs.fields(HouseRules)]
    assert [row[0].strip("`") for row in policies] == fields[2:]
    named = [name for head in heads[2:] for name in head.split(", ")]
    assert sorted(named) == sorted(PRESETS)
    for policy, _, *values in policies:
        for head, value in zip(heads[2:], values, strict=True):
            for preset in head.split(", "):
                said = in_words(getattr(PRESETS[preset], policy.strip("`")))
                assert value == said, f"{policy} of {preset}"


def test_every_setting_is_described() -> None:
    _, *settings = rows("Settings")
    described = {row[0].strip("`") for row in settings}
    assert described == {f"{PREFIX}{name.upper()}" for name in (*Settings.model_fields, "debug")}
