"""`studledger`: the program's front door. Whatever goes wrong, a person reads a sentence."""

from __future__ import annotations

import os
import sys

import typer

from domain.errors import StudError
from services.cli import (
    database,
    demo,
    explaining,
    hands,
    importing,
    projecting,
    rake,
    replaying,
    verifying,
)
from services.cli.exits import FAILURE, UNREACHABLE, USAGE
from services.errors import BadSettings, DatabaseUnreachable, ServiceError

app = typer.Typer(
    name="studledger",
    help="Hand histories of stud poker: replay, pots, odd chips, rake, and whether it was right.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("import")(importing.import_)
app.command("hands")(hands.hands)
app.command("replay")(replaying.replay)
app.command("explain")(explaining.explain)
app.command("verify")(verifying.verify)
app.add_typer(rake.app, name="rake")
app.add_typer(projecting.app, name="projections")
app.command("migrate")(database.migrate)
app.command("doctor")(database.doctor)


def main() -> None:
    """Run the command line. No traceback reaches a user: `STUDLEDGER_DEBUG=1` shows them."""
    try:
        app()
    except BadSettings as wrong:
        _end(str(wrong), USAGE)
    except DatabaseUnreachable as gone:
        _end(str(gone), UNREACHABLE)
    except (ServiceError, StudError) as wrong:
        _end(str(wrong), FAILURE)
    except BrokenPipeError:
        # Whoever read our output has seen enough; stdout is gone, so nothing may flush it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILURE)
    except Exception as bug:
        if os.environ.get("STUDLEDGER_DEBUG"):
            raise
        # Only the kind of error: its text may hold cards or names.
        _end(f"an unexpected {type(bug).__name__} stopped the program", FAILURE)


def _end(message: str, code: int) -> None:
    typer.echo(f"studledger: {message}", err=True)
    sys.exit(code)
