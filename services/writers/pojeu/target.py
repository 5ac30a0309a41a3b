"""Where the files go: a folder, or one zip archive; each is read back before it counts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from services.writers.files import CannotWrite, appearing_whole
from services.writers.hand import CannotSay

# Archives carry no clock of their own: the earliest time a zip can say.
NO_TIME = (1980, 1, 1, 0, 0, 0)

Check = Callable[[bytes], None]
"""Raises `CannotSay` if a document is not as it must be."""

Put = Callable[[str, bytes], None]
"""Write a document under a name. Raises `CannotSay`, and then it is not there."""


@contextlib.contextmanager
def opened(output: Path, check: Check) -> Iterator[Put]:
    """Where documents are put: an archive if `output` ends in `.zip`, else a folder.

    Raises `CannotWrite`.
    """
    if output.suffix.lower() == ".zip":
        with _archive(output, check) as put:
            yield put
    else:
        yield _folder(output, check)


def _folder(folder: Path, check: Check) -> Put:
    """Every file appears by itself, once it was read back and found right."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as refused:
        raise CannotWrite(f"{folder} cannot be made: {refused.strerror}") from None

    def put(name: str, document: bytes) -> None:
        with appearing_whole(folder / name) as out:
            out.write(document)
            out.flush()
            check(Path(out.name).read_bytes())

    return put


@contextlib.contextmanager
def _archive(target: Path, check: Check) -> Iterator[Put]:
    """A document is checked before it goes in, and all of them again before the file appears."""
    with appearing_whole(target) as out:
        with ZipFile(out, "w", ZIP_DEFLATED) as archive:

            def put(name: str, document: bytes) -> None:
                check(document)
                info = ZipInfo(name, NO_TIME)
                info.compress_type = ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                archive.writestr(info, document)

            yield put
        out.flush()
        _read_back(Path(out.name), target, check)


def _read_back(written: Path, target: Path, check: Check) -> None:
    try:
        with ZipFile(written) as archive:
            for info in archive.infolist():
                check(archive.read(info))
    except (CannotSay, BadZipFile) as wrong:
        raise CannotWrite(f"{target} is not what was written to it: {wrong}") from None
