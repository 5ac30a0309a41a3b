"""`proof`: that an event is in the log, that the log only grew, and checking both offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.cli.exits import DIFFERS, FAILURE, NOT_FOUND, USAGE, Stop
from services.cli.output import note, say
from services.cli.rooms import current_room
from services.cli.viewing import StepOption
from services.log.checkpoints import Checkpoints
from services.log.errors import NoCheckpoint, NotSealed
from services.log.proving import Prover
from services.lookup import UnknownHand, find_hand
from services.proof.consistency import verify_consistency
from services.proof.errors import ProofError, Tampered
from services.proof.notes import VerifierKey, parse_vkey
from services.proof.tlog_proof import TlogProof, verify_proof
from services.store.room import Room

app = typer.Typer(no_args_is_help=True, help="Proofs that anybody can check, offline.")

Event = Annotated[str, typer.Argument(metavar="HAND|POSITION", help="a hand, or an event's place")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="else it is printed")
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="a proof")]
Keys = Annotated[list[str], typer.Option("--vkey", metavar="KEY", help="a verifier key to trust")]
Leaf = Annotated[
    Path | None, typer.Option("--leaf", metavar="FILE", help="the event, if the proof lacks it")
]


@app.command()
def inclusion(called: Event, step: StepOption = None, output: Output = None) -> None:
    """That an event is in the log: a step of HAND, the last if none is named, or POSITION.

    Where no checkpoint has the event yet, one is signed.
    """
    with current_room() as room:
        position = _position(room, called, step)
        proof = _prove(room, position)
    note(f"event {position} is leaf {proof.leaf} of the log")
    _write(str(proof), output)


@app.command()
def consistency(
    earlier: Annotated[int, typer.Argument(metavar="FROM", help="leaves of the earlier tree")],
    later: Annotated[int, typer.Argument(metavar="TO", help="leaves of the later tree")],
    output: Output = None,
) -> None:
    """That the log of TO leaves goes on from that of FROM leaves."""
    with current_room(projected=False) as room:
        try:
            proof = Prover(room).consistency(earlier, later)
        except NotSealed as wrong:
            raise Stop(str(wrong), USAGE) from None
    _write(msgspec.json.encode(proof).decode() + "\n", output)


@app.command()
def verify(file: File, vkey: Keys, leaf: Leaf = None) -> None:
    """Check a proof against verifier keys, without a database and without a network.

    Exit 0 if it holds, 3 if the check was made and failed, 1 if it could not be made.
    """
    try:
        said = _verify(_text(file), [parse_vkey(key) for key in vkey], leaf)
    except Tampered as wrong:
        raise Stop(f"{file}: NOT TRUE: {wrong}", DIFFERS) from None
    except ProofError as wrong:
        raise Stop(f"{file}: not checked: {wrong}", FAILURE) from None
    say(said)


def _verify(text: str, keys: list[VerifierKey], leaf: Path | None) -> str:
    if text.lstrip().startswith("{"):
        told = verify_consistency(text, keys)
        later, earlier = told.later, told.earlier
        return f"{later.origin}: the log of {later.size} leaves goes on from that of {earlier.size}"
    entry = None if leaf is None else _bytes(leaf)
    found = verify_proof(text, keys, entry)
    tree = found.checkpoint
    return (
        f"{tree.origin}: this is leaf {found.leaf} of the log of {tree.size} leaves:\n"
        + found.entry.decode("utf-8", "replace")
    )


def _prove(room: Room, position: int) -> TlogProof:
    prover = Prover(room)
    try:
        return prover.inclusion(position)
    except NoCheckpoint:
        note("no checkpoint has this event yet: one is signed")
    except NotSealed:
        pass  # Events are sealed before a checkpoint is signed.
    Checkpoints(room).sign()
    return prover.inclusion(position)


def _position(room: Room, called: str, step: int | None) -> int:
    """Which event is meant: a step of a hand; a number that no hand has is a position."""
    try:
        hand = find_hand(room, called).hand
    except UnknownHand:
        if step is None and called.isascii() and called.isdecimal():
            return _existing(room, int(called))
        raise
    facts = room.store.load(hand)
    if step is not None and not 1 <= step <= len(facts):
        raise Stop(f"the hand has steps 1 to {len(facts)}", USAGE)
    return facts[(step or len(facts)) - 1].position


def _existing(room: Room, position: int) -> int:
    head = room.store.head()
    facts = room.store.page(position - 1, 1) if 0 < position <= head else ()
    if not facts or facts[0].position != position:
        raise Stop(f"there is no hand and no event {position}; the last is {head}", NOT_FOUND)
    return position


def _write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as refused:
        raise Stop(f"{output} cannot be written: {refused.strerror}", FAILURE) from None
    note(f"written to {output}")


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise Stop(f"{path}: not checked: this is no proof, it is not text", FAILURE) from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise Stop(f"{path} cannot be read: {wrong.strerror}", FAILURE) from None
