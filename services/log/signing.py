"""The key a log signs with, and the notes it signs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.log.errors import LogKeyUnusable
from services.proof.errors import Unreadable
from services.proof.notes import ED25519, VerifierKey, from_base64, signature_line, to_base64

PRIVATE = "PRIVATE+KEY+"
SEED_BYTES = 32


class SigningKey:
    """An Ed25519 key with the name of its log. Neither its text nor its repr tells the secret."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = VerifierKey(name, self._key.public_key().public_bytes_raw())

    def __repr__(self) -> str:
        return f"SigningKey({self.verifier.name}+{self.verifier.id.hex()})"

    def written(self) -> str:
        """The text to keep in the key's file: the secret itself."""
        key = self.verifier
        seed = to_base64(ED25519 + self._seed)
        return f"{PRIVATE}{key.name}+{key.id.hex()}+{seed}\n"

    def line(self, text: str) -> str:
        """The signature line below `text`."""
        return signature_line(self.verifier.name, self.verifier.id, self._key.sign(text.encode()))


def new_key(name: str) -> SigningKey:
    """A random key for the log of this name."""
    return SigningKey(name, secrets.token_bytes(SEED_BYTES))


def read_key(text: str, where: str) -> SigningKey:
    """The key a file or variable holds. Raises LogKeyUnusable, naming `where`, never the text."""
    name, _, rest = text.strip().removeprefix(PRIVATE).partition("+")
    key_id, _, seed = rest.partition("+")
    try:
        value = from_base64(seed, "the key")
    except Unreadable:
        value = b""
    if not text.startswith(PRIVATE) or value[:1] != ED25519 or len(value) != 1 + SEED_BYTES:
        raise LogKeyUnusable(f"{where} does not hold a key that signs: it begins {PRIVATE}NAME")
    key = SigningKey(name, value[1:])
    if key.verifier.id.hex() != key_id:
        raise LogKeyUnusable(f"the key in {where} is damaged: its id does not fit it")
    return key


def signed(text: str, keys: Sequence[SigningKey]) -> str:
    """A note of `text`, signed by each of the keys."""
    return text + "\n" + "".join(key.line(text) for key in keys)
