"""The replay of a hand: the table at a step, beside it the events in words, each with its why."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from services.api import asking
from services.api.answers import as_file
from services.api.hands import with_step
from services.explaining import explain
from services.explaining.in_words import in_words
from services.pages.looking import Looked, ask_why
from services.pages.rendering import page
from services.pages.replay_words import jumps, parts_of_hand, spoken
from services.pages.standalone import file_name, standalone
from services.replaying import replay_step
from services.replaying.clock import clock_words
from services.replaying.svg import draw_svg, state_words, tall

router = APIRouter(include_in_schema=False)


@router.get("/hands/{hand}/replay")
def replay_page(request: Request, look: Looked, step: asking.Step = None) -> Response:
    """The table after a step; the last one if none is named."""
    if not look.allowed:
        return ask_why(request, look)
    file = with_step(look.file, step)
    at, hand = step or len(file.events), str(file.hand)
    frame = replay_step(hand, file.events, at, look.view, file.names)
    told = in_words(file.events, look.view, file.names)
    parts = parts_of_hand(file.events, told)
    return page(
        request,
        "replay.html",
        look=look,
        frame=frame,
        pictures={"wide": Markup(draw_svg(frame)), "tall": Markup(draw_svg(frame, tall))},
        told=told[at - 1],
        spoken=spoken(told[at - 1], len(told)),
        parts=parts,
        jumps=jumps(parts, at),
        why=explain(hand, file.events, at, look.view, file.names),
        state=state_words,
        clock=clock_words,
        started=file.started,
        tabs=look.tabs("replay"),
    )


@router.get("/hands/{hand}/replay.html")
def replay_file(request: Request, look: Looked) -> Response:
    """The whole replay in this view as one file that opens without a server."""
    if not look.allowed:
        return ask_why(request, look)
    file = look.file
    made = standalone(str(file.hand), file.events, look.view, file.names)
    return as_file(made, "text/html; charset=utf-8", file_name(file.started, look.view))
