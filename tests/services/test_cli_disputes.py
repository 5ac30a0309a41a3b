"""`studledger dispute`: a dispute settled at the keyboard, by two people."""

from __future__ import annotations

import csv
import io
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from domain import events as e
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import open_room
from tests.support import disputes as s
from tests.support.bundled import rewritten
from tests.support.cli import CommandLine

NUMBER = "1"


@pytest.fixture
def hand(settings: Settings) -> UUID:
    """A raked hand of the site `test`, number 1."""
    first, *rest = s.RAKED.log
    assert isinstance(first, e.HandStarted)
    started = replace(first, source=e.Source(kind="imported", format=None, text_sha256=None))
    append = Append(
        stream=uuid4(), expected=0, facts=facts([started, *rest]), actor="test", secret=True
    )
    with open_room(settings) as room:
        room.store.append([append])
    return append.stream


@pytest.fixture
def case(hand: UUID, studledger: CommandLine) -> dict[str, Any]:
    opening = ("open", NUMBER, "--category", "award", "--complainant", "p1", "--step", "12")
    return told(studledger, *opening, "--submitted", "2026-01-09")


def told(studledger: CommandLine, *words: str, subject: str = "flora") -> dict[str, Any]:
    """The case as the command answers it."""
    asked = ("dispute", *words, "--subject", subject, "--format", "json")
    answer: dict[str, Any] = studledger(*asked).json
    return answer


def correction(studledger: CommandLine) -> dict[str, Any]:
    amounts = ("--move", "1=-5.00", "--move", "2=5.00")
    why = ("--reason", "the low was misread", "--rule", "P2")
    return told(studledger, "propose", NUMBER, "corrected_award", *amounts, *why)


def test_a_dispute_is_settled_by_two_people_from_the_complaint_to_the_end(
    studledger: CommandLine, case: dict[str, Any]
) -> None:
    told(studledger, "acknowledge", NUMBER)
    told(studledger, "note", NUMBER, "seat 2 showed a better low")
    assert correction(studledger)["status"] == "ruling_proposed"
    alone = studledger("dispute", "approve", NUMBER, "--subject", "flora", code=1)
    assert "another person" in alone.err
    ruled = told(studledger, "approve", NUMBER, subject="appia")
    assert [seat["difference"] for seat in ruled["ruled"]["seats"]] == [-500, 500, 0]
    told(studledger, "answer", NUMBER, "--letter", ruled["kept"][0]["id"])
    assert told(studledger, "close", NUMBER)["status"] == "closed"
    text = studledger("dispute", "show", NUMBER).out
    for words in ("closed", "corrected award", "as played", "as ruled", "-$5.00", "+$5.00"):
        assert words in text
    verified = studledger("verify", "--all", "--format", "json").json
    assert (verified["ruled"], verified["findings"]) == (1, [])
    assert told(studledger, "reopen", NUMBER, "--reason", "a picture")["status"] == "acknowledged"


def test_a_proposal_is_withdrawn_by_anybody_and_then_none_waits(
    studledger: CommandLine, case: dict[str, Any]
) -> None:
    correction(studledger)
    told(studledger, "withdraw", NUMBER, subject="appia")
    none = studledger("dispute", "approve", NUMBER, "--subject", "appia", code=2)
    assert "no ruling waits" in none.err


def test_evidence_shows_the_step_and_keeps_a_what_if_that_gives_the_amounts(
    studledger: CommandLine, case: dict[str, Any]
) -> None:
    text = studledger("dispute", "evidence", NUMBER).out
    assert "Step 12, view public" in text
    check = [n for n, x in enumerate(s.RAKED.log, 1) if x == e.Checked(seat=1)][-1]
    asked = ("--step", str(check), "--what-if", "fold", "--view", "all", "--why", "the complaint")
    kept = told(studledger, "evidence", NUMBER, *asked)["kept"][0]
    why = ("--reason", "he had folded", "--rule", "B5", "--evidence", kept["id"])
    ruling = told(studledger, "propose", NUMBER, "corrected_award", *why)["rulings"][0]
    assert sum(move["amount"] for move in ruling["moves"]) + ruling["rake"] == 0
    looked = studledger("dispute", "evidence", NUMBER, "--format", "json").json["looked"]
    assert [one["view"] for one in looked] == ["all"]


def test_files_and_holds_are_kept_with_the_case(
    studledger: CommandLine, case: dict[str, Any], tmp_path: Path
) -> None:
    picture = tmp_path / "table.png"
    picture.write_bytes(b"\x89PNG")
    (kept,) = told(studledger, "attach", NUMBER, str(picture))["kept"]
    assert (kept["media_type"], kept["size"]) == ("image/png", 4)
    assert told(studledger, "hold", NUMBER, "--reason", "asked by a court")["on_hold"]
    assert not told(studledger, "hold", NUMBER, "--lift")["on_hold"]
    missing = str(tmp_path / "none")
    studledger("dispute", "attach", NUMBER, missing, "--subject", "flora", code=1)


def test_the_register_is_a_csv_file_of_some_days(
    studledger: CommandLine, case: dict[str, Any]
) -> None:
    days = ("--from", "2026-01-01", "--to", "2026-01-31")
    out = studledger("dispute", "register", *days, "--format", "csv").out
    (line,) = csv.DictReader(io.StringIO(out))
    assert (line["id"], line["category"], line["complainant"]) == (case["id"], "award", "p1")
    assert line["due_at"].startswith("2026-03-06")
    empty = studledger("dispute", "register", "--to", "2025-12-31", "--format", "csv").out
    assert len(empty.splitlines()) == 1
    page = studledger("dispute", "list", "--overdue", "--format", "json").json
    assert [one["id"] for one in page["disputes"]] == [case["id"]]


def test_what_is_not_there_or_not_so_called_is_said(
    studledger: CommandLine, case: dict[str, Any]
) -> None:
    studledger("dispute", "show", "4711", code=5)
    studledger("dispute", "list", "--status", "lost", code=2)
    why = ("--reason", "so", "--rule", "P2", "--subject", "flora")
    studledger("dispute", "propose", NUMBER, "corrected_award", "--move", "x=1", *why, code=2)
    studledger("dispute", "propose", NUMBER, "corrected_award", "--move", "1=1.00", *why, code=1)
    told(studledger, "open", NUMBER, "--category", "rake", "--complainant", "p2")
    several = studledger("dispute", "show", NUMBER, code=2)
    assert case["id"] in several.err


def test_a_report_is_the_same_file_twice_and_its_digest_is_in_the_case(
    studledger: CommandLine, case: dict[str, Any], tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("one.pdf", "other.pdf")]
    made = [
        studledger("dispute", "report", NUMBER, "-o", str(file), "--format", "json").json
        for file in files
    ]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert made[0]["sha256"] == sha256(files[0].read_bytes()).hexdigest()
    shown = studledger("dispute", "show", NUMBER, "--format", "json").json
    assert shown["reports"] == [made[0]["sha256"]]
    everything = tmp_path / "all.pdf"
    told_ = ("dispute", "report", NUMBER, "-o", str(everything), "--view", "all")
    studledger(*told_, code=2)
    assert "view all, SHA-256" in studledger(*told_, "--why", "the complaint").out
    looked = studledger("dispute", "evidence", NUMBER, "--format", "json").json["looked"]
    assert [one["purpose"] for one in looked] == ["the complaint"]


def test_a_bundle_has_the_case_and_its_hand_and_is_checked_without_us(
    studledger: CommandLine, case: dict[str, Any], tmp_path: Path
) -> None:
    told(studledger, "note", NUMBER, "between ourselves")
    correction(studledger)
    told(studledger, "approve", NUMBER, subject="appia")
    file = tmp_path / "case.zip"
    written = studledger("dispute", "bundle", NUMBER, "-o", str(file), "--format", "json").json
    vkey = studledger("keys", "show").out.split()[-1]
    asked = ("verify", "--bundle", str(file), "--vkey", vkey, "--format", "json")
    checked = studledger(*asked).json
    assert (checked["checked"], checked["ruled"], checked["tampering"]) == (1, 1, [])
    with ZipFile(file) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    for text in (b"case_opened.v1", b"ruling_approved.v1", b"award_corrected.v1"):
        assert text in inside["events.jsonl"]
    assert written["manifest"]["events"] == len(s.RAKED.log) + 1 + 4
    everything = b"".join(inside.values())
    assert b"between ourselves" not in everything
    assert inside["disclosures.jsonl"].count(b"\n") == 9, "what was shown down, and no more"


def test_a_case_touched_in_its_bundle_is_found_out(
    studledger: CommandLine, case: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "case.zip"
    studledger("dispute", "bundle", NUMBER, "-o", str(file))
    vkey = studledger("keys", "show").out.split()[-1]
    forged = rewritten(
        file, lambda _, text: text.replace(b'"complainant":"p1"', b'"complainant":"p2"')
    )
    with ZipFile(forged) as archive:
        assert b'"complainant":"p2"' in archive.read("events.jsonl")
    asked = ("verify", "--bundle", str(forged), "--vkey", vkey, "--format", "json")
    assert studledger(*asked, code=3).json["tampering"], "the case is sealed as the hand is"
