"""The public form of a stored event and its leaf hash: what auditors get and checkpoints cover.

A card has 52 values, so its bare hash hides nothing. Every face-down card is replaced by a salted
digest bound to its place; the salt of each place derives from the hand's secret, so showing one
salt opens one card and no other. `docs/adr/0008-public-form-of-a-leaf.md` gives the reasons.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NoReturn
from uuid import UUID

import msgspec

from domain.units import MOST_CHIPS, Card
from services.proof import openings
from services.proof.tree import leaf_hash as leaf_hash
from services.store.port import Recorded


class UnfitForLeaf(Exception):
    """The stored bytes have no public form: a float, a giant integer, a secret that is missing."""


class Place(msgspec.Struct, frozen=True):
    """Where a face-down card lies: `index` in event `n` of the hand, `position` in the deck."""

    hand: UUID
    n: int
    index: int
    position: int | None

    def __bytes__(self) -> bytes:
        """What salt and digest are bound to; an unknown deck position is `-`."""
        return openings.card_place(self.hand, self.n, self.index, self.position)


def card_salt(secret: bytes, place: Place) -> bytes:
    """The 32 bytes that, shown with the card, open the digest at `place` and nothing else."""
    return hmac.digest(secret, bytes(place), "sha256")


def card_digest(salt: bytes, place: Place, card: Card) -> str:
    """What stands in the public form for `card`, in hex; the same for everybody with the salt."""
    return openings.card_digest(bytes(place), salt, card)


def public_form(room: str, stored: Recorded, secret: bytes | None) -> bytes:
    """RFC 8785 JSON of the event with its face-down cards as digests, from the stored bytes.

    `secret` is the hand's, or null on streams without cards. Raises `UnfitForLeaf`.
    """
    event = _as_stored(stored.state)
    if event["type"].startswith("cards_dealt."):
        event["down"] = list(_digests(event, stored, secret))
    return _canonical(
        {
            "room": room,
            "stream": stored.stream,
            "n": stored.n,
            "recorded_at": _instant(stored.recorded_at),
            "actor": stored.actor,
            "event": event,
        }
    )


def _digests(event: dict[str, Any], stored: Recorded, secret: bytes | None) -> Iterator[str]:
    """One digest per down card, unknown ones too: the form never tells who knew the card."""
    if event["down"] and not secret:
        raise UnfitForLeaf("the secret of the hand is missing")
    positions = event["positions"] or [None] * len(event["down"])  # down cards come first
    for index, (card, position) in enumerate(zip(event["down"], positions, strict=False)):
        place = Place(stored.stream, stored.n, index, position)
        yield card_digest(card_salt(secret or b"", place), place, card)


@lru_cache(maxsize=16)  # What was stored together has one.
def _instant(at: datetime) -> str:
    """UTC with all six digits of microseconds, so that an instant has one spelling."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _no_float(literal: str) -> NoReturn:
    raise UnfitForLeaf("a stored event holds a number with a fraction or an exponent")


_as_stored = msgspec.json.Decoder(float_hook=_no_float).decode
_encode = msgspec.json.Encoder(order="sorted").encode
_encode_as_ordered = msgspec.json.Encoder().encode
_DIGITS = bytes(ord("0") if chr(byte).isdecimal() and byte < 128 else byte for byte in range(256))
_LONG = b"0" * 16  # Digits: as many as the shortest number that readers may round has.


def _canonical(value: dict[str, Any]) -> bytes:
    """RFC 8785 JSON of `value`. Raises `UnfitForLeaf` on an integer beyond 2**53 - 1.

    The sorted encoder yields these bytes at once, unless a key is not ASCII or a number is long:
    rare enough to find out from the result.
    """
    form = _encode(value)
    if form.isascii() and _LONG not in form.translate(_DIGITS):
        return form
    return _encode_as_ordered(_ordered(value))


def _ordered(value: Any) -> Any:
    """`value` with keys in the order of RFC 8785, which is that of UTF-16 code units."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: _ordered(value[key]) for key in keys}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if isinstance(value, int) and abs(value) > MOST_CHIPS:
        raise UnfitForLeaf("a stored event holds an integer that JSON readers may round")
    return value
