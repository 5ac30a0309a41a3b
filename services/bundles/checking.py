"""Checking a bundle offline: digests, streams without a gap, the rules run again, the verdicts."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, TypeVar
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from domain.decoding import decoder
from domain.errors import CorruptHistory
from domain.events import HandEvent, HandStarted, decode
from domain.publishing import BadSchedule, require_sound
from domain.schedules import SCHEDULES, Published, Schedule, consulting
from domain.verdict import RULES_VERSION, Verdict, judge
from services.bundles import contents as c
from services.errors import ServiceError
from services.hand_finding import HandFinding

Progress = Callable[[int], None]
"""Called now and then with the number of hands checked so far."""

MOST_BYTES_AT_ONCE = 1 << 20
MOST_LINE_BYTES = 1 << 20
MOST_FACTS = 10_000
EVERY = 200
_DAMAGE = (BadZipFile, zlib.error, EOFError, ValueError)
"""What reading from a damaged archive raises."""
_PACKED_OTHERWISE = 0x61
"""Flags of files that are encrypted or patched, which no bundle has."""

Line = TypeVar("Line")


class CannotCheck(ServiceError):
    """This bundle cannot be checked; the sentence says what stands in the way."""


class BundleCheck(msgspec.Struct, kw_only=True):
    """What was checked of a bundle. `tampering` names everything that is not as it must be."""

    file: str
    room: str
    view: str
    checked: int = 0
    events: int = 0
    clean: int = 0
    clean_as_visible: int = 0
    ruled: int = 0
    findings: list[HandFinding] = []
    tampering: list[str] = []
    unchecked: list[str] = []


def check_bundle(path: Path, progress: Progress | None = None) -> BundleCheck:
    """Check a bundle without database or network, in constant memory. Raises `CannotCheck`."""
    try:
        with _opened(path) as archive:
            return _check(path, archive, progress)
    except FileNotFoundError:
        raise CannotCheck(f"there is no file {path}") from None
    except OSError as wrong:
        raise CannotCheck(f"{path} cannot be read: {wrong.strerror}") from None


def _opened(path: Path) -> ZipFile:
    try:
        return ZipFile(path)
    except (*_DAMAGE, RuntimeError):  # RuntimeError: it asks for a later kind of zip
        raise CannotCheck(f"{path} is no bundle: it is not a whole zip archive") from None


def _check(path: Path, archive: ZipFile, progress: Progress | None) -> BundleCheck:
    if not all(map(_packed_as_ours, archive.infolist())):
        raise CannotCheck(f"{path} is no bundle of ours: its files are packed in another way")
    manifest = _manifest(path, archive)
    found = BundleCheck(file=str(path), room=manifest.room, view=manifest.view)
    _check_files(archive, manifest, found)
    if {c.EVENTS, c.VERDICTS, c.SCHEDULES} <= set(archive.namelist()):
        # Even where a digest is wrong already: the hand that was touched shall be named.
        try:
            with consulting(_schedules(archive, found)):
                _check_hands(archive, manifest, found, progress)
        except _DAMAGE:
            found.tampering.append("the archive is damaged")
    return found


def _packed_as_ours(file: ZipInfo) -> bool:
    known = file.compress_type in (ZIP_STORED, ZIP_DEFLATED)
    return known and not file.flag_bits & _PACKED_OTHERWISE


def _manifest(path: Path, archive: ZipFile) -> c.Manifest:
    try:
        if archive.getinfo(c.MANIFEST).file_size > MOST_BYTES_AT_ONCE:
            raise CannotCheck(f"{path}: its manifest is too large to be one")
        manifest = decoder(c.Manifest)(archive.read(c.MANIFEST))
    except KeyError:
        raise CannotCheck(f"{path} is no bundle: it has no {c.MANIFEST}") from None
    except _DAMAGE as wrong:
        raise CannotCheck(f"{path}: its manifest cannot be read: {wrong}") from None
    if manifest.format != c.FORMAT:
        raise CannotCheck(f"{path} is no bundle of ours: its format is {manifest.format!r}")
    if manifest.version > c.VERSION:
        raise CannotCheck(
            f"{path} is of version {manifest.version}, this program knows {c.VERSION}: use a newer"
        )
    return manifest


# -- files ---------------------------------------------------------------------------------------


def _check_files(archive: ZipFile, manifest: c.Manifest, found: BundleCheck) -> None:
    """Every file the manifest names, with its digest, and no other."""
    named = {digest.name: digest for digest in manifest.files}
    present = Counter(archive.namelist())
    for name in sorted(present.keys() - named.keys() - {c.MANIFEST}):
        found.tampering.append(f"{name} is not in the manifest")
    for name in sorted(name for name, times in present.items() if times > 1):
        found.tampering.append(f"{name} is in the archive twice")
    for name in (c.EVENTS, c.VERDICTS, c.SCHEDULES, c.HOUSE_RULES):
        if name not in named:
            found.tampering.append(f"{name} is missing from the manifest")
    for digest in manifest.files:
        if digest.name not in present:
            found.tampering.append(f"{digest.name} is missing")
        elif _sha256(archive, digest.name) != digest.sha256:
            found.tampering.append(f"{digest.name} is not the file its digest was made of")


def _sha256(archive: ZipFile, name: str) -> str | None:
    """The digest of a file of the archive; None if it is damaged."""
    digest = hashlib.sha256()
    try:
        with archive.open(name) as file:
            while piece := file.read(1 << 16):
                digest.update(piece)
    except _DAMAGE:
        return None
    return digest.hexdigest()


# -- hands ---------------------------------------------------------------------------------------


def _check_hands(
    archive: ZipFile, manifest: c.Manifest, found: BundleCheck, progress: Progress | None
) -> None:
    """Each hand's facts in order, judged again, against the verdict that was exported."""
    with archive.open(c.EVENTS) as events, archive.open(c.VERDICTS) as verdicts:
        told = _lines(verdicts, c.VERDICTS, c.VerdictLine, found)
        for facts in _hands(events, found):
            found.checked += 1
            found.events += len(facts)
            _check_hand(facts, next(told, None), found)
            if progress is not None and found.checked % EVERY == 0:
                progress(found.checked)
        if next(told, None) is not None:
            found.tampering.append(f"{c.VERDICTS} tells of hands that are not in {c.EVENTS}")
    if (found.checked, found.events) != (manifest.hands, manifest.events):
        found.tampering.append(
            f"the manifest says {manifest.hands} hands and {manifest.events} events,"
            f" there are {found.checked} and {found.events}"
        )


def _hands(file: IO[bytes], found: BundleCheck) -> Iterator[list[c.EventLine]]:
    """The facts of one hand after the other."""
    hand: list[c.EventLine] = []
    for line in _lines(file, c.EVENTS, c.EventLine, found):
        if hand and line.stream != hand[0].stream:
            yield hand
            hand = []
        hand.append(line)
        if len(hand) > MOST_FACTS:
            found.tampering.append(f"hand {line.stream} has more than {MOST_FACTS} facts")
            return
    if hand:
        yield hand


def _lines(file: IO[bytes], name: str, shape: type[Line], found: BundleCheck) -> Iterator[Line]:
    """The lines of a file; the first that cannot be read is named, and ends it."""
    decode_line, number = decoder(shape), 0
    while text := file.readline(MOST_LINE_BYTES):
        number += 1
        try:
            yield decode_line(text)
        except msgspec.DecodeError as wrong:
            found.tampering.append(f"{name} line {number} cannot be read: {wrong}")
            return


def _check_hand(facts: list[c.EventLine], told: c.VerdictLine | None, found: BundleCheck) -> None:
    hand = facts[0].stream
    broken = _broken_stream(facts)
    if broken is not None:
        found.tampering.append(f"hand {hand}: {broken}")
        return
    try:
        events = tuple(decode(fact.event) for fact in facts)
        judged = judge(events)
    except (CorruptHistory, msgspec.DecodeError) as wrong:
        found.tampering.append(f"hand {hand}: its facts cannot be applied: {wrong}")
        return
    found.clean += judged.verdict == "clean"
    found.clean_as_visible += judged.verdict == "clean_as_visible"
    found.ruled += judged.verdict == "ruled"
    number = _number(events)
    found.findings += [
        HandFinding(hand=hand, number=number, **msgspec.structs.asdict(finding))
        for finding in judged.findings
    ]
    _compare_verdict(hand, told, judged, found)


def _broken_stream(facts: list[c.EventLine]) -> str | None:
    """What is wrong with the order of a hand's facts."""
    for n, fact in enumerate(facts, 1):
        if fact.n != n:
            return f"fact {n} is missing"
    if any(before.position >= after.position for before, after in pairwise(facts)):
        return "its facts are not in the order of the log"
    return None


def _compare_verdict(
    hand: UUID, told: c.VerdictLine | None, judged: Verdict, found: BundleCheck
) -> None:
    """The exported verdict against the one the rules give now."""
    if told is None or told.hand != hand:
        found.tampering.append(f"hand {hand}: {c.VERDICTS} has no verdict for it in its place")
    elif told.rules_version != RULES_VERSION:
        found.unchecked.append(
            f"hand {hand}: judged by rules version {told.rules_version}, here {RULES_VERSION}"
        )
    elif (told.verdict, told.findings) != (judged.verdict, judged.findings):
        found.tampering.append(f"hand {hand}: the rules give another verdict than was exported")


def _number(events: tuple[HandEvent, ...]) -> str:
    started = events[0]
    return started.number if isinstance(started, HandStarted) else ""


def _schedules(archive: ZipFile, found: BundleCheck) -> Published:
    """The schedules in the bundle, which its hands are judged by.

    Those this program has itself must be the same, and the others fit to be raked by.
    """
    try:
        if archive.getinfo(c.SCHEDULES).file_size > MOST_BYTES_AT_ONCE:
            found.tampering.append(f"{c.SCHEDULES} is too large to be what it says")
            return {}
        schedules = decoder(c.Schedules)(archive.read(c.SCHEDULES))
    except msgspec.DecodeError as wrong:
        found.tampering.append(f"{c.SCHEDULES} cannot be read: {wrong}")
        return {}
    return {(s.id, s.version): s for s in schedules if _is_sound(s, found)}


def _is_sound(schedule: Schedule, found: BundleCheck) -> bool:
    """Whether hands can be judged by it at all."""
    if SCHEDULES.get((schedule.id, schedule.version), schedule) != schedule:
        found.tampering.append(
            f"rake schedule {schedule.id} {schedule.version} is not the published one"
        )
    try:
        require_sound(schedule)
    except BadSchedule as wrong:
        found.tampering.append(f"{c.SCHEDULES}: {schedule.id} {schedule.version}: {wrong}")
        return False
    return True
