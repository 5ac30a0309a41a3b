"""A bundle says what happened, and says so when somebody touched it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from services.bundles import contents
from services.bundles.checking import BundleCheck, CannotCheck, check_bundle
from services.bundles.exporting import NoHands, export_bundle
from services.demo.storing import store_demo
from services.projecting import projector_of
from services.replaying import ALL, PUBLIC
from services.store.room import Room

HANDS = 12


@pytest.fixture
def demo(room: Room) -> Room:
    store_demo(room, HANDS)
    projector_of(room).catch_up()
    return room


@pytest.fixture
def bundle(demo: Room, tmp_path: Path) -> Path:
    path = tmp_path / "bundle.zip"
    export_bundle(demo, path, view=ALL, why="a test")
    return path


def rewritten(bundle: Path, change: Callable[[str, bytes], bytes | None]) -> BundleCheck:
    """The bundle with files changed (None: left out), and what the check says of it."""
    touched = bundle.with_name("touched.zip")
    with zipfile.ZipFile(bundle) as whole, zipfile.ZipFile(touched, "w") as out:
        for name in whole.namelist():
            content = change(name, whole.read(name))
            if content is not None:
                out.writestr(name, content)
    return check_bundle(touched)


def without_a_trace(bundle: Path, change: Callable[[str, bytes], bytes]) -> BundleCheck:
    """As `rewritten`, by somebody who also makes the manifest's digests anew."""
    import hashlib

    def both(name: str, content: bytes) -> bytes:
        if name != contents.MANIFEST:
            return change(name, content)
        manifest = json.loads(content)
        with zipfile.ZipFile(bundle) as whole:
            for file in manifest["files"]:
                new = change(file["name"], whole.read(file["name"]))
                file |= {"bytes": len(new), "sha256": hashlib.sha256(new).hexdigest()}
        return json.dumps(manifest).encode()

    return rewritten(bundle, both)


def test_a_bundle_as_exported_is_sound(bundle: Path) -> None:
    found = check_bundle(bundle)
    assert (found.checked, found.clean, found.tampering) == (HANDS, HANDS, [])


def test_the_events_of_view_all_are_the_stored_bytes(demo: Room, bundle: Path) -> None:
    facts = demo.store.page(0, 10_000)
    stored = [fact.state for fact in facts if fact.type != "cards_seen.v1"]
    with zipfile.ZipFile(bundle) as archive:
        lines = archive.read(contents.EVENTS).splitlines()
    assert [line[line.index(b'"event":') + 8 : -1] for line in lines] == stored


def test_a_public_bundle_holds_no_card_that_was_not_shown(demo: Room, tmp_path: Path) -> None:
    path = tmp_path / "public.zip"
    export_bundle(demo, path, view=PUBLIC)
    with zipfile.ZipFile(path) as archive:
        events = [json.loads(line)["event"] for line in archive.read(contents.EVENTS).splitlines()]
    downs = [card for e in events if e["type"] == "cards_dealt.v1" for card in e["down"]]
    assert downs
    assert set(downs) == {"??"}
    assert check_bundle(path).tampering == []


def test_the_same_hands_make_the_same_files(demo: Room, tmp_path: Path) -> None:
    first = export_bundle(demo, tmp_path / "1.zip", view=PUBLIC)
    second = export_bundle(demo, tmp_path / "2.zip", view=PUBLIC)
    assert first.files == second.files


def test_an_empty_room_makes_no_bundle_and_leaves_no_file(room: Room, tmp_path: Path) -> None:
    with pytest.raises(NoHands):
        export_bundle(room, tmp_path / "none.zip", view=PUBLIC)
    assert list(tmp_path.iterdir()) == []


def test_a_changed_amount_is_named_with_its_hand(bundle: Path) -> None:
    def more(name: str, content: bytes) -> bytes:
        return content.replace(b'"amount":250,', b'"amount":251,', 1)

    hand = json.loads(zipfile.ZipFile(bundle).read(contents.EVENTS).splitlines()[0])["stream"]
    for found in (rewritten(bundle, more), without_a_trace(bundle, more)):
        assert any(f"hand {hand}" in text for text in found.tampering)


def test_a_dropped_event_is_a_gap(bundle: Path) -> None:
    def dropped(name: str, content: bytes) -> bytes:
        if name != contents.EVENTS:
            return content
        lines = content.splitlines(keepends=True)
        return b"".join(lines[:9] + lines[10:])

    assert any("fact 10 is missing" in text for text in without_a_trace(bundle, dropped).tampering)


def test_a_dropped_hand_is_missed(bundle: Path) -> None:
    def dropped(name: str, content: bytes) -> bytes:
        if name != contents.EVENTS:
            return content
        lines = content.splitlines(keepends=True)
        first = json.loads(lines[0])["stream"].encode()
        return b"".join(line for line in lines if first not in line)

    assert without_a_trace(bundle, dropped).tampering


def test_reordered_events_are_noticed(bundle: Path) -> None:
    def swapped(name: str, content: bytes) -> bytes:
        if name != contents.EVENTS:
            return content
        lines = content.splitlines(keepends=True)
        lines[5], lines[6] = lines[6], lines[5]
        return b"".join(lines)

    assert without_a_trace(bundle, swapped).tampering


def test_another_rake_schedule_under_the_same_name_is_noticed(bundle: Path) -> None:
    def cheaper(name: str, content: bytes) -> bytes:
        if name != contents.SCHEDULES:
            return content
        return content.replace(b'"rake": 100', b'"rake": 50', 1)

    assert any("not the published one" in t for t in without_a_trace(bundle, cheaper).tampering)


def test_a_file_left_out_or_added_is_named(bundle: Path) -> None:
    left_out = rewritten(bundle, lambda name, c: None if name == contents.VERDICTS else c)
    assert any(contents.VERDICTS in text for text in left_out.tampering)
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr("extra.txt", b"surprise")
    assert any("extra.txt" in text for text in check_bundle(bundle).tampering)


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"PK\x03\x04 but not really"], ids=["empty", "text", "torn"]
)
def test_what_is_no_bundle_cannot_be_checked(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.zip"
    path.write_bytes(content)
    with pytest.raises(CannotCheck, match="no bundle"):
        check_bundle(path)


def test_a_truncated_bundle_cannot_be_checked(bundle: Path) -> None:
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CannotCheck):
        check_bundle(bundle)


def test_damaged_bytes_inside_are_tampering(bundle: Path) -> None:
    whole = bytearray(bundle.read_bytes())
    middle = len(whole) // 3
    whole[middle] ^= 0xFF
    bundle.write_bytes(bytes(whole))
    assert check_bundle(bundle).tampering


def test_a_newer_version_cannot_be_checked(bundle: Path) -> None:
    def newer(name: str, content: bytes) -> bytes:
        return content.replace(b'"version": 1,', b'"version": 99,', 1)

    with pytest.raises(CannotCheck, match="newer"):
        rewritten(bundle, lambda n, c: newer(n, c) if n == contents.MANIFEST else c)
