"""What is too large is refused before anybody reads it."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.problems import BodyTooLarge, QueryTooLong, exception_handler


class SizeLimits:
    """Limits a request's query and body, both in bytes, to what any question needs."""

    def __init__(self, app: ASGIApp, max_query: int, max_body: int) -> None:
        self._app = app
        self._max_query = max_query
        self._max_body = max_body
        self._answer = exception_handler()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is small enough; count a body that does not say its size."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if problem := self._too_large(scope):
            await self._answer(Request(scope), problem)(scope, receive, send)
            return
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._max_body:
                raise HTTPException(BodyTooLarge.status)
            return message

        await self._app(scope, counted, send)

    def _too_large(self, scope: Scope) -> BodyTooLarge | QueryTooLong | None:
        if len(scope["query_string"]) > self._max_query:
            return QueryTooLong(f"at most {self._max_query} bytes are read")
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal() or int(declared) > self._max_body:
            return BodyTooLarge(f"at most {self._max_body} bytes are read")
        return None
