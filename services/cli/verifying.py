"""`verify`: judge hands again and compare what is stored about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.bundles.checking import BundleCheck, check_bundle
from services.cli.exits import DIFFERS, FAILURE, USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    counting,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    say,
)
from services.cli.rooms import current_room
from services.hand_finding import HandFinding
from services.lookup import find_hand
from services.verifying import Verification
from services.verifying import verify as verify_hands

COLUMNS = ("hand", "number", "step", "rule", "expected", "recorded", "text")

Hands = Annotated[list[str] | None, typer.Argument(metavar="HAND", help="ids or site numbers")]
All = Annotated[bool, typer.Option("--all", help="every hand of the room")]
Bundle = Annotated[
    Path | None, typer.Option("--bundle", metavar="FILE", help="an exported archive, offline")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="exit 3 also for faults in how a hand was played")
]


def verify(
    hands: Hands = None,
    all_: All = False,
    bundle: Bundle = None,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Judge hands again from their stored facts and compare everything derived from them.

    Exit 0 if what is stored is what re-derivation gives. Faults in how a hand was played or paid
    are findings: listed, and exit 3 only with --strict. Exit 3 if stored results differ, or a
    bundle is not what was exported; exit 1 if a bundle cannot be checked.
    """
    if sum((bool(hands), all_, bundle is not None)) != 1:
        raise Stop("name hands, or say --all, or --bundle FILE", USAGE)
    if bundle is not None:
        _verify_bundle(bundle, strict, form)
        return
    with current_room() as room, counting("verified") as progress:
        chosen: list[UUID] | None = None
        if not all_:
            chosen = [find_hand(room, called).hand for called in hands or ()]
        found = verify_hands(room, chosen, progress)
    _show(found, form)
    if found.differences or (strict and found.findings):
        raise typer.Exit(DIFFERS)


def _verify_bundle(path: Path, strict: bool, form: Format) -> None:
    """Without a room: everything needed is in the file."""
    with counting("hands checked") as progress:
        found = check_bundle(path, progress)
    if form is Format.JSON:
        emit_json(found)
    elif form is Format.JSONL:
        emit_lines([*found.findings, *({"tampering": text} for text in found.tampering)])
    elif form is Format.CSV:
        emit_csv(COLUMNS, [_cells(finding) for finding in found.findings])
    else:
        _tell_bundle(found)
    if found.tampering or (strict and found.findings):
        raise typer.Exit(DIFFERS)
    if found.unchecked:
        raise typer.Exit(FAILURE)


def _tell_bundle(found: BundleCheck) -> None:
    say(f"Bundle of room {found.room}, view {found.view}: {_counts(found)}")
    _tell_findings(found.findings)
    for text in found.tampering:
        say(f"TAMPERED {text}")
    for text in found.unchecked:
        say(f"NOT CHECKED {text}")
    if not found.tampering and not found.unchecked:
        say("Every file is as it was exported, and the rules give the same verdicts.")


def _show(found: Verification, form: Format) -> None:
    if form is Format.JSON:
        emit_json(found)
    elif form is Format.JSONL:
        emit_lines([*found.findings, *found.differences])
    elif form is Format.CSV:
        emit_csv(COLUMNS, [_cells(finding) for finding in found.findings])
    else:
        tell(found)


def tell(found: Verification) -> None:
    """What was found, for people."""
    say(_counts(found))
    _tell_findings(found.findings)
    for difference in found.differences:
        say(f"DIFFERS {difference.number or difference.hand or 'all hands'}: {difference.text}")
    if not found.differences:
        say("Everything stored about them is what their facts come to.")


def _counts(found: Verification | BundleCheck) -> str:
    at_fault = len({finding.hand for finding in found.findings})
    ruled = f" {found.ruled} ruled on," if found.ruled else ""
    return (
        f"{counted(found.checked, 'hand')} checked: {found.clean} clean,"
        f" {found.clean_as_visible} clean as far as visible,{ruled} {at_fault} with findings."
    )


def _tell_findings(findings: list[HandFinding]) -> None:
    if findings:
        rows = [(f.number or str(f.hand), str(f.step), f.rule, f.text) for f in findings]
        emit_table(("hand", "step", "rule", "finding"), rows, right=("step",), flow=("finding",))


def _cells(finding: HandFinding) -> tuple[object, ...]:
    return tuple(getattr(finding, column) for column in COLUMNS)
