"""`replay`: the table at any step of a hand."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from services.cli.exits import USAGE, Stop
from services.cli.export_parts import require_folder
from services.cli.output import Format, FormatOption, console, emit_json, emit_lines, say, show
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument, StepOption, ViewOption, WhyOption, open_seen, view_of
from services.hand_file import HandFile
from services.replaying import View, draw, replay_frames, replay_step
from services.replaying.frames import require_step
from services.writers.files import appearing_whole

Play = Annotated[bool, typer.Option("--play", help="show every step in turn, from --step on")]
Pause = Annotated[float, typer.Option("--pause", help="seconds between steps of --play", min=0)]

HtmlFile = Annotated[
    Path | None, typer.Option("--html", help="write all steps into a file for a browser instead")
]


def replay(
    hand: HandArgument,
    step: StepOption = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    play: Play = False,
    pause: Pause = 1.0,
    html: HtmlFile = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show the table at a step of a hand: the last one, or any from 1 on."""
    if form is Format.CSV:
        raise Stop("a replay has the formats table, json and jsonl", USAGE)
    if html is not None and (play or step is not None):
        raise Stop("a file has all steps: leave --step and --play out", USAGE)
    require_folder(html)
    seen = view_of(view, why)
    with current_room() as room:
        file = open_seen(room, hand, seen, why)
        if html is not None:
            _write(file, seen, form, html)
            return
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


def _write(file: HandFile, view: View, form: Format, path: Path) -> None:
    """All steps in one view as a file that opens without a server."""
    from services.pages.standalone import standalone

    with appearing_whole(path) as out:
        out.write(standalone(str(file.hand), file.events, view, file.names).encode())
    if form is Format.TABLE:
        say(f"{path}: {len(file.events)} steps, view {view}")
        return
    emit_json(
        {
            "hand": str(file.hand),
            "number": file.number,
            "file": str(path),
            "view": str(view),
            "steps": len(file.events),
        }
    )
