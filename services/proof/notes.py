"""C2SP signed notes and the keys that verify them: Ed25519 only."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.proof.errors import NotSigned, Unreadable, WrongSignature

ED25519 = b"\x01"
KEY_BYTES, ID_BYTES, SIGNATURE_BYTES = 32, 4, 64
MOST_BYTES = 1 << 20
MOST_SIGNATURES = 64

NAME = re.compile(r"[^\s+]+")
_SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


class VerifierKey(NamedTuple):
    """Whose signatures are believed: a name and a public key of 32 bytes."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes a signature says which key it is by."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:ID_BYTES]

    def __str__(self) -> str:
        """The text of the key, `name+id+key`: what `keys show` ends with."""
        return f"{self.name}+{self.id.hex()}+{to_base64(ED25519 + self.public)}"


class Signature(NamedTuple):
    """A signature line: who is said to have signed, with which key, and the signature."""

    name: str
    key_id: bytes
    signature: bytes


class Note(NamedTuple):
    """A text, with its last newline, and the signatures below it: not verified."""

    text: str
    signatures: tuple[Signature, ...]


def parse_vkey(text: str) -> VerifierKey:
    """A verifier key from its text. Raises Unreadable."""
    name, plus, rest = text.strip().partition("+")
    key_id, also, key = rest.partition("+")
    decoded = from_base64(key, "the verifier key")
    if not (plus and also and NAME.fullmatch(name)):
        raise Unreadable("a verifier key is written NAME+ID+KEY")
    if decoded[:1] != ED25519 or len(decoded) != 1 + KEY_BYTES:
        raise Unreadable("the verifier key is of a kind this program does not know")
    found = VerifierKey(name, decoded[1:])
    if key_id != found.id.hex():
        raise Unreadable("the verifier key is damaged: its id does not fit its name and key")
    return found


def parse_note(note: str) -> Note:
    """A note taken apart, nothing of it verified. Raises Unreadable."""
    if len(note) > MOST_BYTES or _CONTROL.search(note):
        raise Unreadable("this is no signed note: it is too long, or holds control characters")
    text, blank, below = note.rpartition("\n\n")
    if not blank or not text or not below.endswith("\n"):
        raise Unreadable("this is no signed note: it has no signatures below a blank line")
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise Unreadable(f"a note with more than {MOST_SIGNATURES} signatures is not read")
    return Note(text + "\n", tuple(map(_signature, lines)))


def verify_note(note: str, keys: Iterable[VerifierKey]) -> tuple[str, VerifierKey]:
    """The text of a note and the first of `keys` that signed it.

    Raises Unreadable, NotSigned if none of the keys is named in it, and WrongSignature if one is
    and did not sign this text. Signatures by others are passed over.
    """
    parsed, signer = parse_note(note), None
    known = {(key.name, key.id): key for key in keys}
    for signature in parsed.signatures:
        key = known.get((signature.name, signature.key_id))
        if key is not None:
            _verify(parsed.text, signature, key)
            signer = signer or key
    if signer is None:
        by = ", ".join(f"{s.name}+{s.key_id.hex()}" for s in parsed.signatures)
        given = ", ".join(f"{name}+{key_id.hex()}" for name, key_id in known) or "none"
        raise NotSigned(f"this is signed by {by}, and not by the key that was given ({given})")
    return parsed.text, signer


def signature_line(name: str, key_id: bytes, signature: bytes) -> str:
    """A line below a note."""
    return f"— {name} {to_base64(key_id + signature)}\n"


def to_base64(value: bytes) -> str:
    """Standard base64, with padding."""
    return base64.b64encode(value).decode()


def from_base64(text: str, what: str) -> bytes:
    """The bytes of standard base64 in its one spelling. Raises Unreadable, naming `what`."""
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable(f"{what} is not base64") from None
    if to_base64(value) != text:
        raise Unreadable(f"{what} is not base64 as it is written")
    return value


def _signature(line: str) -> Signature:
    found = _SIGNATURE.fullmatch(line)
    if not found:
        raise Unreadable("a line below the note is no signature")
    value = from_base64(found[2], "a signature")
    if len(value) <= ID_BYTES:
        raise Unreadable("a signature is too short")
    return Signature(found[1], value[:ID_BYTES], value[ID_BYTES:])


def _verify(text: str, signature: Signature, key: VerifierKey) -> None:
    try:
        public = Ed25519PublicKey.from_public_bytes(key.public)
        public.verify(signature.signature, text.encode())
    except (InvalidSignature, ValueError):
        raise WrongSignature(
            f"the signature of {key.name}+{key.id.hex()} is not over this text:"
            " it was changed after it was signed, or somebody else signed it"
        ) from None
