"""`export pojeu`: which files there are, who is on record before, and what is said of the rest."""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zipfile import ZipFile

import msgspec
import pytest

from domain.events import decode, encode
from services.demo.arranged import arranged_hands
from services.demo.storing import store_demo
from services.proof.archive import BundleFile
from services.proof.bundle import proven
from services.proof.report import Report
from services.store.port import Append, facts
from services.store.room import Room
from services.writers import CannotSay
from services.writers.files import CannotWrite
from services.writers.pojeu.proof import refuse_unsound
from services.writers.pojeu.target import opened
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD
from tests.support.pojeu import SCHEMAS, needs_schema, root

ARRANGED = 6
WHO = 'operator = "0099"\nvault = 1\n'
EVERYBODY = (
    '[everybody]\ncountry = "FR"\naddress = "192.0.2.7"\nregistration = "{table}/{player}"\n'
)
FOR = ("--why", "quarterly deposit")


@pytest.fixture
def demo(room: Room) -> Room:
    store_demo(room, ARRANGED)
    return room


@pytest.fixture
def mapping(tmp_path: Path) -> Path:
    file = tmp_path / "operator.toml"
    file.write_text(WHO + EVERYBODY)
    return file


@pytest.fixture
def export(studledger: CommandLine, mapping: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The program with an operator's file."""
    monkeypatch.setenv("STUDLEDGER_POJEU_FILE", str(mapping))
    return studledger


def sightings(room: Room) -> list[tuple[str, str]]:
    """View and purpose of every sighting on record."""
    seen = (fact for fact in room.store.page(0, 100_000) if fact.type == "cards_seen.v1")
    events = (msgspec.json.decode(fact.state) for fact in seen)
    return [(event["view"], event["purpose"]) for event in events]


def pools(folder: Path) -> list[str | None]:
    """The hands' numbers, file by file."""
    return [root(file.read_bytes()).findtext("Pool") for file in sorted(folder.iterdir())]


def test_a_folder_gets_a_file_per_hand_in_the_order_of_the_log(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    answer = export("export", "pojeu", "-o", tmp_path / "out", *FOR)
    assert answer.out == ""
    assert "6 hands written, view all" in answer.said
    assert "STUDLEDGER_SCHEMA_DIR is not set" in answer.said
    assert pools(tmp_path / "out") == [f"D0000{n}" for n in range(1, 7)]
    for file in (tmp_path / "out").iterdir():
        refuse_unsound(file.read_bytes())
        number, _, hand = file.stem.partition("-")
        last = demo.store.load(UUID(hand))[-1].position
        assert int(number) == last
        assert root(file.read_bytes()).findtext("IDEvt") == str(last)


def test_an_archive_holds_the_same_files_and_is_the_same_every_time(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    export("export", "pojeu", "-o", tmp_path / "out", *FOR)
    for name in ("one.zip", "two.zip"):
        export("export", "pojeu", "-o", tmp_path / name, *FOR)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    assert inside == {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}


def test_hands_are_named_or_described_as_in_other_exports(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    export("export", "pojeu", "D00003", "-o", tmp_path / "one", *FOR)
    export("export", "pojeu", "--game", "stud8", "-o", tmp_path / "some", *FOR)
    assert pools(tmp_path / "one") == ["D00003"]
    assert pools(tmp_path / "some") == ["D00001", "D00005"]
    export("export", "pojeu", "D00003", "--limit", "1", "-o", tmp_path / "x", *FOR, code=2)
    export("export", "pojeu", "nonsense", "-o", tmp_path / "x", *FOR, code=5)


def test_all_cards_are_seen_for_a_purpose_that_is_on_record_before(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    export("export", "pojeu", "-o", tmp_path / "out", code=2)
    export("export", "pojeu", "-o", tmp_path / "out", "--why", "x" * 500, code=2)
    assert list(tmp_path.glob("out/*")) == []
    assert sightings(demo) == []
    export("export", "pojeu", "D00001", "D00002", "-o", tmp_path / "out", *FOR)
    assert sightings(demo) == [("all", "quarterly deposit")] * 2


def test_a_hand_that_cannot_be_told_is_named_and_the_others_go_on(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    live = next(arranged_hands()).events[:12]
    demo.store.append([Append(stream=uuid4(), expected=0, facts=facts(live), actor="test")])
    record = tmp_path / "record.txt"
    record.write_text(STUD)
    export("import", record)
    answer = export("export", "pojeu", "-o", tmp_path / "out", *FOR, code=4)
    assert len(list((tmp_path / "out").iterdir())) == ARRANGED
    left_out = [line for line in answer.err.splitlines() if line.startswith("LEFT OUT")]
    assert len(left_out) == 2
    assert any(line.endswith("the hand is still being played") for line in left_out)
    assert any("7001" in line and "are not known" in line for line in left_out)
    assert len(sightings(demo)) == ARRANGED


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("", "operator and vault must be given with --operator and --vault, or in the file"),
        (WHO.replace("0099", "99"), "Expected `str` matching regex"),
        (WHO + 'time_zone = "Mars/Phobos"\n', "there is no time zone of this name"),
        (WHO + "[players.x]\nage = 3\n", "unknown field `age`"),
        (WHO + "[everybody]\ncountry = 'France'\n", "$.everybody.country"),
        ("operator 0099", "is no TOML"),
    ],
)
def test_what_is_missing_or_wrong_in_the_operators_file_is_named(
    demo: Room, export: CommandLine, mapping: Path, tmp_path: Path, file: str, said: str
) -> None:
    mapping.write_text(file)
    answer = export("export", "pojeu", "-o", tmp_path / "out", *FOR, code=2)
    assert said in answer.said
    assert not (tmp_path / "out").exists()


def test_options_come_before_the_file(demo: Room, export: CommandLine, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(EVERYBODY)
    ids = ("--mapping", other, "--operator", "0100", "--vault", 3)
    export("export", "pojeu", "D00001", "-o", tmp_path / "out", *ids, *FOR)
    [file] = (tmp_path / "out").iterdir()
    head = root(file.read_bytes())
    assert (head.findtext("IDOper"), head.findtext("IDCoffre")) == ("0100", "3")
    missing = ("--mapping", tmp_path / "nothing.toml")
    assert "cannot be read" in export(
        "export", "pojeu", "-o", tmp_path / "x", *missing, *FOR, code=2
    ).said  # fmt: skip


def test_players_whom_the_file_does_not_know_are_named_by_their_ids(
    demo: Room, export: CommandLine, mapping: Path, tmp_path: Path
) -> None:
    mapping.write_text(WHO)
    answer = export("export", "pojeu", "D00001", "-o", tmp_path / "out", *FOR, code=4)
    ada = demo.players.find("demo", ["Ada"])["Ada"]
    assert f"names no country, no address, no registration of player {ada}" in answer.said
    assert "Ada" not in answer.said
    assert "0 hands written" in answer.said


@pytest.mark.parametrize("output", ["missing/out", "missing/out.zip"])
def test_a_folder_that_is_not_there_is_a_usage_error(
    demo: Room, export: CommandLine, tmp_path: Path, output: str
) -> None:
    export("export", "pojeu", "-o", tmp_path / output, *FOR, code=2)


def test_a_file_is_no_folder(demo: Room, export: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here already")
    answer = export("export", "pojeu", "-o", tmp_path / "taken", *FOR, code=1)
    assert "cannot be made" in answer.said
    assert (tmp_path / "taken").read_text() == "here already"


def test_whoever_has_a_bundle_can_compute_the_digest(
    demo: Room, export: CommandLine, tmp_path: Path
) -> None:
    export("export", "bundle", "D00002", "--view", "all", "-o", tmp_path / "b.zip", *FOR)
    export("export", "pojeu", "D00002", "-o", tmp_path / "out", *FOR)
    [file] = (tmp_path / "out").iterdir()
    with BundleFile(tmp_path / "b.zip") as bundle:
        [hand] = proven(bundle, (), None, Report())
    stored = [encode(decode(msgspec.json.encode(event))) for event in hand.events]
    digest = hashlib.sha256(b"".join(event + b"\n" for event in stored)).hexdigest()
    said = root(file.read_bytes()).findtext("Info", "")
    assert f"hand={hand.hand} facts={len(stored)} sha256={digest}" in said


def refusing_from(count: int) -> Callable[[bytes], None]:
    """A check that finds fault with everything from the `count`th on."""
    seen = itertools.count(1)

    def check(document: bytes) -> None:
        if next(seen) >= count:
            raise CannotSay(f"{len(document)} bytes of it are wrong")

    return check


def test_a_file_of_a_folder_is_checked_as_it_lies_on_disk(tmp_path: Path) -> None:
    with opened(tmp_path / "out", refusing_from(2)) as put:
        put("one", b"first")
        with pytest.raises(CannotSay, match="6 bytes"):
            put("two", b"second")
    assert [(f.name, f.read_bytes()) for f in (tmp_path / "out").iterdir()] == [("one", b"first")]


def test_an_archive_that_is_not_what_was_written_never_appears(tmp_path: Path) -> None:
    target = tmp_path / "out.zip"
    with (
        pytest.raises(CannotWrite, match="is not what was written to it: 5 bytes"),
        opened(target, refusing_from(2)) as put,
    ):
        put("one", b"first")
    assert list(tmp_path.iterdir()) == []


# -- the regulator's schema ------------------------------------------------------------------------


@needs_schema
@pytest.mark.parametrize("inside", [".", "fr"])
def test_every_file_is_valid_where_there_is_a_schema(
    demo: Room, export: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    monkeypatch.setenv("STUDLEDGER_SCHEMA_DIR", str(SCHEMAS / inside))
    answer = export("export", "pojeu", "-o", tmp_path / "out.zip", *FOR)
    assert "6 hands written" in answer.said
    assert "not set" not in answer.said


STRICTER = """\
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="POJEU"><xs:complexType><xs:sequence>
    <xs:element name="IDOper" type="xs:date"/>
    <xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>
"""


def test_a_file_the_schema_refuses_is_not_handed_out(
    demo: Room, export: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lxml", reason="lxml has no wheel here")
    (tmp_path / "PO.xsd").write_text(STRICTER)
    monkeypatch.setenv("STUDLEDGER_SCHEMA_DIR", str(tmp_path))
    for output in ("out", "out.zip"):
        answer = export("export", "pojeu", "D00001", "-o", tmp_path / output, *FOR, code=4)
        assert "the regulator's schema refuses /POJEU/IDOper in line 3" in answer.said
    assert list((tmp_path / "out").iterdir()) == []
    with ZipFile(tmp_path / "out.zip") as archive:
        assert archive.namelist() == []


@needs_schema
def copied(there: Path, here: Path) -> None:
    """What is in the files only: the folders may be somebody else's, and read-only."""
    for file in filter(Path.is_file, there.rglob("*")):
        place = here / file.relative_to(there)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())


def test_the_schema_as_it_was_published_is_refused_with_the_reason(
    export: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(SCHEMAS / "fr", tmp_path / "fr")
    file = tmp_path / "fr/include/features/cercle/cercle.xsd"
    file.write_text(re.sub(r' xmlns:poker="[^"]*"', "", file.read_text("utf-8")), "utf-8")
    monkeypatch.setenv("STUDLEDGER_SCHEMA_DIR", str(tmp_path))
    answer = export("export", "pojeu", "-o", tmp_path / "out", *FOR, code=2)
    assert "is no usable schema" in answer.said
    assert "poker" in answer.said.partition("no usable schema")[2]


def test_a_schema_that_cannot_be_used_is_a_usage_error(
    demo: Room, export: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> Any:
        return export("export", "pojeu", "-o", tmp_path / "out", *FOR, code=2).said

    monkeypatch.setenv("STUDLEDGER_SCHEMA_DIR", str(tmp_path))
    assert "there is no PO.xsd in" in refused()
    (tmp_path / "PO.xsd").write_text("<nothing/>")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "lxml", None)
        assert "install studledger[regulators]" in refused()
    pytest.importorskip("lxml", reason="lxml has no wheel here")
    assert "is no usable schema" in refused()
