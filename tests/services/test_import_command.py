"""`studledger import` as a person meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.importing import ImportResult, RejectedRecord, import_paths, result, runs
from services.store.room import Room
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD, changed
from tests.support.site_texts import BOVADA, FULLTILT

BROKEN = changed(STUD, ("bert: folds", "bert: surrenders"))
KEPT = "Rejected hands are kept"


def test_quarantine_is_spoken_of_only_when_something_went_there(
    studledger: CommandLine, tmp_path: Path
) -> None:
    unknown, broken, good = (tmp_path / name for name in ("unknown", "broken", "good"))
    unknown.write_text("nothing of poker\n")
    broken.write_text(BROKEN)
    good.write_text(STUD)
    assert KEPT not in studledger("import", unknown, code=1).said
    assert KEPT not in studledger("import", good, unknown, code=4).said
    assert KEPT not in studledger("import", broken, "--dry-run", code=4).said
    assert KEPT in studledger("import", broken, code=4).said


def test_a_folder_of_several_sites_is_imported_whole(
    studledger: CommandLine, tmp_path: Path
) -> None:
    for name, text in (("a", STUD), ("b", FULLTILT), ("c", BOVADA)):
        (tmp_path / name).write_text(text)
    assert studledger("import", tmp_path, "--format", "json").json["imported"] == 3
    again = studledger("import", tmp_path, "--format", "json").json
    assert (again["imported"], again["duplicates"]) == (0, 3)


def test_a_reader_may_be_named(studledger: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(FULLTILT)
    studledger("import", tmp_path, "--reader", "fulltilt")
    answer = studledger("import", tmp_path, "--reader", "nobody", code=2)
    for name in ("pokerstars", "fulltilt", "bovada", "phh", "jsonl"):
        assert name in answer.said


def test_house_rules_may_be_named_and_a_rake_that_fits_their_chart_says_its_step(
    studledger: CommandLine, tmp_path: Path
) -> None:
    fits = changed(
        STUD, ("$12.80 | Rake $0.60", "$12.80 | Rake $0.75"), ("ted $12.20", "ted $12.05")
    )
    (tmp_path / "a").write_text(fits)
    studledger("import", tmp_path, "--house-rules", "topspoker")
    findings = studledger("verify", "--all", "--format", "json").json["findings"]
    assert [found for found in findings if found["rule"].startswith("R")] == []


def test_progress_is_told_of_skipped_hands_too(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "BATCH_HANDS", 2)
    razz = STUD.replace("7 Card Stud Limit", "Razz Limit")
    (tmp_path / "a").write_text("\n\n".join([razz] * 5))
    heard: list[int] = []
    import_paths(room, [tmp_path], progress=lambda file, so_far: heard.append(so_far.skipped))
    assert heard == [2, 4, 5]


def test_a_list_of_rejected_records_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "MOST_LISTED", 2)
    counted = ImportResult()
    for line in range(5):
        counted.reject(RejectedRecord(file="f", line=line, reason="?"))
    assert len(counted.rejected) == 2
    assert counted.as_json()["unlisted"] == 3
    assert "unlisted" not in ImportResult().as_json()
