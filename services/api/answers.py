"""Answers: encoded once from structs, with a tag by which a client sees that nothing changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec
from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from services.api.accepting import JSON, LINES, chosen

# Kept by the client only, and used again only after asking.
REVALIDATED = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
PRIVATE = {"Cache-Control": "no-store", "Vary": "Authorization, Accept"}

encode = msgspec.json.Encoder().encode


def answer(body: object, *, status: int = 200, link: str | None = None) -> Response:
    """A struct as JSON; `link` is the value of a Link header."""
    headers = PRIVATE | ({"Link": link} if link else {})
    return Response(encode(body), status, headers, media_type=JSON)


def tagged(request: Request, body: object) -> Response:
    """A struct as JSON under an ETag; nothing but the tag if the client has it already."""
    return _tagged(request, encode(body), JSON)


def tagged_lines(request: Request, lines: Iterable[object]) -> Response:
    """JSON Lines under an ETag: the events of one hand are few."""
    return _tagged(request, b"".join(encode(line) + b"\n" for line in lines), LINES)


def streamed_lines(lines: Iterable[object], *, link: str | None = None) -> Response:
    """JSON Lines, line by line."""
    headers = PRIVATE | ({"Link": link} if link else {})
    return StreamingResponse(
        (encode(line) + b"\n" for line in lines), headers=headers, media_type=LINES
    )


def wants_lines(request: Request) -> bool:
    """Whether the client takes JSON Lines rather than JSON. Raises NotAcceptable for neither."""
    return chosen(request, JSON, LINES) == LINES


def as_file(content: str | bytes, form: str, name: str) -> Response:
    """A file of this name, for a spreadsheet."""
    headers = PRIVATE | {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type=form)


def next_link(request: Request, cursor: str | None) -> str | None:
    """The Link header's value for the page after `cursor`."""
    if cursor is None:
        return None
    following = request.url.include_query_params(after=cursor)
    return f'<{following.path}?{following.query}>; rel="next"'


def _tagged(request: Request, content: bytes, media_type: str) -> Response:
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = REVALIDATED | {"ETag": tag}
    if _has(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=media_type)


def _has(request: Request, tag: str) -> bool:
    """Whether If-None-Match names the tag (weakly, as RFC 9110 has it)."""
    named = request.headers.get("If-None-Match", "")
    tags = [part.strip().removeprefix("W/") for part in named.split(",")]
    return "*" in tags or tag in tags
