"""The short way for what is asked all the time: one thread, and nothing looked up by name.

The framework reads each header and parameter by itself and waits for a thread at each step, which
takes longer than deciding an action. A request that is as it should be goes straight to its
route; any other goes the long way, which knows how to say what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

from fastapi import Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials
from starlette.concurrency import run_in_threadpool

from services.api.guard import guard

_SHOWN = re.compile(r"Bearer (\S+)")
_HAND = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TURN = re.compile(r'"([0-9a-f-]{1,40})"')
_KEY = re.compile(r"([\x20-\x7e]{1,200})")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Plain(NamedTuple):
    """What a request says outside its body, with nothing in it that might be wrong in form.

    `shown` is the key of whoever asks, `key` the one under which it may come again.
    """

    shown: str
    hand: str
    turn: str
    key: str | None


Straight = Callable[[Request, Plain, bytes], Response]


def straight_to(answer: Straight) -> type[APIRoute]:
    """A kind of route that lets plain requests pass the guard and then be answered by this.

    Both happen in one thread. All else of the route, its description included, stays as it is.
    """

    class StraightRoute(APIRoute):
        def get_route_handler(self) -> Handler:
            return _either(answer, super().get_route_handler())

    return StraightRoute


def _either(answer: Straight, long_way: Callable[[Request], Awaitable[Response]]) -> Handler:
    def passed(request: Request, said: Plain, body: bytes) -> Response:
        guard(request, HTTPAuthorizationCredentials(scheme="Bearer", credentials=said.shown))
        return answer(request, said, body)

    async def handler(request: Request) -> Response:
        said = plain(request)
        if said is None:
            return await long_way(request)
        return await run_in_threadpool(passed, request, said, await request.body())

    return handler


def plain(request: Request) -> Plain | None:
    """What a request says, None if anything of it is not as it usually is."""
    hand = request.path_params["hand"]
    headers = dict(request.scope["headers"])
    if len(headers) < len(request.scope["headers"]) or not _HAND.fullmatch(hand):
        return None  # Of a header that came twice, one would be lost.
    shown = _SHOWN.fullmatch(headers.get(b"authorization", b"").decode("latin-1"))
    turn = _TURN.fullmatch(headers.get(b"if-match", b"").decode("latin-1"))
    named = headers.get(b"idempotency-key")
    key = None if named is None else _KEY.fullmatch(named.decode("latin-1"))
    if shown is None or turn is None or (named is not None and key is None):
        return None
    return Plain(shown[1], hand, turn[1], key and key[1])
