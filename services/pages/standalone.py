"""A whole replay in one file: every step in one view, opening without a server or a network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import msgspec
from markupsafe import Markup

from domain.events import HandEvent, HandStarted
from services.explaining.in_words import EventInWords, in_words
from services.pages.files import FILES
from services.pages.rendering import TEMPLATES
from services.pages.replay_words import spoken
from services.pages.view_words import view_words
from services.replaying import View, replay_frames
from services.replaying.seating import seating
from services.replaying.svg import draw_svg

STYLES = ("studledger.css", "replay.css")


class Step(msgspec.Struct, frozen=True):
    """One step: what happened with its why, where it is in words, and the table."""

    told: EventInWords
    spoken: str
    picture: Markup


def standalone(
    hand: str,
    events: Sequence[HandEvent],
    view: View,
    names: Mapping[str, str] | None = None,
) -> str:
    """The file's HTML. It holds nothing the view may not see. Raises `BadView`."""
    told = in_words(events, view, names)
    frames = replay_frames(hand, events, view, names)
    steps = [
        # Every name in a picture is escaped.
        Step(one, spoken(one, len(told)), Markup(draw_svg(frame)))
        for one, frame in zip(told, frames, strict=True)
    ]
    started = events[0]
    assert isinstance(started, HandStarted), "every hand begins with its start"
    return TEMPLATES.get_template("standalone.html").render(
        started=started,
        steps=steps,
        hand=hand,
        view_words=view_words(view, seating(started, names or {})),
        version=version("studledger"),
        style=Markup("\n").join(_file(name) for name in STYLES),
        script=_file("standalone.js"),
    )


def file_name(started: HandStarted, view: View) -> str:
    """What the file is called: letters, digits and dashes only."""
    number = re.sub(r"[^A-Za-z0-9]+", "-", started.number)[:60]
    return f"hand-{number}-{view}.html".replace(":", "-")


def _file(name: str) -> Markup:
    """A file of our own as it is: nobody else's words are in it."""
    return Markup(FILES[name].content.decode())
