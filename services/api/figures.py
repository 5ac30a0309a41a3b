"""Counts requests by route: after the answer, when the route that gave it is known.

Names and labels are those of `prometheus-fastapi-instrumentator`, which most dashboards know. Its
own way to the route's name goes through all routes once more, which was a tenth of an action.
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, Summary
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOT_COUNTED = frozenset({"/metrics", "/healthz"})
NO_ROUTE = "none"
FINE = (
    0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30,
    60,
)  # fmt: skip
COARSE = (0.1, 0.5, 1)


class Counted(NamedTuple):
    """One request that was answered: sizes in bytes, 0 where a header does not say."""

    method: str
    route: str
    status: int
    seconds: float
    asked: int
    answered: int


class Figures:
    """The counters of one service."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "http_requests_total",
            "Total number of requests by method, status and handler.",
            ("method", "status", "handler"),
            registry=registry,
        )
        self._seconds = Histogram(
            "http_request_duration_seconds",
            "Latency by handler, in few buckets.",
            ("method", "handler"),
            buckets=COARSE,
            registry=registry,
        )
        self._all_seconds = Histogram(
            "http_request_duration_highr_seconds",
            "Latency of all requests, in many buckets.",
            buckets=FINE,
            registry=registry,
        )
        self._asked = Summary(
            "http_request_size_bytes",
            "Content length of requests by handler.",
            ("handler",),
            registry=registry,
        )
        self._answered = Summary(
            "http_response_size_bytes",
            "Content length of answers by handler.",
            ("handler",),
            registry=registry,
        )
        # Methods, routes and statuses are few; their counters are looked up once.
        self._of = lru_cache(maxsize=2_048)(self._counters)

    def count(self, one: Counted) -> None:
        """Add a request."""
        requests, seconds, asked, answered = self._of(one.method, one.route, one.status // 100)
        requests.inc()
        seconds.observe(one.seconds)
        self._all_seconds.observe(one.seconds)
        asked.observe(one.asked)
        answered.observe(one.answered)

    def _counters(
        self, method: str, route: str, hundreds: int
    ) -> tuple[Counter, Histogram, Summary, Summary]:
        return (
            self._requests.labels(method, f"{hundreds}xx", route),
            self._seconds.labels(method, route),
            self._asked.labels(route),
            self._answered.labels(route),
        )


class CountRequests:
    """Counts every request but those of who watches the service."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self._app = app
        self._figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count it when it is over."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, answered, ended = perf_counter(), 500, 0, 0.0

        async def watch(message: Message) -> None:
            nonlocal status, answered, ended
            if message["type"] == "http.response.start":
                status, answered = message["status"], _length(message["headers"])
                ended = perf_counter()
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            route = getattr(scope.get("route"), "path_format", NO_ROUTE)
            if route not in NOT_COUNTED:
                # A feed is answered when it begins.
                seconds = (ended or perf_counter()) - began
                asked = _length(scope["headers"])
                self._figures.count(
                    Counted(scope["method"], route, status, seconds, asked, answered)
                )


def _length(headers: list[tuple[bytes, bytes]]) -> int:
    """What a message says of its size."""
    for name, value in headers:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
