"""The route of the access log: who saw or took away what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from services.access_report import (
    AccessEntry,
    AccessPage,
    AccessWanted,
    UnknownSubject,
    access_page,
    actors_called,
)
from services.api import asking, problems
from services.api.answers import answer, next_link, streamed_lines, wants_lines
from services.api.describing import answers
from services.api.files import on_file
from services.api.parts import InService, Parts

router = APIRouter(tags=["access"])

OfHand = Annotated[
    asking.Short | None, Query(alias="hand", description="Of this hand, by id or number.")
]
OfSubject = Annotated[
    asking.Short | None,
    Query(description="What this subject did, by name or id, or `command line`."),
]
MOST_POSITION = 2**63 - 1


@router.get("/v1/access", summary="Who saw what", **answers(AccessPage, lines=AccessEntry))
def report(
    request: Request,
    parts: InService,
    hand: OfHand = None,
    subject: OfSubject = None,
    first: asking.FirstDay = None,
    last: asking.LastDay = None,
    limit: asking.Limit = 50,
    after: asking.After = None,
) -> Response:
    """Entries in the order they happened. As JSON Lines, one entry a line. Days are UTC."""
    asking.in_order(first, last)
    wanted = AccessWanted(
        hand=None if hand is None else on_file(parts.room, hand).hand,
        actors=None if subject is None else _actors(parts, subject),
        first=first,
        last=last,
        after=_place(after),
        limit=limit,
    )
    page = access_page(parts.room, wanted)
    link = next_link(request, page.next)
    if wants_lines(request):
        return streamed_lines(page.entries, link=link)
    return answer(page, link=link)


def _actors(parts: Parts, called: str) -> tuple[str, ...]:
    try:
        return actors_called(parts.room, called)
    except UnknownSubject as unknown:
        raise problems.bad_parameter("subject", str(unknown)) from None


def _place(after: str | None) -> int:
    """The position a page goes on behind. Raises a problem for what is none."""
    place = "0" if after is None else after
    if not (place.isascii() and place.isdecimal() and int(place) <= MOST_POSITION):
        raise problems.bad_parameter("after", "this is no place in the list", ("a page's `next`",))
    return int(place)
