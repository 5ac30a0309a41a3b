"""`studledger`: the program's front door. Whatever goes wrong, a person reads a sentence."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from domain.errors import StudError
from services.access import PurposeMissing, UnknownKey
from services.access.lifetimes import BadExpiry
from services.cli import (
    access,
    backup,
    checkpoint,
    database,
    demo,
    dispute,
    explaining,
    exporting,
    hands,
    importing,
    keys,
    ledger,
    play,
    privacy,
    projecting,
    proving,
    rake,
    replaying,
    serving,
    tables,
    token,
    verifying,
    whatif,
)
from services.cli.exits import DIFFERS, FAILURE, NOT_FOUND, UNREACHABLE, USAGE
from services.cli.output import note, say
from services.disputes import UnknownCase, UnknownFile
from services.disputes.naming import AmbiguousCase
from services.errors import BadSettings, DatabaseUnreachable, ServiceError
from services.log.errors import Altered, NoCheckpoint, NotSealed
from services.lookup import AmbiguousHand, UnknownHand
from services.projecting import UnknownProjection
from services.replaying import BadView, NoSuchStep
from services.reports import BadCursor
from services.schedules import UnknownSchedule
from services.tables import UnknownTable

app = typer.Typer(
    name="studledger",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("import")(importing.import_)
app.command("hands")(hands.hands)
app.command("tables")(tables.tables)
app.command("replay")(replaying.replay)
app.command("explain")(explaining.explain)
app.command("whatif")(whatif.whatif)
app.command("verify")(verifying.verify)
app.add_typer(rake.app, name="rake")
app.add_typer(dispute.app, name="dispute")
app.add_typer(ledger.app, name="ledger")
app.add_typer(exporting.app, name="export")
app.add_typer(projecting.app, name="projections")
app.add_typer(keys.app, name="keys")
app.add_typer(checkpoint.app, name="checkpoint")
app.add_typer(proving.app, name="proof")
app.command("play")(play.play_)
app.command("serve")(serving.serve)
app.add_typer(token.app, name="token")
app.add_typer(access.app, name="access")
app.add_typer(privacy.app, name="privacy")
app.command("migrate")(database.migrate)
app.command("doctor")(database.doctor)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"studledger {version('studledger')}")
        raise typer.Exit


EPILOG = (
    "Exit codes: 0 ok, 1 failure, 2 usage, 3 stored results differ, 4 some hands rejected,"
    " 5 not found, 6 no database."
)


@app.callback(epilog=EPILOG)
def studledger(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="say which it is")
    ] = False,
) -> None:
    """Hand histories of stud poker: replay, pots, odd chips, rake, and whether it was right."""


_CODES: tuple[tuple[type[Exception], int], ...] = (
    (BadSettings, USAGE),
    (AmbiguousHand, USAGE),
    (BadView, USAGE),
    (NoSuchStep, USAGE),
    (BadCursor, USAGE),
    (UnknownProjection, USAGE),
    (PurposeMissing, USAGE),
    (BadExpiry, USAGE),
    (UnknownHand, NOT_FOUND),
    (UnknownKey, NOT_FOUND),
    (NotSealed, NOT_FOUND),
    (NoCheckpoint, NOT_FOUND),
    (Altered, DIFFERS),
    (UnknownTable, NOT_FOUND),
    (UnknownCase, NOT_FOUND),
    (UnknownFile, NOT_FOUND),
    (AmbiguousCase, USAGE),
    (UnknownSchedule, NOT_FOUND),
    (DatabaseUnreachable, UNREACHABLE),
)


def exit_code(wrong: Exception) -> int:
    """The exit code an error ends the program with."""
    return next((code for kind, code in _CODES if isinstance(wrong, kind)), FAILURE)


@functools.cache
def _command() -> Callable[[], object]:
    """The whole tree of commands; reading it from the functions takes a while."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line. No traceback reaches a user: `STUDLEDGER_DEBUG=1` shows them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that has no letters for a name gets its code points.
            stream.reconfigure(errors="backslashreplace")
    try:
        _command()()
    except (ServiceError, StudError) as wrong:
        _end(str(wrong), exit_code(wrong))
    except BrokenPipeError:
        # Whoever read our output has seen enough; stdout is gone, so nothing may flush it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILURE)
    except Exception as bug:
        if os.environ.get("STUDLEDGER_DEBUG"):
            raise
        if isinstance(bug, UnicodeEncodeError) and not all(map(_is_text, sys.argv)):
            _end("an argument has bytes in it that are no text in UTF-8", USAGE)
        # Only the kind of error: its text may hold cards or names.
        _end(f"an unexpected {type(bug).__name__} stopped the program", FAILURE)


def _is_text(argument: str) -> bool:
    """Whether all of its bytes were UTF-8; others come as halves of characters."""
    return not any("\ud800" <= char <= "\udfff" for char in argument)


def _end(message: str, code: int) -> None:
    note(f"studledger: {message}")
    sys.exit(code)
