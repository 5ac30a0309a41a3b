"""Facts about access, in past tense. Stored for ever: add fields with defaults, never rename.

They lie in streams of their own beside the hands': what was seen of a hand in that hand's access
stream, what became of a key in the key's. Subjects and players are opaque ids, never names.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

import msgspec

from services.access.roles import Role
from services.store.port import Fact

_STREAMS = UUID("6f0f7d0e-5a43-5d0e-9a0b-3c1f5a2f7a11")
"""The namespace of all access streams; changing it would begin every one anew."""

COMMAND_LINE = "command line"
"""The actor where somebody works on the machine itself, without a key."""


class AccessEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of every stored fact about access. The tag is the stored name, as in `domain.events`."""

    at: datetime | None = None


class CardsSeen(AccessEvent, frozen=True, tag="cards_seen.v1"):
    """Somebody was about to be shown face-down cards of a finished hand that are not his own.

    `actor` is a subject's id or `command line`, `key` the key he used, `view` what he saw it
    with: `all` or `seat:N`. It covers the quarter of an hour from `quarter` on.
    """

    actor: str
    key: str | None
    role: Role | None
    hand: UUID
    view: str
    purpose: str
    quarter: datetime


class KeyIssued(AccessEvent, frozen=True, tag="key_issued.v1"):
    """A key was made for a subject; `player` is whose it is, for the role player only."""

    actor: str
    key: str
    subject: UUID
    role: Role
    player: UUID | None
    expires_at: datetime


class KeyRevoked(AccessEvent, frozen=True, tag="key_revoked.v1"):
    """A key ended before its time."""

    actor: str
    key: str


class SignedIn(AccessEvent, frozen=True, tag="signed_in.v1"):
    """Somebody signed in at the pages as the holder of a key, with the key or in its place."""

    actor: str
    key: str
    by: Literal["key", "address"]


class SignedOut(AccessEvent, frozen=True, tag="signed_out.v1"):
    """He signed out. A session that ends by itself leaves no fact: its time is known before."""

    actor: str
    key: str


AccessFact = CardsSeen | KeyIssued | KeyRevoked | SignedIn | SignedOut

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = msgspec.json.Decoder(AccessFact).decode
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: AccessFact) -> str:
    """The stored type of an event, such as `cards_seen.v1`."""
    return str(event.__struct_config__.tag)


def fact(event: AccessFact) -> Fact:
    """An event as it is stored."""
    return Fact(tag_of(event), encode(event))


def hand_stream(hand: UUID) -> UUID:
    """The access stream of a hand: who saw its cards."""
    return uuid5(_STREAMS, f"hand {hand}")


def key_stream(key: str) -> UUID:
    """The stream of one key: issued, revoked."""
    return uuid5(_STREAMS, f"key {key}")
