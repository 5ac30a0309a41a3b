"""Facts about what is kept of people, in past tense. Stored for ever: add fields with defaults.

They lie in streams of their own: those of a player, those of a hand, those of retention. People
are opaque ids. A reason stays for ever, so nobody's name belongs into it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

import msgspec

from services.store.port import Fact

_STREAMS = UUID("3f4c2a51-7f0e-5c7d-8c3e-5a0c1b9e6d24")
"""The namespace of all privacy streams; changing it would begin every one anew."""

RETENTION = uuid5(_STREAMS, "retention")

Sort = Literal["player", "hand"]
Counts = dict[str, int]


class PrivacyEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of every stored fact about privacy. The tag is the stored name."""

    at: datetime | None = None


class PlayerErased(PrivacyEvent, frozen=True, tag="player_erased.v1"):
    """What was kept of a player outside the log is erased, from here on.

    `erased` says how much of each kind there was.
    """

    actor: str
    player: str
    why: str
    erased: Counts


class PlayerTold(PrivacyEvent, frozen=True, tag="player_told.v1"):
    """Everything that is kept of a player was written out for him; `hands` are how many."""

    actor: str
    player: str
    why: str
    hands: int


class HoldSet(PrivacyEvent, frozen=True, tag="hold_set.v1"):
    """Nothing about a player, or a hand and those who played it, may be erased."""

    actor: str
    sort: Sort
    about: str
    why: str


class HoldReleased(PrivacyEvent, frozen=True, tag="hold_released.v1"):
    """What may be erased may be erased again."""

    actor: str
    sort: Sort
    about: str
    why: str


class RetentionApplied(PrivacyEvent, frozen=True, tag="retention_applied.v1"):
    """What was kept longer than the policy has it is erased: `days` kept and `erased`, by kind."""

    actor: str
    days: Counts
    erased: Counts


PrivacyFact = PlayerErased | PlayerTold | HoldSet | HoldReleased | RetentionApplied

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = msgspec.json.Decoder(PrivacyFact).decode
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: PrivacyFact) -> str:
    """The stored type of an event, such as `player_erased.v1`."""
    return str(event.__struct_config__.tag)


def fact(event: PrivacyFact) -> Fact:
    """An event as it is stored."""
    return Fact(tag_of(event), encode(event))


def stream_of(event: PrivacyFact) -> UUID:
    """The stream an event belongs to."""
    match event:
        case PlayerErased(player=player) | PlayerTold(player=player):
            return stream_about("player", player)
        case HoldSet(sort=sort, about=about) | HoldReleased(sort=sort, about=about):
            return stream_about(sort, about)
        case RetentionApplied():
            return RETENTION


def stream_about(sort: Sort, about: str) -> UUID:
    """What is on record about one player or one hand."""
    return uuid5(_STREAMS, f"{sort} {about}")
