"""`docs/verifying.md` is enough: a verifier written from it alone finds what ours finds."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature

from services.bundles import contents as c
from services.bundles.exporting import Onlooker, export_bundle
from services.demo.storing import store_demo
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.log.signing import new_key
from services.replaying import ALL, PUBLIC, View
from services.store.room import Room, open_room
from services.verifying import all_hands
from tests.conftest import fresh_settings
from tests.support import auditor
from tests.support.bundled import checked, content, keys, lines, with_lines
from tests.support.live import TableInPlay, live_in

OFF = (ValueError, KeyError, IndexError, TypeError, InvalidSignature)
"""What the tiny verifier raises where something is not as the page says."""


@pytest.fixture(scope="module")
def room(server: Server) -> Iterator[Room]:
    """Hands of the demonstration, one from a committed deck, and one that goes on."""
    with open_room(fresh_settings(server)) as room:
        store_demo(room, 6)
        table = TableInPlay(live_in(room))
        table.begin()
        table.to_the_end()
        table.begin()
        yield room


def test_it_shares_no_code_with_the_program() -> None:
    tree = ast.parse(Path(auditor.__file__).read_text("utf-8"))
    plain = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    beside = {name.partition(".")[0] for name in plain | named} - sys.stdlib_module_names
    assert beside == {"cryptography", "rfc8785"}


@pytest.mark.parametrize("view", [ALL, PUBLIC], ids=str)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "some"])
def test_it_finds_sound_what_is_sound(room: Room, tmp_path: Path, view: View, whole: bool) -> None:
    vkey = str(Checkpoints(room).keys.signer().verifier)
    before = Checkpoints(room).sign().note
    chosen = list(all_hands(room.store))
    somebody = Onlooker(actor=f"somebody {view} {whole}")
    export_bundle(room, tmp_path / "0.zip", view=ALL, why="it grows", onlooker=somebody)
    path = tmp_path / "b.zip"
    hands = None if whole else chosen[-4:-1]  # The last one has no view all yet.
    export_bundle(room, path, view=view, why="a test", hands=hands, onlooker=somebody)
    found = auditor.audit(path, vkey, previous=before)
    ours = checked(room, path)
    assert (found["hands"], found["events"]) == (ours.checked, ours.events)
    assert (ours.tampering, ours.unchecked, ours.live) == ([], [], int(whole))
    assert found["opened"]


def test_it_finds_what_ours_finds(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    export_bundle(room, path, view=ALL, why="a test")
    vkey = str(keys(room)[-1])
    auditor.audit(path, vkey)
    attacks = {
        c.EVENTS: lambda told: [*told[:5], *told[6:]],
        c.DISCLOSURES: lambda told: told[1:],
    }
    for name, attack in attacks.items():
        touched = with_lines(path, name, attack)
        assert checked(room, touched).tampering
        with pytest.raises(OFF):
            auditor.audit(touched, vkey)
    for place in (0, -1):
        told = lines(path, c.DISCLOSURES)
        told[place]["card"] = "2c" if told[place]["card"] != "2c" else "3c"
        touched = with_lines(path, c.DISCLOSURES, lambda _, told=told: told)  # type: ignore[misc]
        assert checked(room, touched).tampering
        with pytest.raises(OFF):
            auditor.audit(touched, vkey)
    with pytest.raises(OFF):
        auditor.audit(path, str(new_key(Checkpoints(room).keys.signer().verifier.name).verifier))
    assert content(path, c.CHECKPOINT).decode().startswith(keys(room)[-1].name)
