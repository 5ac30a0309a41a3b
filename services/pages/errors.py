"""What goes wrong at a page is told as a page, in the words of the problem over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.access import OPEN_PAGES, PAGES
from services.api import problems
from services.api.describing import PROBLEM
from services.pages.forms import FormError
from services.pages.rendering import here, page, see_other
from services.pages.visiting import look_who_it_is

API = ("/v1/", "/openapi.json", "/metrics", "/healthz", "/readyz")
LONGEST_WAY_BACK = 2000
"""Characters of an address that signing in leads back to; it is itself in an address meanwhile."""

KEPT = ("retry-after", "x-request-id")


class AsPages:
    """Turns problems into pages where a page was asked for; everything else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; a problem is held back until it is whole."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun: Message | None = None
        told = b""

        async def watch(message: Message) -> None:
            nonlocal begun, told
            if message["type"] == "http.response.start" and _is_problem(scope, message):
                begun = message
            elif begun is None:
                await send(message)
            else:
                told += message.get("body", b"")

        await self._app(scope, receive, watch)
        if begun is not None:
            request = Request(scope, receive)
            await to_thread.run_sync(look_who_it_is, request)
            answer = _as_page(request, Headers(raw=begun["headers"]), told)
            await answer(scope, receive, send)


def _is_problem(scope: Scope, message: Message) -> bool:
    kind = Headers(raw=message["headers"]).get("content-type", "")
    return kind.startswith(PROBLEM) and _wants_a_page(scope)


def _wants_a_page(scope: Scope) -> bool:
    """Whether a page was asked for, or a browser asks for what is nowhere."""
    if (route := scope.get("route")) is not None:
        asked = f"{scope['method']} {route.path_format}"
        return asked in PAGES or asked in OPEN_PAGES
    accepted = Headers(scope=scope).get("accept", "")
    return "text/html" in accepted and not scope["path"].startswith(API)


def _sign_in(back: str) -> str:
    return "/sign-in" if len(back) > LONGEST_WAY_BACK else f"/sign-in?next={back}"


def mistyped(request: Request, wrong: Exception) -> Response:
    """The problem of a form whose page does not show it again, every field with what is wrong."""
    assert isinstance(wrong, FormError), "registered for nothing else"
    told = [problems.wrong(name, said) for name, said in wrong.form.errors.items()]
    return problems.exception_handler()(request, problems.bad_parameters(told))


def _as_page(request: Request, headers: Headers, told: bytes) -> Response:
    problem: Mapping[str, Any] = msgspec.json.decode(told)
    status = int(problem["status"])
    if status == 401 and request.method == "GET":
        return see_other(_sign_in(quote(here(request), safe="")))
    answer = page(
        request,
        "error.html",
        status,
        kind=problem["type"].rpartition(":")[2],
        words=problem["title"],
        detail=problem.get("detail"),
        errors=problem.get("errors", ()),
        candidates=problem.get("candidates", ()),
        request_id=headers.get("x-request-id"),
    )
    answer.headers.update({name: headers[name] for name in KEPT if name in headers})
    return answer
