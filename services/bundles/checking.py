"""Checking a bundle offline, of whichever form: without a database, a network or trust in us."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from services.bundles import contents as c
from services.bundles.first_form import check_first_form
from services.bundles.found import BundleCheck, CannotCheck, Progress
from services.bundles.second_form import check_second_form
from services.proof.archive import BundleFile
from services.proof.bundle import read_earlier
from services.proof.bundle_tree import Earlier
from services.proof.canonical import read_json
from services.proof.errors import Unreadable
from services.proof.notes import VerifierKey, parse_vkey

__all__ = ["BundleCheck", "CannotCheck", "Progress", "check_bundle", "keys_of"]


def check_bundle(
    path: Path,
    progress: Progress | None = None,
    *,
    keys: Sequence[VerifierKey] = (),
    previous: Path | None = None,
) -> BundleCheck:
    """Check a bundle in constant memory. Raises `CannotCheck`.

    `keys` are those whose signature is believed; `previous` is a checkpoint from before, or an
    earlier bundle, which this one's log must go on from.
    """
    earlier = None if previous is None else _earlier(previous)
    try:
        with BundleFile(path) as bundle:
            return _check(path, bundle, keys, earlier, progress)
    except FileNotFoundError:
        raise CannotCheck(f"there is no file {path}") from None
    except OSError as wrong:
        raise CannotCheck(f"{path} cannot be read: {wrong.strerror}") from None
    except Unreadable as wrong:
        raise CannotCheck(f"{path} is no bundle of ours: {wrong}") from None


def keys_of(texts: Sequence[str]) -> list[VerifierKey]:
    """Verifier keys from their texts. Raises `CannotCheck`."""
    try:
        return [parse_vkey(text) for text in texts]
    except Unreadable as wrong:
        raise CannotCheck(f"--vkey: {wrong}") from None


def _check(
    path: Path,
    bundle: BundleFile,
    keys: Sequence[VerifierKey],
    earlier: Earlier | None,
    progress: Progress | None,
) -> BundleCheck:
    text = bundle.content(c.MANIFEST)
    told = read_json(text, f"its {c.MANIFEST}")
    if told.get("format") != c.FORMAT:
        raise Unreadable(f"its format is not {c.FORMAT!r}")
    if told.get("version") != 1:
        return check_second_form(str(path), bundle, text, keys, earlier, progress)
    found = check_first_form(str(path), bundle, text, progress)
    if keys or earlier is not None:
        found.open("the signature: a bundle of the first form has no checkpoint, nobody signed it")
    return found


def _earlier(path: Path) -> Earlier:
    try:
        return read_earlier(path)
    except OSError as wrong:
        raise CannotCheck(f"--previous: {path} cannot be read: {wrong.strerror}") from None
    except Unreadable as wrong:
        raise CannotCheck(f"--previous: {path} is no checkpoint and no bundle: {wrong}") from None
