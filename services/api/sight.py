"""Which cards of a hand this caller may see now; what was hidden is recorded before it is shown."""

from __future__ import annotations

from typing import Annotated

import msgspec
from asgi_correlation_id import correlation_id
from fastapi import Depends, Header, Query, Request
from pydantic import Field

from services.access import Sight, Sighting, record_sighting
from services.api import problems
from services.api.asking import said
from services.api.files import Hand, OnFile
from services.api.guard import Caller, caller_of
from services.api.parts import InService, Parts
from services.replaying import ALL, PUBLIC, View, parse_view

ViewParameter = Annotated[
    Annotated[str, Field(pattern=r"^(public|all|seat:([1-9]|10))$")],
    said("there is no such view", "public", "seat:N", "all"),
    Query(
        description="`public`, `seat:N` or `all`. A seat not one's own and `all` are for finished"
        " hands, need `why`, and are put on record before the answer."
    ),
]
WhyParameter = Annotated[
    str | None,
    Query(description="What hidden cards are looked at for. No names: it stays for ever."),
]
WhyHeader = Annotated[str | None, Header(alias="Why", description="The same as `why`.")]


class Seen(msgspec.Struct, frozen=True):
    """A hand and the view it is shown with."""

    file: OnFile
    view: View


def seen(
    request: Request,
    parts: InService,
    file: Hand,
    view: ViewParameter = "public",
    why: WhyParameter = None,
    why_header: WhyHeader = None,
) -> Seen:
    """The hand in a view the caller may take, on record where it shows what was not shown."""
    caller, taken = caller_of(request), parse_view(view)
    needed = _needed(caller, file, taken)
    if needed not in caller.sights:
        raise problems.ViewNotAllowed(possible_views(caller))
    if needed in ("seat", "all"):
        if not file.is_over:
            raise problems.HandStillLive("until it is over, nobody sees another's hidden cards")
        _require_seat(file, taken)
        _record(parts, caller, file, taken, why or why_header)
    return Seen(file, taken)


def _require_seat(file: OnFile, view: View) -> None:
    """Raise a problem for a seat nobody was dealt in at, with those there are."""
    seats = sorted(taken.seat for taken in file.started.seats)
    if view.seat is not None and view.seat not in seats:
        views = ("public", *(f"seat:{seat}" for seat in seats), "all")
        raise problems.bad_parameter("view", "nobody was dealt in at this seat", views)


SeenHand = Annotated[Seen, Depends(seen)]


def _needed(caller: Caller, file: OnFile, view: View) -> Sight:
    """What the view amounts to for this caller."""
    if view.kind != "seat":
        return view.kind
    own = {taken.seat for taken in file.started.seats if taken.player == str(caller.player)}
    return "own" if view.seat in own else "seat"


def views_for(caller: Caller, file: OnFile) -> tuple[View, ...]:
    """The views this caller may take of this hand now, the public one first."""
    seats = sorted(taken.seat for taken in file.started.seats)
    views = (PUBLIC, *(View("seat", seat) for seat in seats), ALL)
    return tuple(view for view in views if _may_take(caller, file, view))


def _may_take(caller: Caller, file: OnFile, view: View) -> bool:
    needed = _needed(caller, file, view)
    return needed in caller.sights and (file.is_over or needed in ("public", "own"))


def goes_on_record(caller: Caller, file: OnFile, view: View) -> bool:
    """Whether the view shows this caller cards that were not shown to him."""
    return _needed(caller, file, view) in ("seat", "all")


def possible_views(caller: Caller) -> str:
    """The views this caller's role has, in words."""
    words = {"public": "public", "own": "his own seat's", "seat": "seat:N", "all": "all"}
    views = [words[sight] for sight in words if sight in caller.sights]
    return f"the role {caller.holder.role} has the views {', '.join(views)}"


def _record(parts: Parts, caller: Caller, file: OnFile, view: View, why: str | None) -> None:
    """Put on record who is about to see what. Raises PurposeMissing, and then nothing is shown."""
    record_sighting(
        parts.room.store,
        Sighting(
            actor=caller.actor,
            key=caller.holder.id,
            role=caller.holder.role,
            hand=file.hand,
            view=str(view),
            purpose=why or "",
        ),
        request_id=correlation_id.get(),
    )
