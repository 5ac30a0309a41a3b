"""Checking a bundle of the first form: digests, streams without a gap, the rules run again.

Nothing is signed in it. Bundles of this form are made no more, and are checked for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

import msgspec

from domain.decoding import decoder
from domain.schedules import consulting
from services.bundles import contents as c
from services.bundles.found import EVERY, BundleCheck, CannotCheck, Progress
from services.bundles.judging import judge_hand, schedules_of
from services.proof.archive import BundleFile
from services.proof.errors import Unreadable

MOST_FACTS = 10_000

Line = TypeVar("Line")


def check_first_form(
    file: str, bundle: BundleFile, text: bytes, progress: Progress | None
) -> BundleCheck:
    """Check it in constant memory; `text` is its manifest. Raises `CannotCheck`."""
    try:
        manifest = decoder(c.FirstManifest)(text)
    except msgspec.DecodeError as wrong:
        raise CannotCheck(f"{file}: its manifest cannot be read: {wrong}") from None
    found = BundleCheck(file=file, room=manifest.room, view=manifest.view, version=1)
    _check_files(bundle, manifest, found)
    if all(name in bundle for name in (c.EVENTS, c.VERDICTS, c.SCHEDULES)):
        # Even where a digest is wrong already: the hand that was touched shall be named.
        try:
            with consulting(schedules_of(bundle, found)):
                _check_hands(bundle, manifest, found, progress)
        except Unreadable as wrong:
            found.bad(f"the archive is damaged: {wrong}")
    return found


def _check_files(bundle: BundleFile, manifest: c.FirstManifest, found: BundleCheck) -> None:
    """Every file the manifest names, with its digest, and no other."""
    named = {digest.name: digest for digest in manifest.files}
    for name in sorted(bundle.times.keys() - named.keys() - {c.MANIFEST}):
        found.bad(f"{name} is not in the manifest")
    for name in sorted(name for name, times in bundle.times.items() if times > 1):
        found.bad(f"{name} is in the archive twice")
    for name in (c.EVENTS, c.VERDICTS, c.SCHEDULES, c.HOUSE_RULES):
        if name not in named:
            found.bad(f"{name} is missing from the manifest")
    for digest in manifest.files:
        if digest.name not in bundle:
            found.bad(f"{digest.name} is missing")
        elif bundle.digest(digest.name) != digest.sha256:
            found.bad(f"{digest.name} is not the file its digest was made of")


def _check_hands(
    bundle: BundleFile, manifest: c.FirstManifest, found: BundleCheck, progress: Progress | None
) -> None:
    """Each hand's facts in order, judged again, against the verdict that was exported."""
    told = _lines(bundle, c.VERDICTS, c.VerdictLine, found)
    for facts in _hands(bundle, found):
        found.checked += 1
        found.events += len(facts)
        _check_hand(facts, next(told, None), found)
        if progress is not None and found.checked % EVERY == 0:
            progress(found.checked)
    if next(told, None) is not None:
        found.bad(f"{c.VERDICTS} tells of hands that are not in {c.EVENTS}")
    if (found.checked, found.events) != (manifest.hands, manifest.events):
        found.bad(
            f"the manifest says {manifest.hands} hands and {manifest.events} events,"
            f" there are {found.checked} and {found.events}"
        )


def _hands(bundle: BundleFile, found: BundleCheck) -> Iterator[list[c.FirstEventLine]]:
    """The facts of one hand after the other."""
    hand: list[c.FirstEventLine] = []
    for line in _lines(bundle, c.EVENTS, c.FirstEventLine, found):
        if hand and line.stream != hand[0].stream:
            yield hand
            hand = []
        hand.append(line)
        if len(hand) > MOST_FACTS:
            found.bad(f"hand {line.stream} has more than {MOST_FACTS} facts")
            return
    if hand:
        yield hand


def _lines(bundle: BundleFile, name: str, shape: type[Line], found: BundleCheck) -> Iterator[Line]:
    """The lines of a file; the first that cannot be read is named, and ends it."""
    decode_line = decoder(shape)
    for number, text in enumerate(bundle.lines(name), 1):
        try:
            yield decode_line(text)
        except msgspec.DecodeError as wrong:
            found.bad(f"{name} line {number} cannot be read: {wrong}")
            return


def _check_hand(
    facts: list[c.FirstEventLine], told: c.VerdictLine | None, found: BundleCheck
) -> None:
    hand = facts[0].stream
    broken = _broken_stream(facts)
    if broken is not None:
        found.bad(f"hand {hand}: {broken}")
        return
    judge_hand(hand, [bytes(fact.event) for fact in facts], told, found)


def _broken_stream(facts: list[c.FirstEventLine]) -> str | None:
    """What is wrong with the order of a hand's facts."""
    for n, fact in enumerate(facts, 1):
        if fact.n != n:
            return f"fact {n} is missing"
    if any(before.position >= after.position for before, after in pairwise(facts)):
        return "its facts are not in the order of the log"
    return None
