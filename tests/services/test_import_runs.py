"""Long imports: killed and taken up again, and files that are larger than memory should hold."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import events as e
from services.importing import import_paths
from services.settings import Settings
from services.store.port import pages
from services.store.room import Room, open_room
from tests.support.cli import started
from tests.support.hand_texts import STUD, changed

FILES = 6
HANDS_PER_FILE = 300
RAZZ = STUD.replace("7 Card Stud Limit", "Razz Limit")
BROKEN = changed(STUD, ("bert: folds", "bert: surrenders"))
MEGABYTE = 1_000_000


def numbered(text: str, number: int) -> str:
    return text.replace("#7001", f"#{number}") + "\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of 1800 hands, two of a file's 300 broken."""
    for file in range(FILES):
        numbers = range(file * HANDS_PER_FILE, (file + 1) * HANDS_PER_FILE)
        texts = [BROKEN if n % HANDS_PER_FILE in {7, 290} else STUD for n in numbers]
        hands = (numbered(text, n) for text, n in zip(texts, numbers, strict=True))
        (tmp_path / f"{file}.txt").write_text("".join(hands))
    return tmp_path


def stored(room: Room) -> dict[str, int]:
    """How often every number was stored."""
    found: dict[str, int] = {}
    for page in pages(room.store):
        for recorded in page:
            if recorded.n == 1:
                start = e.decode(recorded.state)
                assert isinstance(start, e.HandStarted)
                found[start.number] = found.get(start.number, 0) + 1
    return found


def test_a_killed_import_is_taken_up_without_loss_or_doubles(
    settings: Settings, folder: Path
) -> None:
    with open_room(settings) as room:
        program = started(settings, "import", str(folder))
        try:
            _wait_until_something_is_stored(room, program)
        finally:
            program.kill()
            program.communicate()
        before = stored(room)
        assert 0 < len(before) < FILES * HANDS_PER_FILE
        result = import_paths(room, [folder])
        broken = 2 * FILES
        assert len(result.rejected) == broken == len(room.quarantine.page())
        assert result.duplicates == len(before)
        assert result.imported == FILES * HANDS_PER_FILE - broken - len(before)
        after = stored(room)
        assert len(after) == FILES * HANDS_PER_FILE - broken
        assert set(after.values()) == {1}


def _wait_until_something_is_stored(room: Room, program: subprocess.Popen[bytes]) -> None:
    """Ask the database until the first batch is there; the program must still be at work."""
    deadline = time.monotonic() + 120
    while not stored(room):
        assert program.poll() is None, "the import ended before it could be killed"
        assert time.monotonic() < deadline, "the import stored nothing"


MEASURED = """
import resource, sys
from pathlib import Path
from services.importing import import_paths
from services.settings import load_settings
from services.store.room import open_room

def peak():
    # Not getrusage: its figure begins with that of the process that started this one.
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

small, big, dry = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "dry"
with open_room(load_settings()) as room:
    import_paths(room, [small], dry_run=dry)
    before = peak()
    result = import_paths(room, [big], dry_run=dry)
    print(before, peak(), result.imported, result.skipped, len(result.rejected))
"""


def mixed_hands(count: int) -> Iterator[str]:
    """Hands of a mixed game: one of forty ours, one of four hundred broken."""
    for number in range(count):
        text = BROKEN if number % 400 == 20 else STUD if number % 40 == 0 else RAZZ
        yield numbered(text, number)


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in kilobytes here")
@pytest.mark.parametrize("how", ["stored", "dry"])
def test_thirty_megabytes_are_read_in_the_memory_of_one(
    settings: Settings, tmp_path: Path, how: str
) -> None:
    with open_room(settings):
        pass
    small, big = tmp_path / "small.txt", tmp_path / "big.txt"
    small.write_text("".join(mixed_hands(800)))
    with big.open("w") as file:
        file.writelines(mixed_hands(25_000))
    assert big.stat().st_size > 30 * MEGABYTE
    environment = os.environ | {
        "STUDLEDGER_DATA_DIR": str(settings.data_dir),
        "STUDLEDGER_ROOM": settings.room,
    }
    measured = subprocess.run(
        [sys.executable, "-c", MEASURED, str(small), str(big), how],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after, imported, skipped, rejected = map(int, measured.stdout.split())
    assert (imported, skipped, rejected) == (605 if how == "stored" else 625, 24_312, 63)
    assert after - before < 12, f"{before} MB before, {after} MB after"
    assert after < 200
