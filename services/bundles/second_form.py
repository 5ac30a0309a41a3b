"""Checking a bundle of the second form: what was sealed and signed, and the rules run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.schedules import consulting
from services.bundles import contents as c
from services.bundles.beside import Beside, require_known_files
from services.bundles.cases import Cases
from services.bundles.found import EVERY, BundleCheck, CannotCheck, Progress
from services.bundles.judging import judge_hand, schedules_of
from services.proof.archive import BundleFile
from services.proof.bundle import proven
from services.proof.bundle_streams import ProvenFact, ProvenHand
from services.proof.bundle_tree import Earlier
from services.proof.errors import Unreadable
from services.proof.manifest import Manifest, parse_manifest
from services.proof.notes import VerifierKey
from services.proof.report import Report

VERDICT = decoder(c.VerdictLine)


def check_second_form(
    file: str,
    bundle: BundleFile,
    text: bytes,
    keys: Sequence[VerifierKey],
    earlier: Earlier | None,
    progress: Progress | None,
) -> BundleCheck:
    """Check it in constant memory; `text` is its manifest. Raises `CannotCheck`."""
    try:
        manifest = parse_manifest(text)
    except Unreadable as wrong:
        raise CannotCheck(f"{file} cannot be checked: {wrong}") from None
    report = Report()
    found = BundleCheck(
        file=file, room=manifest.room, view=manifest.view, version=2, number=manifest.number
    )
    found.tampering, found.unchecked = report.tampering, report.unchecked
    try:
        with consulting(schedules_of(bundle, found)):
            _judge_hands(bundle, manifest, keys, earlier, report, found, progress)
    except Unreadable as wrong:
        if not report.tampering and not found.checked:
            raise CannotCheck(f"{file} cannot be checked: {wrong}") from None
        report.bad(f"the archive is damaged or was made by somebody else: {wrong}")
    found.origin, found.leaves = report.origin or None, report.leaves
    found.hidden, found.signed_by = report.hidden, report.signed_by
    found.events, found.live = report.events, report.live
    return found


def _judge_hands(
    bundle: BundleFile,
    manifest: Manifest,
    keys: Sequence[VerifierKey],
    earlier: Earlier | None,
    report: Report,
    found: BundleCheck,
    progress: Progress | None,
) -> None:
    """Every proven hand by the rules. One that is not proven was named, and is not judged."""
    verdicts, beside = _verdicts(bundle), Beside(bundle, manifest, report)
    cases = Cases(manifest, report)
    for proof in proven(bundle, keys, earlier, report):
        if isinstance(proof, ProvenFact):
            beside.learn(proof.event)
            cases.learn(proof.stream, proof.event)
            continue
        found.checked += 1
        _judge(proof, next(verdicts, None), beside, cases, found)
        if progress is not None and found.checked % EVERY == 0:
            progress(found.checked)
    if next(verdicts, None) is not None:
        report.bad(f"{c.VERDICTS} tells of hands that are not in {c.EVENTS}")
    beside.finish()
    cases.finish()
    require_known_files(bundle, manifest, report)


def _judge(
    proof: ProvenHand,
    told: c.VerdictLine | None,
    beside: Beside,
    cases: Cases,
    found: BundleCheck,
) -> None:
    hand, judged = UUID(proof.hand), None
    if proof.sound:
        states = [msgspec.json.encode(event) for event in proof.events]
        judged = judge_hand(hand, states, told, found)
    if judged is None:
        beside.skip()
        cases.skip()
    else:
        cases.take(hand, judged.events)
        beside.take(hand, proof.leaves, judged.events, judged.verdict)


def _verdicts(bundle: BundleFile) -> Iterator[c.VerdictLine]:
    for number, line in enumerate(bundle.lines(c.VERDICTS), 1):
        try:
            yield VERDICT(line)
        except msgspec.DecodeError as wrong:
            raise Unreadable(f"{c.VERDICTS} line {number} cannot be read: {wrong}") from None
