"""A whole import: files in turn, hands in batches, what cannot be taken in to the quarantine."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from domain.house_rules import PRESETS, HouseRules
from services.errors import BadSettings
from services.importing.files import files_of
from services.importing.intake import Intake
from services.importing.result import ImportResult, RejectedRecord
from services.readers.reader import Reader
from services.readers.reading import READERS, Outcome, read_file, read_lines
from services.readers.record import HandRead, Rejected, Skipped
from services.store.room import Room
from services.store.texts import Quarantined
from services.store.texts import Rejected as Held

BATCH_HANDS = 500
"""Records per commit: few enough to hold, enough that a commit costs nothing."""

Progress = Callable[[str, ImportResult], None]
"""Called after every batch with the file being read and the counts so far."""


def import_paths(
    room: Room,
    paths: Iterable[Path],
    *,
    reader: str | None = None,
    house_rules: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportResult:
    """Import files and folders. Raises `BadSettings` for an unknown reader or preset.

    What a file holds is never an error: it is counted, or rejected with its line and reason.
    """
    chosen, rules = _reader(reader), _preset(house_rules)
    run = _Run(room, dry_run=dry_run, progress=progress)
    for path in files_of(paths):
        outcomes = [path] if isinstance(path, Rejected) else read_file(path, chosen, rules)
        run.take_all(outcomes)
    run.flush()
    return run.result


def retry_quarantine(
    room: Room,
    *,
    reader: str | None = None,
    house_rules: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportResult:
    """Try what is in quarantine again; what can be taken in now leaves it.

    Raises `BadSettings` for an unknown reader or preset.
    """
    _reader(reader)
    rules = _preset(house_rules)
    run = _Run(room, dry_run=dry_run, progress=progress)
    for held in _quarantined(room):
        chosen = _reader(reader or held.reader or None)
        before = run.result.not_taken_in
        run.take_all(_read_again(held, chosen, rules))
        run.flush()
        if not dry_run and run.result.not_taken_in == before:
            room.quarantine.release([held.id])
    return run.result


def _quarantined(room: Room) -> Iterator[Quarantined]:
    after = 0
    while page := room.quarantine.page(after):
        yield from page
        after = page[-1].id


def _read_again(
    held: Quarantined, reader: Reader | None, rules: HouseRules | None
) -> Iterator[Outcome]:
    """The outcomes of a text in quarantine, with the lines of the file it came from."""
    lines = io.StringIO(held.body.decode("utf-8", "replace"), newline="")
    by = held.line - 1
    for outcome in read_lines(held.file, lines, reader, rules):
        if isinstance(outcome, Rejected):
            yield replace(outcome, line=outcome.line + by, begins=outcome.begins + by)
        else:
            yield replace(outcome, line=outcome.line + by)


class _Run:
    """One import under way: a batch in hand, and what the ones before came to."""

    def __init__(self, room: Room, *, dry_run: bool, progress: Progress | None) -> None:
        self.result = ImportResult()
        self._room = room
        self._dry_run = dry_run
        self._progress = progress
        self._intake = Intake(room, self.result, dry_run=dry_run)
        self._hands: list[HandRead] = []
        self._rejected: list[Held] = []
        self._taken = 0
        self._file = ""

    def take_all(self, outcomes: Iterable[Outcome]) -> None:
        """Count what a file holds, flushing whenever a batch is full."""
        for outcome in outcomes:
            self._file = outcome.file
            self._take(outcome)
            self._taken += 1
            if self._taken >= BATCH_HANDS:
                self.flush()

    def flush(self) -> None:
        """Store the batch in hand and say how far the import is."""
        for rejected in self._intake.take(self._hands) if self._hands else ():
            self.result.hands -= 1
            self._reject(rejected)
        if self._rejected and not self._dry_run:
            self._room.quarantine.put(self._rejected)
        self._hands, self._rejected, self._taken = [], [], 0
        if self._progress:
            self._progress(self._file, self.result)

    def _take(self, outcome: Outcome) -> None:
        match outcome:
            case HandRead():
                self.result.hands += 1
                self._hands.append(outcome)
            case Skipped():
                self.result.hands += 1
                self.result.skipped += 1
            case Rejected():
                self._reject(outcome)

    def _reject(self, rejected: Rejected) -> None:
        self.result.reject(
            RejectedRecord(file=rejected.file, line=rejected.line, reason=rejected.reason)
        )
        if not rejected.text:
            return
        self.result.hands += 1
        self.result.kept += 1
        held = Held(
            file=rejected.file,
            line=rejected.begins,
            reader=rejected.reader,
            reason=f"line {rejected.line}: {rejected.reason}",
            body=rejected.text.encode(),
        )
        self._rejected.append(held)


def _reader(name: str | None) -> Reader | None:
    if name is not None and name not in READERS:
        raise BadSettings(f"there is no reader '{name}'; there are: {', '.join(READERS)}")
    return READERS[name] if name else None


def _preset(name: str | None) -> HouseRules | None:
    if name is not None and name not in PRESETS:
        raise BadSettings(f"there are no house rules '{name}'; there are: {', '.join(PRESETS)}")
    return PRESETS[name] if name else None
