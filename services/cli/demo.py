"""`demo`: sample hands of the three games, and one answer of each kind."""

from __future__ import annotations

from typing import Annotated

import typer
from msgspec.structs import replace

from services.cli import rake_showing, verifying
from services.cli.exits import DIFFERS
from services.cli.output import counted, note, say, show, working
from services.cli.rooms import current_room
from services.cli.serving import HOST, PORT, Guest, Host, Port, serve_room
from services.demo.storing import DemoStored, store_demo
from services.explaining import as_text
from services.explaining import explain as explain_hand
from services.hand_file import open_hand
from services.log.checkpoints import Checkpoints
from services.log.errors import Contradiction, LogKeyUnusable
from services.projecting import projector_of
from services.replaying import draw, replay_step
from services.reports import RakeWanted, rake_report
from services.settings import load_settings
from services.store.room import Room
from services.verifying import verify

ROOM = "demo"
SHOWN = "D00001"
EXPLAINED = frozenset({"pots", "rake", "verdict"})
NEXT = (
    "hands --game stud8 --limit 5",
    "replay D00003 --step 78",
    "explain D00005 --step 15",
    "rake report --by day",
    "rake explain D00006",
)
"""What to try next: a community card, an open pair, a day's rake, two side pots."""

GUESTS = (Guest("demo", "admin"), Guest("demo approver", "approver"))
"""Who shows everything, and a second person: nobody approves a ruling of his own."""

Hands = Annotated[int, typer.Option(min=1, max=100_000, help="how many hands to deal")]
NoServe = Annotated[bool, typer.Option("--no-serve", help="end then, without starting the service")]


def demo(
    hands: Hands = 300, no_serve: NoServe = False, host: Host = HOST, port: Port = PORT
) -> None:
    """Deal sample hands into a room of their own, then replay, explain, report and verify.

    The hands are the same every time, and are stored once. Then the room is served over HTTP,
    and addresses are printed that sign in at its pages once.
    """
    settings = load_settings().model_copy(update={"room": ROOM})
    with current_room(settings, projected=False) as room:
        with working(f"dealing {counted(hands, 'hand')}"):
            stored = store_demo(room, hands)
            projector_of(room).catch_up()
        _say_what_is_there(stored)
        _replay(room)
        _rake(room)
        differs = _verify(room)
        if not no_serve:
            _sign(room)
    _say_what_next()
    if differs:
        raise typer.Exit(DIFFERS)
    if not no_serve:
        say()
        serve_room(settings, host, port, GUESTS)


def _heading(text: str) -> None:
    say(f"\n== {text} ==\n")


def _say_what_is_there(stored: DemoStored) -> None:
    _heading("Hands")
    what = f"{counted(stored.hands, 'hand')}, {stored.events} events in room {ROOM}"
    say(f"{what}; {stored.new} of the hands are new.")
    say("Some were arranged to show what a floor is asked about:")
    for arranged in stored.arranged:
        say(f"  {arranged.number}  {arranged.title}")


def _replay(room: Room) -> None:
    file = open_hand(room, SHOWN)
    _heading(f"Replay of hand {SHOWN}, last step")
    show(draw(replay_step(str(file.hand), file.events, names=file.names)))
    _heading(f"Why hand {SHOWN} was paid like this")
    whole = explain_hand(str(file.hand), file.events, names=file.names)
    sections = tuple(part for part in whole.sections if part.about in EXPLAINED)
    say(as_text(replace(whole, sections=sections)).rstrip())


def _rake(room: Room) -> None:
    _heading("Rake by day, game and stakes")
    wanted = RakeWanted(by=("day", "game", "stakes"))
    rake_showing.tell(rake_report(room.connect, wanted), wanted, {})


def _verify(room: Room) -> bool:
    _heading("Verification")
    found = verify(room)
    verifying.tell(found)
    return bool(found.differences)


def _sign(room: Room) -> None:
    """The first checkpoint, so that the pages have proofs to show; a refusal is only told."""
    try:
        with working("signing the log"):
            Checkpoints(room).sign()
    except (Contradiction, LogKeyUnusable) as refused:
        note(f"the log is not signed: {refused}")


def _say_what_next() -> None:
    _heading("Look around")
    say("With `uv run` before each, if that is how you started this:")
    say()
    say(f"export STUDLEDGER_ROOM={ROOM}")
    for command in NEXT:
        say(f"studledger {command}")
