"""Checking a bundle of the second form, all but the rules: those the caller runs, hand by hand."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from services.proof import manifest as m
from services.proof.archive import BundleFile
from services.proof.bundle_streams import BundleStreams, ProvenFact, ProvenHand
from services.proof.bundle_tree import BundleTree, Earlier, as_text
from services.proof.errors import Unreadable
from services.proof.manifest import Manifest, read_manifest
from services.proof.notes import MOST_BYTES, VerifierKey, parse_note
from services.proof.report import Report


def proven(
    bundle: BundleFile,
    keys: Sequence[VerifierKey],
    earlier: Earlier | None,
    report: Report,
) -> Iterator[ProvenHand | ProvenFact]:
    """Check files, signature, tree and chain; then every event, while it is asked for.

    What is wrong goes into `report`. Raises Unreadable where nothing more can be checked.
    """
    manifest, text = read_manifest(bundle)
    _check_files(bundle, manifest, report)
    if earlier is not None and earlier.manifest != hashlib.sha256(text).hexdigest():
        _check_chain(manifest, earlier, report)
    with tempfile.TemporaryFile() as leaves:
        tree = BundleTree(bundle, manifest, keys, report, leaves)
        tree.check(earlier)
        yield from BundleStreams(bundle, manifest, tree, report).proven()


def read_earlier(path: Path) -> Earlier:
    """A checkpoint of before, or that of an earlier bundle. Raises Unreadable or OSError."""
    with path.open("rb") as file:
        begins = file.read(MOST_BYTES + 1)
    if begins.startswith(b"PK"):
        return _of_bundle(path)
    note = as_text(begins, "it")
    parse_note(note)
    return Earlier(note)


def _of_bundle(path: Path) -> Earlier:
    with BundleFile(path) as bundle:
        manifest, text = read_manifest(bundle)
        note = as_text(bundle.content(m.CHECKPOINT), f"its {m.CHECKPOINT}")
    return Earlier(note, manifest.number, hashlib.sha256(text).hexdigest())


def _check_files(bundle: BundleFile, manifest: Manifest, report: Report) -> None:
    """Every file the manifest names, with its digest, and no other. Raises Unreadable."""
    for name in (m.CHECKPOINT, m.EVENTS, m.DISCLOSURES, m.CONSISTENCY):
        if name not in bundle:
            raise Unreadable(f"it has no {name}, and without that nothing can be proven")
    for name in sorted(bundle.times.keys() - manifest.files.keys() - {m.MANIFEST}):
        report.bad(f"{name!r} is not in the manifest")
    for name in sorted(name for name, times in bundle.times.items() if times > 1):
        report.bad(f"{name!r} is in the archive twice")
    for name, digest in manifest.files.items():
        if name not in bundle:
            report.bad(f"{name!r} is missing")
        elif bundle.digest(name) != digest:
            report.bad(f"{name!r} is not the file its digest in the manifest was made of")


def _check_chain(manifest: Manifest, earlier: Earlier, report: Report) -> None:
    """That this bundle follows an earlier one, where an earlier one is there to follow."""
    if earlier.number is None:
        return
    if manifest.number == earlier.number + 1:
        if manifest.previous != earlier.manifest:
            report.bad(
                f"the manifest is number {manifest.number} and does not follow the bundle you have"
                f" as number {earlier.number}: one of them is not the room's"
            )
    elif manifest.number > earlier.number:
        report.open(
            f"that the manifests are one chain: between number {earlier.number} and"
            f" {manifest.number} there are bundles you did not name"
        )
    else:
        report.bad(
            f"the manifest is number {manifest.number}, and an earlier bundle was number"
            f" {earlier.number} already"
        )
