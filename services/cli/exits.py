"""What the exit codes mean; `docs/commands.md` says the same to people."""

from __future__ import annotations

import typer

from services.cli.output import note

OK = 0
FAILURE = 1
USAGE = 2
DIFFERS = 3
"""Verification shows tampering, or stored results differ from what re-derivation gives."""
SOME_REJECTED = 4
NOT_FOUND = 5
UNREACHABLE = 6


class Stop(typer.Exit):
    """End the command with a sentence on stderr and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(code)
        note(f"studledger: {message}")
