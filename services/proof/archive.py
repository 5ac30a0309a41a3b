"""Reading a bundle's archive, which may be anybody's: a stream, bounded in everything."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from services.proof.errors import Unreadable

MOST_FILES = 32
MOST_DIRECTORY = 1 << 16  # Bytes: a bundle has about ten files.
MOST_LINE = 1 << 20
MOST_AT_ONCE = 1 << 20
MOST_SWELLING = 300
"""How many times its packed size a file may have: records of hands have ten times, or fifty."""

PIECE = 1 << 16
DAMAGE = (BadZipFile, zlib.error, EOFError, ValueError, RuntimeError)
"""What reading from a damaged archive raises."""

_PACKED_OTHERWISE = 0x61
"""Flags of files that are encrypted or patched, which no bundle has."""

_END, _END64, _LOCATOR64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_LONGEST_END = 22 + 65_535


class BundleFile:
    """An archive opened to be checked. Raises Unreadable where it is no whole archive of ours."""

    def __init__(self, path: Path) -> None:
        _require_small_directory(path)
        try:
            self._zip = ZipFile(path)
        except DAMAGE:
            raise Unreadable("it is not a whole zip archive") from None
        try:
            _require_ours(self._zip.infolist(), path.stat().st_size)
        except Unreadable:
            self._zip.close()
            raise
        self.times = Counter(self._zip.namelist())

    def __enter__(self) -> BundleFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self.times

    def size(self, name: str) -> int:
        """The bytes of a file, unpacked, as the archive says: more are never read."""
        return self._zip.getinfo(name).file_size

    def content(self, name: str, most: int = MOST_AT_ONCE) -> bytes:
        """A small file whole. Raises Unreadable if it is missing, damaged or too large to be it."""
        if name not in self:
            raise Unreadable(f"it has no {name}")
        if self.size(name) > most:
            raise Unreadable(f"its {name} is too large to be one")
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """A file piece by piece. Raises Unreadable where it is damaged."""
        try:
            with self._zip.open(name) as file:
                while piece := file.read(PIECE):
                    yield piece
        except KeyError:
            raise Unreadable(f"it has no {name}") from None
        except DAMAGE:
            raise Unreadable(f"its {name} is damaged") from None

    def lines(self, name: str) -> Iterator[bytes]:
        """A file line by line, without line feeds. Raises Unreadable at damage or a giant line."""
        try:
            with self._zip.open(name) as file:
                yield from _lines(file, name)
        except KeyError:
            raise Unreadable(f"it has no {name}") from None
        except DAMAGE:
            raise Unreadable(f"its {name} is damaged") from None

    def digest(self, name: str) -> str | None:
        """The SHA-256 of a file in hex; None if it is damaged."""
        digest = hashlib.sha256()
        try:
            for piece in self.pieces(name):
                digest.update(piece)
        except Unreadable:
            return None
        return digest.hexdigest()


def _lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MOST_LINE):
        number += 1
        if not line.endswith(b"\n"):
            raise Unreadable(f"its {name} ends within line {number}, or that line is too long")
        yield line[:-1]


def _require_ours(files: list[ZipInfo], archive_bytes: int) -> None:
    """Raise Unreadable for files that are packed as no bundle packs them: bombs among them."""
    if not all(_packed_as_ours(file) for file in files):
        raise Unreadable("its files are packed in another way")
    if sum(file.compress_size for file in files) > archive_bytes:
        raise Unreadable("its files lie over each other")
    for file in files:
        if file.file_size > MOST_SWELLING * file.compress_size + PIECE:
            raise Unreadable("one of its files would swell to far more than any bundle's")


def _packed_as_ours(file: ZipInfo) -> bool:
    known = file.compress_type in (ZIP_STORED, ZIP_DEFLATED)
    return known and not file.flag_bits & _PACKED_OTHERWISE


def _require_small_directory(path: Path) -> None:
    """Raise Unreadable before a directory of millions of files is read into memory."""
    with path.open("rb") as file:
        length = file.seek(0, 2)
        file.seek(max(0, length - _LONGEST_END - 20 - 56))
        tail = file.read()
    end = tail.rfind(_END)
    if end < 0 or len(tail) < end + 22:
        raise Unreadable("it is not a whole zip archive")
    files, size = struct.unpack_from("<HL", tail, end + 10)
    if tail[max(0, end - 20) : end].startswith(_LOCATOR64):
        large = tail.rfind(_END64, 0, end)
        if large < 0 or len(tail) < large + 56:
            raise Unreadable("it is not a whole zip archive")
        files, size = struct.unpack_from("<QQ", tail, large + 32)
    if files > MOST_FILES or size > MOST_DIRECTORY:
        raise Unreadable(f"it has more than {MOST_FILES} files")
