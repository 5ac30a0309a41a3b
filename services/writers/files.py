"""Files that are there only once everything is in them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from services.errors import ServiceError


class CannotWrite(ServiceError):
    """A file cannot be written; the sentence says which and why."""


@contextlib.contextmanager
def appearing_whole(target: Path) -> Iterator[IO[bytes]]:
    """A file that is written under another name and takes its own when everything is in it.

    If anything goes wrong, nothing is left and what was there before stays. Raises CannotWrite.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".export-", delete=False) as out:
            try:
                yield out
                write_through(out)
                Path(out.name).replace(target)
            except BaseException:
                Path(out.name).unlink()
                raise
    except OSError as refused:
        raise CannotWrite(f"{target} cannot be written: {refused.strerror}") from None


def write_through(out: IO[bytes]) -> None:
    """All that was written so far is on the disk, or it is known that there is no room for it."""
    out.flush()
    os.fsync(out.fileno())
