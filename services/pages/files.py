"""Style sheets and scripts, read once; each has its content's digest in its address."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Response
from starlette.exceptions import HTTPException

router = APIRouter(include_in_schema=False)

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"


class StaticFile(msgspec.Struct, frozen=True):
    """One file; `version` is another whenever its content is."""

    content: bytes
    media_type: str
    version: str


def _read() -> Mapping[str, StaticFile]:
    found = {}
    for file in files("services.pages").joinpath("static").iterdir():
        if kind := TYPES.get(file.name.rpartition(".")[2]):
            content = file.read_bytes()
            version = hashlib.sha256(content).hexdigest()[:12]
            found[file.name] = StaticFile(content, kind, version)
    return found


FILES = _read()
"""Every static file by its name: there is no path to get lost in."""


@router.get("/static/{name}")
async def static_file(name: str, v: Annotated[str | None, Query()] = None) -> Response:
    """A file; one that is asked for by its version is kept for good."""
    file = FILES.get(name)
    if file is None:
        raise HTTPException(404)
    kept = FOR_EVER if v == file.version else ASK_AGAIN
    return Response(file.content, media_type=file.media_type, headers={"Cache-Control": kept})
