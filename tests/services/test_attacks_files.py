"""Files that are no bundle, or more than one: a sentence, bounded memory, nothing written."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.bundles import contents as c
from services.bundles.checking import CannotCheck, check_bundle
from services.bundles.exporting import export_bundle
from services.demo.storing import store_demo
from services.embedded import Server
from services.replaying import PUBLIC
from services.store.room import Room, open_room
from services.verifying import all_hands
from tests.conftest import fresh_settings
from tests.support.bundled import checked, content, in_file, keys, rewritten
from tests.support.cli import CommandLine

MIB = 1 << 20
DEEP = b"[" * 60_000


@pytest.fixture(scope="module")
def demo(server: Server) -> Iterator[Room]:
    with open_room(fresh_settings(server)) as room:
        store_demo(room, 6)
        yield room


@pytest.fixture(scope="module")
def bundle(demo: Room, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands; read only."""
    path = tmp_path_factory.mktemp("bundle") / "b.zip"
    export_bundle(demo, path, view=PUBLIC, hands=list(all_hands(demo.store))[:2])
    return path


def refused(path: Path) -> str:
    """The sentence it cannot be checked for; no more than a few mebibytes are needed to find it."""
    tracemalloc.start()
    try:
        with pytest.raises(CannotCheck) as why:
            check_bundle(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 * MIB
    return str(why.value)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(c.EVENTS, "w") as out,
    ):
        for _ in range(64):
            out.write(bytes(MIB))
    assert "would swell" in refused(path)


def test_an_archive_of_many_files_is_refused_before_its_directory_is_read(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for n in range(20_000):
            archive.writestr(f"{n}", b"")
    assert "more than 32 files" in refused(path)


def test_a_directory_that_says_less_than_it_holds_is_refused(bundle: Path, tmp_path: Path) -> None:
    """The short record at the end says one thing, the long one before it another."""
    data = bundle.read_bytes()
    at = data.rindex(b"PK\x05\x06")
    long = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 10**6, 10**6, 10**8, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    path = tmp_path / "two.zip"
    path.write_bytes(data[:at] + long + locator + data[at:])
    assert "more than 32 files" in refused(path)


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (b"{", "not JSON that can be read"),
        (DEEP, "not JSON that can be read"),
        (b'{"format":"studledger-bundle","version":2,"version":1}', "not JSON"),
        (b'{"format":"studledger-bundle","version":1e3}', "not JSON"),
        (b"[]", "no JSON object"),
        (b"{}", "its format is not"),
        (b'{"format":"studledger-bundle","version":2}', "lacks something"),
        (b'{"format":"studledger-bundle","version":3}', "use a newer"),
        (b'{"format":"studledger-bundle","version":"2"}', "use a newer"),
        (b'{"format":"studledger-bundle","version":1}', "cannot be read"),
        (b"\xff\xfe", "not JSON"),
    ],
    ids=["torn", "deep", "twice", "fraction", "list", "empty", "bare", "newer", "text", "first",
         "bytes"],
)  # fmt: skip
def test_a_manifest_that_is_none_is_told_in_a_sentence(
    bundle: Path, manifest: bytes, why: str
) -> None:
    assert why in refused(rewritten(bundle, in_file(c.MANIFEST, lambda _: manifest), forged=False))


def test_a_huge_manifest_is_not_read(bundle: Path) -> None:
    huge = json.dumps({"format": "x", "why": [f"{n:09}" for n in range(200_000)]}).encode()
    why = refused(rewritten(bundle, in_file(c.MANIFEST, lambda _: huge), forged=False))
    assert "too large" in why


def _deep(old: bytes) -> bytes:
    return DEEP + b"\n" + old


def _long(old: bytes) -> bytes:
    return b"".join(f"{n:09}".encode() for n in range(300_000)) + b"\n" + old


def _torn(old: bytes) -> bytes:
    return old[:-40]


def _spelled_otherwise(old: bytes) -> bytes:
    return old.replace(b'{"form":', b'{ "form":', 1)


def _foreign(old: bytes) -> bytes:
    return b'{"hello":"world"}\n' + old


def _cards_of_no_kind(old: bytes) -> bytes:
    return old.replace(b'"positions":null', b'"positions":7', 1)


@pytest.mark.parametrize(
    "damage",
    [_deep, _long, _torn, _spelled_otherwise, _foreign, _cards_of_no_kind],
    ids=lambda damage: damage.__name__.strip("_"),
)
def test_events_that_are_none_are_named_by_their_line(
    demo: Room, bundle: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = rewritten(bundle, in_file(c.EVENTS, damage))
    try:
        said = " ".join(checked(demo, path).tampering)
    except CannotCheck as wrong:
        said = str(wrong)
    assert f"{c.EVENTS}" in said
    assert "line" in said or "no event" in said


@pytest.mark.parametrize("name", ["/etc/passwd", "../../up", "a\\b", "con", "\x1b[2J", "é" * 300])
def test_names_in_an_archive_are_compared_and_never_used(
    demo: Room, bundle: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "named.zip"
    path.write_bytes(bundle.read_bytes())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, b"x")
    found = checked(demo, path)
    assert "is not in the manifest" in found.tampering[0]
    assert "\x1b" not in found.tampering[0]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("share", [1, 2, 3, 9], ids=lambda share: f"{share} tenths")
def test_a_truncated_archive_is_no_archive(bundle: Path, tmp_path: Path, share: int) -> None:
    whole = bundle.read_bytes()
    path = tmp_path / "cut.zip"
    path.write_bytes(whole[: len(whole) * share // 10])
    assert "not a whole zip archive" in refused(path)


def test_any_damaged_byte_is_noticed_or_does_not_matter(
    demo: Room, bundle: Path, tmp_path: Path
) -> None:
    """Bytes no reader looks at may differ; what is read then is what was written."""
    whole, path = bundle.read_bytes(), tmp_path / "bent.zip"
    for at in range(0, len(whole), len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            found = checked(demo, path)
        except CannotCheck:
            continue
        if not found.tampering and not found.unchecked:
            assert all(content(path, n) == content(bundle, n) for n in (c.EVENTS, c.CHECKPOINT))


def test_at_the_keyboard_everything_ends_with_its_code_and_a_sentence(
    demo: Room, bundle: Path, studledger: CommandLine, tmp_path: Path
) -> None:
    key, verify = str(keys(demo)[-1]), ("verify", "--bundle")
    assert f"Signed by {key}" in studledger(*verify, bundle, "--vkey", key).out
    assert "NOT CHECKED the signature" in studledger(*verify, bundle, code=1).out
    assert "a verifier key is written" in studledger(*verify, bundle, "--vkey", "k", code=1).said
    assert "there is no file" in studledger(*verify, tmp_path / "no.zip", code=1).said
    nothing = ("--vkey", key, "--previous", tmp_path / "nothing")
    assert "--previous" in studledger(*verify, bundle, *nothing, code=1).said
    changed = in_file(c.EVENTS, lambda old: old.replace(b'"amount":', b'"amount":1', 1))
    forged = rewritten(bundle, changed)
    assert "TAMPERED event " in studledger(*verify, forged, "--vkey", key, code=3).out
    told = studledger(*verify, forged, "--vkey", key, "--format", "json", code=3).json
    assert told["tampering"]
    assert "for --bundle" in studledger("verify", "--all", "--vkey", key, code=2).said
    (tmp_path / "text").write_text("hello")
    assert "no bundle" in studledger(*verify, tmp_path / "text", code=1).said
