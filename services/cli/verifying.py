"""`verify`: judge hands again and compare what is stored about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.bundles.checking import BundleCheck, check_bundle, keys_of
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
from services.log.comparing import Compared, compare_with_sealed
from services.lookup import find_hand
from services.verifying import Difference, Verification
from services.verifying import verify as verify_hands

COLUMNS = ("hand", "number", "step", "rule", "expected", "recorded", "text")

Hands = Annotated[list[str] | None, typer.Argument(metavar="HAND", help="ids or site numbers")]
All = Annotated[bool, typer.Option("--all", help="every hand of the room")]
Bundle = Annotated[
    Path | None, typer.Option("--bundle", metavar="FILE", help="an exported archive, offline")
]
Vkey = Annotated[
    list[str] | None, typer.Option("--vkey", metavar="KEY", help="a verifier key, for a bundle")
]
Previous = Annotated[
    Path | None,
    typer.Option(
        "--previous", metavar="FILE", help="a checkpoint from before, or the bundle before"
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="exit 3 also for faults in how a hand was played")
]


def verify(
    hands: Hands = None,
    all_: All = False,
    bundle: Bundle = None,
    vkey: Vkey = None,
    previous: Previous = None,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Judge hands again from their stored facts and compare everything derived from them.

    Exit 0 if what is stored is what re-derivation gives. Faults in how a hand was played or paid
    are findings: listed, and exit 3 only with --strict. Exit 3 if stored results differ, or a
    bundle is not what was sealed and signed; exit 1 if something of a bundle cannot be checked.
    """
    if sum((bool(hands), all_, bundle is not None)) != 1:
        raise Stop("name hands, or say --all, or --bundle FILE", USAGE)
    if bundle is not None:
        _verify_bundle(bundle, vkey or [], previous, strict, form)
        return
    if vkey or previous is not None:
        raise Stop("--vkey and --previous are for --bundle FILE", USAGE)
    with current_room() as room, counting("verified") as progress:
        chosen: list[UUID] | None = None
        if not all_:
            chosen = [find_hand(room, called).hand for called in hands or ()]
        found = verify_hands(room, chosen, progress)
        sealed = compare_with_sealed(room) if all_ else None
    if sealed is not None:
        found.differences += [
            Difference(hand=one.stream, number="", text=one.text) for one in sealed.differences
        ]
    _show(found, form)
    if sealed is not None and form is Format.TABLE and not found.differences:
        _tell_sealed(sealed)
    if found.differences or (strict and found.findings):
        raise typer.Exit(DIFFERS)


def _verify_bundle(
    path: Path, vkey: list[str], previous: Path | None, strict: bool, form: Format
) -> None:
    """Without a room: everything needed is in the file, but the key."""
    keys = keys_of(vkey)
    with counting("hands checked") as progress:
        found = check_bundle(path, progress, keys=keys, previous=previous)
    if form is Format.JSON:
        emit_json(found)
    elif form is Format.JSONL:
        tampering = [{"tampering": text} for text in found.tampering]
        unchecked = [{"unchecked": text} for text in found.unchecked]
        emit_lines([*found.findings, *tampering, *unchecked])
    elif form is Format.CSV:
        emit_csv(COLUMNS, [_cells(finding) for finding in found.findings])
    else:
        _tell_bundle(found)
    if found.tampering or (strict and found.findings):
        raise typer.Exit(DIFFERS)
    if found.unchecked:
        raise typer.Exit(FAILURE)


def _tell_bundle(found: BundleCheck) -> None:
    say(f"{_name(found)}, view {found.view}: {_counts(found)}")
    _tell_findings(found.findings)
    for text in found.tampering:
        say(f"TAMPERED {text}")
    for text in found.unchecked:
        say(f"NOT CHECKED {text}")
    if found.live:
        say(f"{counted(found.live, 'hand')} had no end yet: told as everybody saw them.")
    if found.hidden:
        say(f"Of {counted(found.hidden, 'other event')} of the log only the hash is told.")
    if not found.tampering and not found.unchecked:
        say(_all_is_well(found))


def _name(found: BundleCheck) -> str:
    """Which bundle it is, and of which log."""
    if found.version == 1:
        return f"Bundle of room {found.room}"
    log = f", log {found.origin} at {found.leaves} leaves" if found.origin else ""
    return f"Bundle {found.number} of room {found.room}{log}"


def _all_is_well(found: BundleCheck) -> str:
    if found.signed_by is None:
        return (
            "Every file is as it was exported, and the rules give the same verdicts."
            " Nobody signed it."
        )
    return (
        f"Signed by {found.signed_by}.\n"
        f"All {counted(found.events, 'event')} are in the signed log, unchanged and without a gap;"
        " every opened card is the\none that was dealt, and the rules give the same verdicts."
    )


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


def _tell_sealed(sealed: Compared) -> None:
    if sealed.leaves:
        signed = f", as signed over {sealed.checkpoint.size}" if sealed.checkpoint else ""
        say(f"{counted(sealed.leaves, 'event')} are what was sealed{signed}.")


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
