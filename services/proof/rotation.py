"""The statement by which a log passes from one key to the next: a note both have signed."""

from __future__ import annotations

from services.proof.errors import Unreadable, WrongSignature
from services.proof.notes import VerifierKey, parse_note, parse_vkey, verify_note

FIRST_LINE = "studledger log key rotation v1"


def rotation_text(old: VerifierKey, new: VerifierKey) -> str:
    """The text that is signed."""
    return f"{FIRST_LINE}\n{old}\n{new}\n"


def verify_rotation(note: str, old: VerifierKey) -> VerifierKey:
    """The key that follows `old`, as `old` and that key itself have signed.

    Raises Unreadable, NotSigned or WrongSignature.
    """
    lines = parse_note(note).text.removesuffix("\n").split("\n")
    if len(lines) != 3 or lines[0] != FIRST_LINE:
        raise Unreadable("this note is no passing of a log from one key to another")
    new = parse_vkey(lines[2])
    for key in (old, new):
        verify_note(note, [key])
    if lines[1] != str(old) or new.name != old.name:
        raise WrongSignature(f"this note does not pass the log of {old.name} on from its key")
    return new
