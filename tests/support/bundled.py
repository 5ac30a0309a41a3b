"""Bundles for tests: made of a room, and made again by somebody who touched them."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from services.bundles import contents as c
from services.bundles.checking import BundleCheck, check_bundle
from services.log.checkpoints import Checkpoints
from services.proof.canonical import canonical
from services.proof.notes import VerifierKey
from services.store.room import Room

Change = Callable[[str, bytes], bytes | None]
"""A file of a bundle by its name, and what becomes of it; None: it is left out."""

Line = dict[str, Any]


def keys(room: Room) -> tuple[VerifierKey, ...]:
    """The verifier keys a room gave out."""
    return Checkpoints(room).keys.known()


def content(bundle: Path, name: str) -> bytes:
    """A file of a bundle."""
    with zipfile.ZipFile(bundle) as archive:
        return archive.read(name)


def everything_in(bundle: Path) -> bytes:
    """All files of a bundle unpacked, in one."""
    with zipfile.ZipFile(bundle) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def lines(bundle: Path, name: str) -> list[Line]:
    """The lines of a file of a bundle."""
    return [json.loads(line) for line in content(bundle, name).splitlines()]


def spelled(told: Iterable[Line]) -> bytes:
    """Lines as a bundle has them."""
    return b"".join(canonical(line) + b"\n" for line in told)


def rewritten(bundle: Path, change: Change, *, forged: bool = True) -> Path:
    """The bundle with files changed; `forged`: by somebody who makes the digests anew as well."""
    touched = bundle.with_name(f"touched-{bundle.name}")
    with zipfile.ZipFile(bundle) as whole:
        files = {name: whole.read(name) for name in whole.namelist()}
    changed = {name: change(name, old) for name, old in files.items()}
    kept = {name: new for name, new in changed.items() if new is not None}
    if forged and c.MANIFEST in kept:
        manifest = json.loads(kept[c.MANIFEST])
        manifest["files"] = [_digest(name, kept[name]) for name in kept if name != c.MANIFEST]
        kept[c.MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(touched, "w", zipfile.ZIP_DEFLATED) as out:
        for name, new in kept.items():
            out.writestr(name, new)
    return touched


def with_lines(bundle: Path, name: str, change: Callable[[list[Line]], Sequence[Line]]) -> Path:
    """The bundle with the lines of one file changed, and its digests made anew."""
    new = spelled(change(lines(bundle, name)))
    return rewritten(bundle, lambda held, old: new if held == name else old)


def in_file(name: str, change: Callable[[bytes], bytes | None]) -> Change:
    """A change of one file, the others as they are."""
    return lambda held, old: change(old) if held == name else old


def checked(room: Room, bundle: Path, previous: Path | None = None) -> BundleCheck:
    """What an auditor finds who has the room's keys."""
    return check_bundle(bundle, keys=keys(room), previous=previous)


def _digest(name: str, content: bytes) -> dict[str, object]:
    return {
        "name": name,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
