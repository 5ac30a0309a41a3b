"""`export`: hands for an auditor to take away, or for other programs to read."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import typer

from services.bundles.exporting import export_bundle
from services.cli.export_parts import (
    Hands,
    Limit,
    named,
    require_folder,
    require_one_way,
    tell,
    wanted_of,
)
from services.cli.finding import (
    FindingsOption,
    FromDay,
    GameOption,
    MinPot,
    PlayerOption,
    TableOption,
    ToDay,
    wanted_hands,
)
from services.cli.output import Format, FormatOption, counting, emit_json, say
from services.cli.pojeu import pojeu
from services.cli.rooms import current_room
from services.cli.viewing import ViewOption, WhyOption, view_of
from services.log.publishing import read_published
from services.reports import HandsWanted
from services.writers import Form, appearing_whole, export_hands

app = typer.Typer(
    no_args_is_help=True, help="Hands to take away: bundles to check, PHH, JSON Lines, POJEU."
)
app.command()(pojeu)

Out = Annotated[Path, typer.Option("-o", "--output", help="the archive to write")]
Since = Annotated[
    list[Path] | None,
    typer.Option("--since", metavar="CHECKPOINT", help="prove that the log goes on from this, too"),
]
File = Annotated[Path | None, typer.Option("-o", "--output", help="the file; stdout if none")]


@app.command()
def bundle(
    hands: Hands = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    since: Since = None,
    output: Out = Path("studledger-bundle.zip"),
    form: FormatOption = Format.TABLE,
) -> None:
    """Write hands into one archive, as the log sealed them, with proofs and a signed checkpoint.

    `studledger verify --bundle FILE --vkey KEY` checks it anywhere, without a database or a
    network. `keys show` ends with the KEY.
    """
    seen = view_of(view, why)
    sizes = [read_published(one).checkpoint.size for one in since or ()]
    require_folder(output)
    with current_room() as room, counting("hands written") as progress:
        chosen = named(room, hands) if hands else None
        manifest = export_bundle(
            room, output, view=seen, why=why, hands=chosen, since=sizes, progress=progress
        )
    if form is Format.TABLE:
        number = manifest.sequence.number
        say(
            f"Bundle {number}: {manifest.hands} hands, {manifest.events} events of"
            f" {manifest.leaves}, view {view}: {output}"
        )
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
    require_one_way(hands, wanted, player, limit)
    require_folder(output)
    with current_room() as room, counting("hands written") as progress, _opened(output) as out:
        chosen = wanted_of(room, hands, wanted, player, limit)
        result = export_hands(
            room, chosen, out.write, form=form, view=seen, why=why, progress=progress
        )
    tell(result, output, view)


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with appearing_whole(output) as out:
        yield out
