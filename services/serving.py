"""The service put together: doors, the API, the pages, problems, and the room behind them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

from anyio import to_thread
from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.types import Lifespan

from services.access import Keys, Sessions
from services.api import (
    access,
    dispute_acts,
    dispute_reports,
    dispute_supposing,
    disputes,
    exports,
    feed,
    hands,
    health,
    ledger,
    live,
    log,
    problems,
    rake,
    tables,
    whatif,
    witness,
)
from services.api.addresses import Addresses
from services.api.arriving import Arrival
from services.api.background import Background
from services.api.describing import describe, parameters
from services.api.guard import guard
from services.api.headers import SecurityHeaders
from services.api.limiting import Limiter
from services.api.logs import RequestLog
from services.api.metrics import add_metrics
from services.api.names import KeptNames
from services.api.parts import Parts
from services.api.settings import ApiSettings
from services.api.sizes import SizeLimits
from services.dealing import decks_of
from services.feed import Feed, feed_of
from services.ledger.daily import DailyClose
from services.live import KeptHands, Live, Now, utc_now
from services.live_clock import keeper_of
from services.log.following import signing_follower_of
from services.pages import PAGE_ROUTES, AsPages
from services.pages.errors import mistyped
from services.pages.forms import FormError
from services.projecting import projector_of
from services.projecting.following import follower_of
from services.store.room import Room

ABOUT = "Hand histories of stud poker: replay, pots, odd chips, rake, and whether it was right."

ROUTES = (
    live,  # Asked most, and routes are looked at in turn.
    health,
    hands,
    tables,
    disputes,
    dispute_acts,
    dispute_supposing,
    dispute_reports,
    whatif,
    rake,
    ledger,
    feed,
    log,
    access,
    witness,
    exports,
)


class Service(FastAPI):
    """The app; its description is made once, from the structs its answers are made of."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document."""
        if self.openapi_schema is None:
            self.openapi_schema = describe(self)
        return self.openapi_schema


def create_app(room: Room, options: ApiSettings, now: Now = utc_now) -> Service:
    """The service of an open room, which must stay open as long as the service runs.

    `now` is the clock of live play.
    """
    playing = Live(room, decks_of(room), now, KeptHands())
    background, following = _background(room, options, playing), feed_of(room)
    app = Service(
        title="StudLedger",
        version=version("studledger"),
        description=ABOUT,
        openapi_url=None,  # It has a route of its own, behind the guard like every other.
        dependencies=[Depends(guard)],
        middleware=_around(options, now),
        lifespan=_while_running(background, following),
    )
    handler = problems.exception_handler()
    for kind in problems.HANDLED:
        app.add_exception_handler(kind, handler)
    app.add_exception_handler(FormError, mistyped)
    for routes in (*ROUTES, *PAGE_ROUTES):
        app.include_router(routes.router)
    projector = projector_of(room)
    add_metrics(app, projector.status)
    app.state.parts = Parts(
        settings=options,
        room=room,
        keys=Keys(room.pool, room.store),
        sessions=Sessions(room.pool, room.store, options.lasting),
        limiter=Limiter(options),
        projector=projector,
        background=background,
        feed=following,
        live=playing,
        names=KeptNames(room.players),
        parameters=parameters(app.routes),
    )
    return app


def _background(room: Room, options: ApiSettings, playing: Live) -> Background:
    """What is kept up beside the requests."""
    return Background(
        follower_of(room),
        room.database.ensure_running,
        keeper_of(playing, options.clock),
        signing_follower_of(room, options.checkpoint_seconds),
        DailyClose(room, options.first_days, playing.now) if options.daily_close else None,
    )


def _around(options: ApiSettings, now: Now) -> list[Middleware]:
    """What every request passes on its way in, the outermost first."""
    return [
        Middleware(Arrival, now=now),
        Middleware(Addresses),
        Middleware(CorrelationIdMiddleware),
        Middleware(SecurityHeaders),
        Middleware(AsPages),
        Middleware(RequestLog),
        Middleware(SizeLimits, max_query=options.max_query, max_body=options.max_body),
    ]


def _while_running(background: Background, following: Feed) -> Lifespan[FastAPI]:
    """What runs as long as the service does."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        background.start()
        try:
            yield
        finally:
            following.end()
            # A page that is being taken in is taken in: the loop does not wait for it.
            await to_thread.run_sync(background.stop)
            await to_thread.run_sync(following.stop)

    return lifespan
