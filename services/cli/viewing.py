"""What `replay` and `explain` share: which hand, which view, and a purpose for hidden cards."""

from __future__ import annotations

from typing import Annotated

import typer

from services.access import Sighting, record_sighting
from services.cli.exits import USAGE, Stop
from services.hand_file import HandFile, open_hand
from services.replaying import PUBLIC, BadView, View, is_over, parse_view, require_allowed
from services.store.room import Room

HandArgument = Annotated[str, typer.Argument(metavar="HAND", help="id or the site's number")]
StepOption = Annotated[int | None, typer.Option("--step", help="a step, 1 for the first event")]
ViewOption = Annotated[
    str, typer.Option("--view", metavar="public|seat:N|all", help="whose eyes to see it with")
]
WhyOption = Annotated[
    str | None, typer.Option("--why", help="purpose; needed to see cards that were not shown")
]


def open_seen(room: Room, called: str, view: View, why: str | None) -> HandFile:
    """The hand, and on record who is about to see hidden cards of it, before anybody does.

    A live hand shows face-down cards to nobody but their owner, who is not at this keyboard.
    """
    file = open_hand(room, called)
    require_allowed(view, file.events)
    if view != PUBLIC:
        if not is_over(file.events):
            raise BadView("the hand is still being played: it has the view public")
        record_sighting(room.store, Sighting(hand=file.hand, view=str(view), purpose=why or ""))
    return file


def view_of(text: str, why: str | None) -> View:
    """The view, with a purpose if it shows what the table did not see."""
    view = parse_view(text)
    if view != PUBLIC and not (why or "").strip():
        raise Stop(f"view {view} shows hidden cards: say what for with --why", USAGE)
    return view
