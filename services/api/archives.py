"""Sending an archive that is made on the spot: it lies in a folder of its own until it is sent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from services.api.answers import PRIVATE

ZIP = "application/zip"
ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The archive; `studledger verify --bundle` checks it",
        "content": {ZIP: {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""How a route is declared that answers with one."""


def as_archive(name: str, make: Callable[[Path], object]) -> FileResponse:
    """What `make` writes at the path it is given, sent under this name and removed afterwards."""
    target = Path(tempfile.mkdtemp(prefix="studledger-export-")) / name
    try:
        make(target)
    except BaseException:
        _remove(target)
        raise
    done = BackgroundTask(_remove, target)
    return FileResponse(target, headers=PRIVATE, media_type=ZIP, filename=name, background=done)


def _remove(target: Path) -> None:
    target.unlink(missing_ok=True)
    target.parent.rmdir()
