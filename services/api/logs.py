"""Logs as JSON lines on stderr: one per request, without cards, keys or names.

Query strings and paths stay out of them, and of an exception only its kind and place: its text
may hold anything.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from typing import Any

import structlog
from asgi_correlation_id import correlation_id
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.problems import InternalError, exception_handler

QUIET = ("uvicorn.access", "asgi_correlation_id", "python_multipart")
"""What libraries would log of a request: its address, its body letter by letter."""

_log = structlog.get_logger()


def configure_logs(level: int = logging.INFO) -> None:
    """Send everything this process logs, libraries included, through one form."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _with_request,
        _without_text,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)


class RequestLog:
    """Logs every request when it is answered, and answers for a bug that no route handled."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._problem = exception_handler()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, watching what becomes of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception:
            _log.exception("request.failed", route=_route(scope))
            if status:
                raise
            status = InternalError.status
            await self._apologise(scope, receive, send)
        finally:
            took = round(1000 * (time.perf_counter() - began), 1)
            _log.info("request", route=_route(scope), status=status, ms=took, **_who(scope))

    async def _apologise(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._problem(Request(scope, receive), InternalError())
        await response(scope, receive, send)


def _route(scope: Scope) -> str:
    """The route's pattern: a path may name a hand, and a query a player."""
    route = scope.get("route")
    return f"{scope['method']} {route.path_format if route else '(none)'}"


def _who(scope: Scope) -> dict[str, str]:
    caller = scope.get("state", {}).get("caller")
    if caller is None:
        return {}
    return {"subject": caller.actor, "key": caller.holder.id, "role": caller.holder.role}


def _with_request(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    request_id = correlation_id.get()
    if request_id:
        event["request_id"] = request_id
    return event


def _without_text(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """An exception as its kind and where it happened."""
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        event["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-4:]]
    return event
