"""Tables as they are being played: found, looked at, and followed as the feed tells of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from msgspec.structs import replace

from domain.games import GAMES
from domain.house_rules import ALL_GAMES
from services.api import asking
from services.api.feed import After, Following, LastEventId, Stream, following, streamed
from services.api.parts import InService
from services.api.tables import IsOpen, TableId
from services.feed import FEED_TYPES
from services.pages.live_shown import table_now
from services.pages.rake_asked import address
from services.pages.rendering import complete, page
from services.pages.search import Paged
from services.reports import TablesWanted, find_tables

router = APIRouter(include_in_schema=False)

ASKED_AGAIN = timedelta(minutes=10)
"""A stream ends after so long, and the browser asks again: if the session has ended, in vain."""

TITLES = {game: GAMES[game].title for game in ALL_GAMES}


@router.get("/tables")
def tables_page(
    request: Request, parts: InService, is_open: IsOpen = None, after: asking.After = None
) -> Response:
    """The tables of the room, open ones first, each by name."""
    found = find_tables(parts.room.connect, TablesWanted(is_open=is_open, after=after))
    query = {"open": None if is_open is None else str(is_open).lower()}
    return page(
        request,
        "tables.html",
        found=found,
        titles=TITLES,
        paged=Paged(
            next=address("/tables", query | {"after": found.next}) if found.next else None,
            first=address("/tables", query) if after else None,
        ),
        tabs=[
            (address("/tables", {"open": value}), words, query["open"] == value)
            for value, words in ((None, "All"), ("true", "Open"), ("false", "Closed"))
        ],
        complete=complete(parts.room, found.complete_to),
    )


@router.get("/tables/{table}")
def table_page(request: Request, parts: InService, table: TableId) -> Response:
    """A table as it stands, with what a script needs to keep it so."""
    now = table_now(parts, table)
    return page(request, "table.html", now=now, titles=TITLES, types=sorted(FEED_TYPES))


@router.get("/tables/{table}/now")
def table_part(request: Request, parts: InService, table: TableId) -> Response:
    """The part of that page which changes, alone."""
    return page(request, "table_now.html", now=table_now(parts, table), titles=TITLES)


def _followed(
    request: Request,
    parts: InService,
    table: TableId,
    after: After = None,
    last_event_id: LastEventId = None,
) -> Following:
    followed = following(request, parts, table=table, after=after, last_event_id=last_event_id)
    ends = min(followed.permit.expires_at, datetime.now(UTC) + ASKED_AGAIN)
    return replace(followed, permit=replace(followed.permit, expires_at=ends))


@router.get("/tables/{table}/feed")
async def table_feed(
    parts: InService, followed: Annotated[Following, Depends(_followed)]
) -> Stream:
    """The feed of the table as everybody may know it, whoever looks."""
    return streamed(parts.feed, followed)
