"""Addresses as they are written: what no address can have in it is percent-encoded."""

from __future__ import annotations

from urllib.parse import quote

from starlette.types import ASGIApp, Receive, Scope, Send

WRITTEN = "".join(map(chr, range(0x21, 0x7F)))


class Addresses:
    """Writes the query of every request so that whoever reads it later can.

    A server passes on bytes that are no text, as they came. Encoded, they are characters nobody
    knows, and refused or not found as those are.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with such a query."""
        if scope["type"] == "http":
            scope["query_string"] = quote(scope["query_string"], safe=WRITTEN).encode()
        await self._app(scope, receive, send)
