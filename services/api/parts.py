"""What the routes work with, put together once and the same for all requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple, cast

from fastapi import Depends, Request

from services.access import Keys, Sessions
from services.api.background import Background
from services.api.limiting import Limiter
from services.api.names import KeptNames
from services.api.settings import ApiSettings
from services.feed import Feed
from services.live import Live
from services.projecting import Projector
from services.store.room import Room


class Parts(NamedTuple):
    """An open room and what stands around it.

    `parameters` are the query parameters by route, and whether each may be given repeatedly.
    """

    settings: ApiSettings
    room: Room
    keys: Keys
    sessions: Sessions
    limiter: Limiter
    projector: Projector
    background: Background
    feed: Feed
    live: Live
    names: KeptNames
    parameters: Mapping[str, Mapping[str, bool]]


def parts_of(request: Request) -> Parts:
    """The parts of the running service."""
    return cast(Parts, request.app.state.parts)


async def _in_service(request: Request) -> Parts:
    """The parts, without a thread: nothing is waited for."""
    return parts_of(request)


InService = Annotated[Parts, Depends(_in_service)]
