"""The route of the feed: what happens at the tables as it happens, as Server-Sent Events."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import Field
from starlette.types import Receive, Scope, Send

from domain.events import HandStarted
from domain.tables.events import TYPES as TABLE_TYPES
from services.access.events import key_stream
from services.api import asking, problems
from services.api.answers import PRIVATE
from services.api.asking import said
from services.api.files import on_file
from services.api.guard import Caller, caller_of
from services.api.parts import InService, Parts
from services.api.sight import WhyHeader, WhyParameter, possible_views, seen
from services.feed import Feed, Permit, Reader, Shown, ViewOf, Wanted
from services.replaying import PUBLIC, View
from services.store.players import as_id

NOT_BUFFERED = {"X-Accel-Buffering": "no"}  # What a proxy holds back does not happen now.
VIEWS = ("public", "own", "seat:N", "all")
MOST_POSITION = (1 << 63) - 1

Position = Annotated[int, Field(ge=0, le=MOST_POSITION)]
POSITION = said("write a position of the log, a whole number", "0 to the last position")
FeedView = Annotated[
    Annotated[str, Field(pattern=r"^(public|own|all|seat:([1-9]|10))$")],
    said("there is no such view", *VIEWS),
    Query(
        description="`public`; `own`, the cards of the player the key belongs to, wherever he"
        " sits; and, of one `hand`, `seat:N` or `all` as in the routes of hands."
    ),
]
After = Annotated[
    Position | None,
    POSITION,
    Query(description="Facts after this position of the log; not said: what happens from now on."),
]
LastEventId = Annotated[
    Position | None,
    POSITION,
    Header(alias="Last-Event-ID", description="The id last seen: goes before `after`."),
]
Most = Annotated[
    Annotated[int, Field(ge=1, le=MOST_POSITION)] | None,
    said("write how many facts, a whole number", "1 or more"),
    Query(description="After so many facts the stream ends; not said: it goes on."),
]
TableId = Annotated[
    UUID | None,
    said("write the id of a table", "the id of a table of this room"),
    Query(description="A table's id: its own facts and those of the hands it began."),
]
OneHand = Annotated[asking.Short | None, Query(description="A hand's id or the site's number.")]

ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Facts as they come; `data` is a FeedLine",
        "content": {
            EventSourceResponse.media_type: {
                "schema": {"type": "array", "title": "Feed"},
                "itemSchema": {
                    "type": "object",
                    "properties": {name: {"type": "string"} for name in ("event", "data", "id")},
                },
            }
        },
    }
}

router = APIRouter(tags=["feed"])


class Following(msgspec.Struct, frozen=True):
    """What is followed, by whom, with which view where it is not everybody's."""

    wanted: Wanted
    permit: Permit
    view_of: ViewOf | None


def following(
    request: Request,
    parts: InService,
    table: TableId = None,
    hand: OneHand = None,
    after: After = None,
    limit: Most = None,
    view: FeedView = "public",
    why: WhyParameter = None,
    why_header: WhyHeader = None,
    last_event_id: LastEventId = None,
) -> Following:
    """Everything that can be refused is refused before the stream begins."""
    caller = caller_of(request)
    since = after if last_event_id is None else last_event_id
    _require_written("after" if last_event_id is None else "Last-Event-ID", since, parts)
    _require_one(table, hand)
    _require_table(table, parts)
    file = None if hand is None else on_file(parts.room, hand)
    _require_sight(caller, view)
    if view in ("public", "own"):
        view_of = None if view == "public" else _own(caller)
    elif file is None:
        raise problems.bad_parameter("hand", f"the view {view} is of one hand", ("its id",))
    else:
        taken = seen(request, parts, file, view, why, why_header).view
        view_of = _always(taken)
    wanted = Wanted(hand=file.hand if file else None, table=table, after=since, limit=limit)
    permit = Permit(key=key_stream(caller.holder.id), expires_at=caller.holder.expires_at)
    return Following(wanted, permit, view_of)


class Stream(StreamingResponse):
    """Server-Sent Events; what they are made from ends with them, however they end.

    Given the events one by one the framework would make a stream of them by itself, but fails on
    every client that goes away while some are under way.
    """

    media_type = EventSourceResponse.media_type

    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        super().__init__(events, headers=PRIVATE | NOT_BUFFERED)
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until either side ends it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


@router.get(
    "/v1/feed",
    summary="Follow what happens",
    response_class=Response,
    responses=ANSWER,
)
async def feed(parts: InService, followed: Annotated[Following, Depends(following)]) -> Stream:
    """Facts of hands and tables, each once and in order; its id is where to go on after it."""
    return streamed(parts.feed, followed)


def streamed(feed: Feed, followed: Following) -> Stream:
    """What is followed, as a stream."""
    return Stream(_events(feed, followed))


async def _events(feed: Feed, followed: Following) -> AsyncGenerator[bytes]:
    with feed.counted():
        reader = Reader(feed, followed.wanted, followed.permit, followed.view_of)
        begins = await reader.begin()
        if begins is None:
            return
        # No fact, but from now on the client knows where it stands.
        yield format_sse_event(id=str(begins))
        async with contextlib.aclosing(reader.batches()) as batches:
            async for batch in batches:
                yield b"".join(map(_event, batch)) or KEEPALIVE_COMMENT


def _event(fact: Shown) -> bytes:
    return format_sse_event(data_str=fact.text, event=fact.type, id=str(fact.position))


def _require_written(name: str, position: int | None, parts: Parts) -> None:
    """Nobody can have seen what is not there yet: it would be another room's position."""
    if position is not None and position > (last := parts.room.store.head()):
        raise problems.bad_parameter(name, "the log is not as long", (f"0 to {last}",))


def _require_one(table: UUID | None, hand: str | None) -> None:
    if table is not None and hand is not None:
        message = "a table's feed has the hands it began: name either"
        raise problems.bad_parameter("hand", message, ("table", "hand"))


def _require_table(table: UUID | None, parts: Parts) -> None:
    if table is None:
        return
    facts = parts.room.store.load(table)
    if not facts or facts[0].type not in TABLE_TYPES:
        raise problems.bad_parameter("table", "this room has no such table", ("a table's id",))


def _require_sight(caller: Caller, view: str) -> None:
    """Raise a problem for a view the role has in no hand; of one hand `seen` says the rest."""
    kind = view.partition(":")[0]
    mine = "own" if kind == "seat" else kind
    if kind not in caller.sights and mine not in caller.sights:
        raise problems.ViewNotAllowed(possible_views(caller))


def _always(view: View) -> ViewOf:
    return lambda started: view


def _own(caller: Caller) -> ViewOf:
    """The view of a hand from where this player was dealt in, if he was."""

    def view_of(started: HandStarted) -> View:
        mine = [taken.seat for taken in started.seats if as_id(taken.player) == caller.player]
        return View("seat", mine[0]) if mine else PUBLIC

    return view_of
