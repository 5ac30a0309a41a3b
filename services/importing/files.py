"""Which files a list of paths means: folders with all they hold, in an order that never varies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from services.readers.encoding import printable
from services.readers.record import Rejected


def files_of(paths: Iterable[Path]) -> Iterator[Path | Rejected]:
    """Every file, folders walked in the order of names; what leads to no file is rejected.

    Hidden files inside a folder are left out; links to folders are not followed.
    """
    for path in paths:
        if not path.is_dir():
            yield path if path.exists() else _rejected(path, "no such file or folder")
            continue
        found = False
        for inside in _walk(path):
            found = True
            yield inside
        if not found:
            yield _rejected(path, "the folder holds no files")


def _walk(folder: Path) -> Iterator[Path | Rejected]:
    closed: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=closed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(where, name)
    for wrong in closed:
        reason = f"cannot be read: {wrong.strerror or 'unknown error'}"
        yield _rejected(Path(wrong.filename or folder), reason)


def _rejected(path: Path, reason: str) -> Rejected:
    return Rejected(file=printable(path), line=1, reason=reason)
