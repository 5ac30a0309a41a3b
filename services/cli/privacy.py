"""`privacy`: what is kept of people: told, held, erased, and for how long it is kept."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import msgspec
import typer

from services.cli.exits import NOT_FOUND, USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.cli.rooms import current_room
from services.lookup import UnknownHand, find_hand
from services.privacy import erasing, holds, retention, telling
from services.privacy.events import Sort
from services.privacy.people import AmbiguousPlayer, UnknownPlayer, player_called
from services.store.room import Room
from services.writers.files import appearing_whole

app = typer.Typer(no_args_is_help=True, help="What is kept of people: told, held, erased.")

PlayerArgument = Annotated[str, typer.Argument(metavar="PLAYER", help="a player, by name or id")]
Held = Annotated[str, typer.Argument(metavar="PLAYER|HAND", help="by name, number or id")]
Why = Annotated[str, typer.Option("--why", help="for what reason; it stays, so without names")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="only say what would be erased")]
File = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE")]

HOLD_COLUMNS = ("sort", "about", "since", "actor", "why")
OLD_COLUMNS = ("kind", "days", "before", "erased", "held")


@app.command()
def erase(
    player: PlayerArgument, why: Why, dry_run: DryRun = False, form: FormatOption = Format.TABLE
) -> None:
    """Erase a player's names, keys and every text he appears in; the log and its proofs stay."""
    with current_room() as room:
        done = erasing.erase(room, _player(room, player), why, dry_run=dry_run)
    rows = [(kind, str(n), str(done.left.get(kind, 0))) for kind, n in done.erased.items()]
    if form in (Format.JSON, Format.JSONL):
        emit_json(done)
    elif form is Format.CSV:
        emit_csv(("kind", "erased", "left"), rows)
    else:
        would = "would be erased" if dry_run else "is erased"
        say(f"Of player {done.player}, who played {counted(done.hands, 'hand')}, this {would}:")
        emit_table(("kind", "erased", "left"), rows, right=("erased", "left"))
    if any(done.left.values()):
        note("what is left belongs to open cases and suspended hands: erase again when they end")


@app.command()
def export(
    player: PlayerArgument,
    why: Annotated[
        str, typer.Option("--why", help="for what reason; it stays, so without names")
    ] = telling.ASKED,
    output: File = None,
) -> None:
    """Write all that is kept of a player as JSON Lines, for himself; on record before."""
    encode = msgspec.json.Encoder().encode
    with current_room() as room:
        lines = telling.told(room, _player(room, player), why)
        with _opened(output) as out:
            for line in lines:
                out.write(encode(line) + b"\n")


@app.command()
def hold(about: Held, why: Why) -> None:
    """Let nothing about a player, or a hand and those who played it, be erased."""
    with current_room() as room:
        sort, found = _about(room, about)
        new = holds.set_hold(room, sort, found, why)
    say(f"{sort} {found} is on hold" if new else f"{sort} {found} was on hold already")


@app.command()
def release(about: Held, why: Why) -> None:
    """End a hold."""
    with current_room() as room:
        sort, found = _about(room, about)
        try:
            holds.release(room, sort, found, why)
        except holds.NotHeld as wrong:
            raise Stop(str(wrong), NOT_FOUND) from None
    say(f"{sort} {found} is not on hold any more")


@app.command("holds")
def holds_(form: FormatOption = Format.TABLE) -> None:
    """Every hold on a player or a hand that stands; those of cases are in their register."""
    with current_room(projected=False) as room:
        standing = holds.holds(room)
    rows = [
        (h.sort, h.about, h.since.isoformat() if h.since else "", h.actor, h.why) for h in standing
    ]
    if form is Format.JSON:
        emit_json({"holds": standing})
    elif form is Format.JSONL:
        emit_lines(standing)
    elif form is Format.CSV:
        emit_csv(HOLD_COLUMNS, rows)
    else:
        emit_table(HOLD_COLUMNS, rows, flow=("why",), spare=("since", "actor"))


@app.command("retention")
def retention_(
    dry_run: DryRun = False,
    apply: Annotated[bool, typer.Option("--apply", help="erase it")] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """What was kept longer than the settings say; erased with --apply."""
    if dry_run == apply:
        raise Stop("say --dry-run to look, or --apply to erase", USAGE)
    with current_room() as room:
        found = retention.retention(room, apply=apply)
    rows = [
        (old.kind, str(old.days), f"{old.before:%Y-%m-%d}", str(old.erased), str(old.held))
        for old in found
    ]
    if form is Format.JSON:
        emit_json({"applied": apply, "kinds": found})
    elif form is Format.JSONL:
        emit_lines(found)
    elif form is Format.CSV:
        emit_csv(OLD_COLUMNS, rows)
    else:
        say("Erased:" if apply else "This would be erased:")
        emit_table(OLD_COLUMNS, rows, right=("days", "erased", "held"))


def _player(room: Room, called: str) -> str:
    try:
        return player_called(room, called)
    except UnknownPlayer as unknown:
        raise Stop(str(unknown), NOT_FOUND) from None
    except AmbiguousPlayer as several:
        raise Stop(str(several), USAGE) from None


def _about(room: Room, called: str) -> tuple[Sort, str]:
    """The hand or else the player that is called so."""
    try:
        return "hand", str(find_hand(room, called).hand)
    except UnknownHand:
        return "player", _player(room, called)


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with appearing_whole(output) as out:
        yield out
