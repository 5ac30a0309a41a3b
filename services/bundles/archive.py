"""Writing a zip archive as a stream, every file digested on the way; the same bytes each time."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from services.bundles.contents import FileDigest

# Archives carry no clock of their own: the earliest time a zip can say.
NO_TIME = (1980, 1, 1, 0, 0, 0)

Write = Callable[[bytes], object]


class Archive:
    """A bundle being written; `digests` are those of the files finished so far."""

    def __init__(self, target: IO[bytes]) -> None:
        self._zip = ZipFile(target, "w", ZIP_DEFLATED)
        self.digests: list[FileDigest] = []

    def close(self) -> None:
        """Finish the archive."""
        self._zip.close()

    @contextlib.contextmanager
    def file(self, name: str, *, packed: bool = True) -> Iterator[Write]:
        """A file of the archive, written piece by piece."""
        info = ZipInfo(name, NO_TIME)
        info.compress_type = ZIP_DEFLATED if packed else ZIP_STORED
        info.external_attr = 0o644 << 16
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as out:

            def write(piece: bytes) -> None:
                nonlocal size
                digest.update(piece)
                size += len(piece)
                out.write(piece)

            yield write
        self.digests.append(FileDigest(name=name, bytes=size, sha256=digest.hexdigest()))

    @contextlib.contextmanager
    def later(self, *names: str) -> Iterator[tuple[Write, ...]]:
        """Files written while another is: they wait on disk, because an archive is one stream."""
        with contextlib.ExitStack() as stack:
            waiting = [stack.enter_context(tempfile.TemporaryFile()) for _ in names]
            yield tuple(file.write for file in waiting)
            for name, file in zip(names, waiting, strict=True):
                file.seek(0)
                with self.file(name) as write:
                    shutil.copyfileobj(file, _Writing(write))

    def put(self, name: str, content: bytes) -> None:
        """A whole file at once."""
        with self.file(name) as write:
            write(content)


class _Writing:
    """What `shutil` wants of a file."""

    def __init__(self, write: Write) -> None:
        self.write = write
