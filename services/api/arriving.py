"""When a request arrived: stamped before anything else is done with it."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from services.live import Now


class Arrival:
    """Stamps every request, outside everything that may take time."""

    def __init__(self, app: ASGIApp, now: Now) -> None:
        self._app = app
        self._now = now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, stamped."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["arrived_at"] = self._now()
        await self._app(scope, receive, send)


def arrived(request: Request) -> datetime:
    """When the request arrived, in UTC: the time of the events it becomes."""
    return cast(datetime, request.state.arrived_at)
