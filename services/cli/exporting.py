"""`export`: hands for an auditor to take away, or for other programs to read."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated
from uuid import UUID

import typer

from services.bundles.exporting import export_bundle
from services.cli.exits import SOME_REJECTED, USAGE, Stop
from services.cli.finding import (
    FindingsOption,
    FromDay,
    GameOption,
    MinPot,
    PlayerOption,
    TableOption,
    ToDay,
    of_player,
    wanted_hands,
)
from services.cli.output import Format, FormatOption, counted, counting, emit_json, note, say
from services.cli.rooms import current_room
from services.cli.viewing import ViewOption, WhyOption, view_of
from services.lookup import find_hand
from services.reports import HandsWanted
from services.store.room import Room
from services.writers import Exported, Form, appearing_whole, chosen_hands, export_hands

app = typer.Typer(
    no_args_is_help=True, help="Hands to take away: bundles to check, PHH, JSON Lines."
)

Hands = Annotated[
    list[str] | None, typer.Argument(metavar="HAND…", help="ids or site numbers; all if none")
]
Out = Annotated[Path, typer.Option("-o", "--output", help="the archive to write")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="at most so many, the newest; all if none")
]
File = Annotated[Path | None, typer.Option("-o", "--output", help="the file; stdout if none")]


@app.command()
def bundle(
    hands: Hands = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    output: Out = Path("studledger-bundle.zip"),
    form: FormatOption = Format.TABLE,
) -> None:
    """Write hands, with the rules they were played under, into one archive.

    `studledger verify --bundle FILE` checks it anywhere, without a database or a network.
    """
    seen = view_of(view, why)
    _require_folder(output)
    with current_room() as room, counting("hands written") as progress:
        chosen = _named(room, hands) if hands else None
        manifest = export_bundle(room, output, view=seen, why=why, hands=chosen, progress=progress)
    if form is Format.TABLE:
        say(f"{manifest.hands} hands, {manifest.events} events, view {view}: {output}")
    else:
        emit_json({"file": str(output), "manifest": manifest})


@app.command()
def phh(
    hands: Hands = None,
    table: TableOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    from_: FromDay = None,
    to: ToDay = None,
    min_pot: MinPot = None,
    findings: FindingsOption = False,
    limit: Limit = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    output: File = None,
) -> None:
    """Write hands in the notation of the Poker Hand History standard.

    One HAND is a `.phh`, more are a `.phhs`. What the notation has no word for (rake, odd chips,
    time-outs …) is left out and named; then the exit code is 4.
    """
    wanted = wanted_hands(table, game, from_, to, min_pot, findings)
    form: Form = "phh" if hands and len(hands) == 1 else "phhs"
    _export(hands, wanted, player, limit, form, view, why, output)


@app.command()
def jsonl(
    hands: Hands = None,
    table: TableOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    from_: FromDay = None,
    to: ToDay = None,
    min_pot: MinPot = None,
    findings: FindingsOption = False,
    limit: Limit = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    output: File = None,
) -> None:
    """Write hands as JSON Lines, one event a line; `studledger import` reads them again."""
    wanted = wanted_hands(table, game, from_, to, min_pot, findings)
    _export(hands, wanted, player, limit, "jsonl", view, why, output)


def _export(
    hands: list[str] | None,
    wanted: HandsWanted,
    player: str | None,
    limit: int | None,
    form: Form,
    view: str,
    why: str | None,
    output: Path | None,
) -> None:
    seen = view_of(view, why)
    if hands and (player is not None or limit is not None or wanted != HandsWanted()):
        raise Stop("name hands or say what they are like, not both", USAGE)
    _require_folder(output)
    with current_room() as room, counting("hands written") as progress, _opened(output) as out:
        chosen: Iterable[UUID] = _named(room, hands or ())
        if not hands:
            chosen = chosen_hands(room, of_player(room, wanted, player), limit)
        result = export_hands(
            room, chosen, out.write, form=form, view=seen, why=why, progress=progress
        )
    _tell(result, output, view)


def _named(room: Room, hands: Iterable[str]) -> list[UUID]:
    """The hands called so, each once. Raises `UnknownHand` or `AmbiguousHand`."""
    return list(dict.fromkeys(find_hand(room, called).hand for called in hands))


def _require_folder(output: Path | None) -> None:
    if output is not None and not output.parent.is_dir():
        raise Stop(f"there is no folder {output.parent}", USAGE)


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with appearing_whole(output) as out:
        yield out


def _tell(result: Exported, output: Path | None, view: str) -> None:
    """What was left out, beside the data; exit 4 if anything was."""
    for refused in result.refused:
        note(f"LEFT OUT {refused.number} ({refused.hand}): {refused.reason}")
    if result.left_out > len(result.refused):
        note(f"{counted(result.left_out - len(result.refused), 'more hand')} left out.")
    where = f": {output}" if output else ""
    note(f"{counted(result.hands, 'hand')} written, view {view}{where}")
    if result.left_out:
        raise typer.Exit(SOME_REJECTED)
