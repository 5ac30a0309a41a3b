"""`replay`: the table at any step of a hand."""

from __future__ import annotations

import time
from itertools import islice
from typing import Annotated

import typer

from services.cli.exits import USAGE, Stop
from services.cli.output import Format, FormatOption, console, emit_json, emit_lines, say, show
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument, StepOption, ViewOption, WhyOption, open_seen, view_of
from services.hand_file import HandFile
from services.replaying import View, draw, replay_frames, replay_step
from services.replaying.frames import require_step

Play = Annotated[bool, typer.Option("--play", help="show every step in turn, from --step on")]
Pause = Annotated[float, typer.Option("--pause", help="seconds between steps of --play", min=0)]


def replay(
    hand: HandArgument,
    step: StepOption = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    play: Play = False,
    pause: Pause = 1.0,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show the table at a step of a hand: the last one, or any from 1 on."""
    if form is Format.CSV:
        raise Stop("a replay has the formats table, json and jsonl", USAGE)
    seen = view_of(view, why)
    with current_room() as room:
        file = open_seen(room, hand, seen, why)
        if play or form is Format.JSONL:
            _play(file, seen, form, pause, first=1 if step is None else step)
            return
        frame = replay_step(str(file.hand), file.events, step, seen, file.names)
    if form is Format.JSON:
        emit_json(frame)
    else:
        show(draw(frame))


def _play(file: HandFile, view: View, form: Format, pause: float, first: int) -> None:
    require_step(file.events, first)
    every = replay_frames(str(file.hand), file.events, view, file.names)
    frames = islice(every, first - 1, None)
    if form is not Format.TABLE:
        emit_lines(frames)
        return
    seconds = pause if console().is_terminal else 0
    for frame in frames:
        if frame.step > first:
            time.sleep(seconds)
            say()
        show(draw(frame))
